// How long one intercepted `fetch` takes, each way in processes of its own, which take turns.
import { cores, startChild } from './processes.js';

export const fetchWays = {
  oneLine: 'one-line MSW handler, same bytes',
  ours: 'setupGateway({ baseUrl })',
};

/**
 * @param {string} folder
 * @param {{ rounds: number, fetches: number }} options
 * @returns {Promise<import('./figures.js').Figure[]>}
 */
export const measureFetches = async (folder, { rounds, fetches }) => {
  const figures = Object.entries(fetchWays).map(([way, name]) => ({
    figure: { name, unit: 'µs', rounds: /** @type {number[]} */ ([]) },
    run: () => startChild(cores.server, 'fetches.js', [way, folder, String(fetches)]).end(),
  }));
  for (let round = 0; round < rounds; round += 1)
    for (const { figure, run } of figures) figure.rounds.push(Number(await run()));
  return figures.map(({ figure }) => figure);
};
