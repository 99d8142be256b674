// What stays in memory of a walk over all the runs of the scenario `large`.
import { cores, startChild } from './processes.js';

export const memoryNames = {
  walked: 'JSON that was walked',
  kept: 'resident memory beyond that at the start',
};

/**
 * @param {string} folder
 * @returns {Promise<import('./figures.js').Figure[]>}
 */
export const measureMemory = async (folder) => {
  /** @type {{ runs: number, bytes: number, before: number, after: number }} */
  const walk = JSON.parse(await startChild(cores.server, 'walk.js', [folder], ['--expose-gc']).end());
  if (walk.runs !== 100_000) throw new Error(`Failed to walk 100,000 runs: there were ${walk.runs}.`);
  return [
    { name: memoryNames.walked, unit: 'MB', rounds: [walk.bytes / 1e6] },
    { name: memoryNames.kept, unit: 'MB', rounds: [(walk.after - walk.before) / 1e6] },
  ];
};
