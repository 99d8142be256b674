import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { callsOf, readWorld, smallScenario } from '../support/read-world.ts';
import { tries } from '../support/settings.ts';
import { anyChanges, type ChangeName, change } from '../support/worlds-changes.ts';

/** One change in a session, and a page that is read after it. */
const take = async ({ gateway, send }: OpenGateway, session: string, step: readonly [ChangeName, number]) => {
  await change(gateway.session(session), [step]);
  return send({ path: '/batches?limit=5', session }).body;
};

test('in any interleaving of their steps, no session sees another', async () => {
  const turns = fc.infiniteStream(fc.constantFrom('first', 'second'));
  await fc.assert(
    fc.asyncProperty(anyChanges, anyChanges, turns, async (first, second, order) => {
      const scripts: Readonly<Record<string, typeof first>> = { first, second };
      const together = openGateway({ scenario: smallScenario });
      const seen: Record<string, unknown[]> = { first: [], second: [] };
      const isOver = () => first.length === seen.first?.length && second.length === seen.second?.length;
      while (!isOver()) {
        const name = order.next().value ?? '';
        const step = scripts[name]?.[seen[name]?.length ?? 0];
        if (step) seen[name]?.push(await take(together, name, step));
      }
      for (const [name, steps] of Object.entries(scripts)) {
        const alone = openGateway({ scenario: smallScenario });
        for (const [at, step] of steps.entries())
          expect(seen[name]?.[at]).toEqual(await take(alone, name, step));
        const calls = await callsOf(alone.gateway.session(name));
        expect(readWorld(together, calls, name)).toEqual(readWorld(alone, calls, name));
      }
    }),
    tries(30),
  );
});
