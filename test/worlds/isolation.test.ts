import { base, en, Faker } from '@faker-js/faker';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { tries } from '../support/settings.ts';
import { anyChange, change } from '../support/worlds-changes.ts';

const paths = ['/batches', '/threads/thread_a/runs', '/fine_tuning/jobs/job_a/checkpoints'];

/** Makes one change in a session. Returns what the session shows then, or why it was refused. */
const takeStep = async ({ gateway, send }: OpenGateway, session: string, step: Step): Promise<unknown> => {
  const refusal = await change(gateway.session(session), [step]).catch(String);
  const pages = paths.map((path) => {
    const { status, headers, body } = send({ path: `${path}?limit=5`, session });
    return `${status} ${headers['x-request-id']} ${body}`;
  });
  return [refusal, ...pages];
};

type Step = Parameters<typeof change>[1][number];

test('in any interleaving of their steps, no session sees another', async () => {
  const script = fc.array(anyChange, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 2, maxLength: 4 }), fc.nat(), async (scripts, seed) => {
      const shared = openGateway({ scenario: smallScenario });
      const faker = new Faker({ locale: [en, base], seed });
      const left = scripts.map((steps) => [...steps]);
      const seen: unknown[][] = scripts.map(() => []);
      while (left.some(({ length }) => length > 0)) {
        const number = faker.number.int(left.length - 1);
        const step = left[number]?.shift();
        if (step) seen[number]?.push(await takeStep(shared, `client-${number}`, step));
      }
      for (const [number, steps] of scripts.entries()) {
        const alone = openGateway({ scenario: smallScenario });
        const expected: unknown[] = [];
        for (const step of steps) expected.push(await takeStep(alone, `client-${number}`, step));
        expect(seen[number]).toEqual(expected);
      }
    }),
    tries(30),
  );
});
