import { base, en, Faker } from '@faker-js/faker';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { actions, type Client, takeStep, takeStepsAlone } from '../support/session-steps.ts';
import { tries } from '../support/settings.ts';

test('in any interleaving of their steps, no session sees another', async () => {
  const script = fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 2, maxLength: 4 }), fc.nat(), async (scripts, seed) => {
      const { gateway, send } = openGateway({ scenario: smallScenario });
      const faker = new Faker({ locale: [en, base], seed });
      const left = scripts.map((steps) => [...steps]);
      const seen: unknown[][] = scripts.map(() => []);
      const clients = scripts.map((_, number): Client => {
        const session = `client-${number}`;
        const read = async (path: string): Promise<string> => {
          const { status, headers, body } = send({ path, session });
          return `${status} ${headers['x-request-id']} ${body}`;
        };
        return { control: gateway.session(session), read };
      });
      while (left.some(({ length }) => length > 0)) {
        const number = faker.number.int(left.length - 1);
        const [action, client] = [left[number]?.shift(), clients[number]];
        if (action && client) seen[number]?.push(await takeStep(client, action, number));
      }
      for (const [number, steps] of scripts.entries())
        expect(seen[number]).toEqual(await takeStepsAlone(steps, number));
    }),
    tries(30),
  );
});
