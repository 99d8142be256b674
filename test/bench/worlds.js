// How long it takes to make, fork and reset a world, for a large scenario beside a small one.
import { median, printTable } from './figures.js';

/**
 * @param {number} rounds
 * @param {(round: number) => Promise<unknown>} run
 */
const measure = async (rounds, run) => {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run(round);
    times.push(performance.now() - start);
  }
  return median(times);
};

/** @param {typeof import('../../src/index.ts').createGateway} createGateway */
export const benchWorlds = async (createGateway) => {
  const rows = [];
  for (const scenario of /** @type {const} */ (['default', 'large'])) {
    const gateway = createGateway({ scenario });
    const { sessions } = gateway;
    const figures = {
      create: await measure(500, (round) => sessions.create(`made-${round}`)),
      fork: await measure(500, (round) => sessions.create(`forked-${round}`, { session: 'made-499' })),
      reset: await measure(500, () => gateway.reset()),
    };
    for (const [what, time] of Object.entries(figures))
      rows.push({
        what: `${what} a world of ${scenario}`,
        milliseconds: time,
        verdict: time <= 1 ? 'pass' : 'short',
      });
  }
  printTable([
    ['worlds, medians of 500 (need: at most 1 ms)', 'ms', 'verdict'],
    ...rows.map(({ what, milliseconds, verdict }) => [what, milliseconds.toFixed(3), verdict]),
  ]);
  return rows;
};
