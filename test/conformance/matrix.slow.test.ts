// No false alarm, whatever is combined: all scenarios, clocks, and values of assumptions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssumptionChoices, assumptions, scenarioNames } from '../../src/index.ts';
import { findAssumptions } from '../../src/tools/conformance/run/report.ts';
import { runChecks } from '../../src/tools/conformance/run/run-checks.ts';
import { createAnswerTarget } from '../support/check-targets.ts';
import { openGateway } from '../support/open-gateway.ts';
import { volume } from '../support/settings.ts';

/** How the time of the world goes by while it is checked. */
const clocks: Readonly<Record<string, { before?: string; each?: string }>> = {
  'at its start': {},
  'a month later': { before: '30d' },
  'a second later at each call': { each: '1s' },
  'two hours later at each call': { each: '2h' },
};

const alternatives: readonly AssumptionChoices[] = [
  {},
  ...Object.entries(assumptions).flatMap(([id, { choices }]) =>
    choices.slice(1).map(([value]) => ({ [id]: value })),
  ),
];

const all = scenarioNames().flatMap((scenario) =>
  Object.keys(clocks).flatMap((clock) => alternatives.map((choices) => ({ scenario, clock, choices }))),
);

/** The seed of this run's order, which is another one each time: a run that does not get through them all tries others. */
const seed = Number(process.env.MATRIX_SEED ?? Date.now() % 1_000_000);
const shuffled =
  fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { seed, numRuns: 1 })[0] ?? [];

const minutes = volume(3, 0.2);

test(
  `for ${minutes} minutes, no check fails in any combination of ${all.length}`,
  async () => {
    const end = performance.now() + minutes * 60_000;
    let count = 0;
    for (const { scenario, clock, choices } of shuffled) {
      if (performance.now() > end) break;
      const opened = openGateway({ scenario, assume: choices });
      const { before, each } = clocks[clock] ?? {};
      if (before !== undefined) await opened.gateway.clock.advance(before);
      const target = await createAnswerTarget(opened);
      const report = await runChecks({
        ...target,
        call: async (call) => {
          if (each !== undefined) await opened.gateway.clock.advance(each);
          return target.call(call);
        },
      });
      const failed = report.results.filter(({ outcome }) => outcome === 'failed');
      const { assumptions: switched = {} } = await opened.gateway.state.export();
      expect.soft({ scenario, clock, choices, failed }).toEqual({ scenario, clock, choices, failed: [] });
      expect.soft({ scenario, clock, switched }).toEqual({
        scenario,
        clock,
        switched: { ...switched, ...findAssumptions(report) },
      });
      count += 1;
    }
    console.log(`${count} of ${all.length} combinations were checked, in the order of MATRIX_SEED=${seed}.`);
    expect(count).toBeGreaterThan(0);
  },
  (minutes + 5) * 60_000,
);
