// How long it takes to make, fork and reset a world, for a large scenario beside a small one.
const median = (/** @type {number[]} */ values) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

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
  for (const scenario of ['default', 'large']) {
    const gateway = createGateway({ scenario });
    const { sessions } = gateway;
    const figures = {
      create: await measure(500, (round) => sessions.create(`made-${round}`)),
      fork: await measure(500, (round) => sessions.create(`forked-${round}`, { session: 'made-499' })),
      reset: await measure(500, () => gateway.reset()),
    };
    for (const [what, time] of Object.entries(figures)) {
      const verdict = time <= 1 ? 'pass' : 'short';
      console.log(
        `${what.padEnd(6)} a world of ${scenario.padEnd(8)} ${time.toFixed(3)} ms (median of 500; at most 1 ms: ${verdict})`,
      );
    }
  }
};
