// Answers per second, of every target in turn, round by round.
import { contenders } from './contenders.js';
import { findDeepAsk, gatherData } from './data.js';
import { printFigures } from './figures.js';
import { measureLoad } from './load.js';
import { cores, readCpuTime, startChild, stopAll } from './processes.js';
import { checkAnswers, checkKeys, toTargets } from './targets.js';

/** @returns {number[]} */
const none = () => [];

/**
 * Starts contenders in one process.
 *
 * @param {readonly string[]} names
 * @param {string} folder
 */
export const serve = async (names, folder) => {
  const child = startChild(cores.server, 'serve.js', [names.join(','), folder]);
  /** @type {{ urls: string[], pid: number }} */
  const { urls, pid } = JSON.parse(await child.firstLine());
  return { urls, pid, leave: child.leave };
};

/** In one process, since a few hundredths are looked for, and one process is a tenth faster than the next. */
const together = ['ours', 'ours-without-journal', 'ours-of-100000', 'ours-of-100000-deep'];

/**
 * One of ours comes first, since the others send what it answers. It is none of those that are asked for one page alone:
 * who has answered other calls before is slower by a fifth.
 *
 * @param {string} folder
 */
const serveAll = async (folder) => {
  /** @type {Map<string, { url: string, pid: number }>} */
  const servers = new Map();
  /** @param {readonly string[]} names */
  const start = async (names) => {
    const { urls, pid } = await serve(names, folder);
    for (const [index, url] of urls.entries()) servers.set(names[index] ?? '', { url, pid });
  };
  /** @param {string} name */
  const find = (name) => {
    const server = servers.get(name);
    if (server === undefined) throw new Error(`There is no contender "${name}".`);
    return server;
  };
  await start(['ours-for-the-rest']);
  const data = await gatherData(find('ours-for-the-rest').url, folder);
  const scout = await serve(['ours-of-100000'], folder);
  const deepAsk = await findDeepAsk(scout.urls[0] ?? '');
  await scout.leave();
  await start(together);
  for (const name of Object.keys(contenders)) if (!servers.has(name)) await start([name]);
  return { data, deepAsk, find };
};

/**
 * In several sittings, each with processes of its own: by the luck of its compiler, one is a tenth faster than the next.
 *
 * @param {string} folder
 * @param {{ sittings: number, rounds: number, seconds: number }} plan how many rounds a sitting has
 */
export const measureThroughput = async (folder, { sittings, rounds, seconds }) => {
  /** @type {Record<string, import('./figures.js').Figure[]>} */
  const tables = {};
  for (let sitting = 0; sitting < sittings; sitting += 1)
    for (const [title, figures] of Object.entries(await sit(folder, rounds, seconds)))
      tables[title] = figures.map((figure, index) => join(tables[title]?.[index], figure));
  for (const [title, figures] of Object.entries(tables)) printFigures(title, figures);
  return Object.values(tables).flat();
};

/**
 * @param {import('./figures.js').Figure | undefined} before
 * @param {import('./figures.js').Figure} after
 * @returns {import('./figures.js').Figure}
 */
const join = (before, after) => ({
  ...after,
  rounds: [...(before?.rounds ?? []), ...after.rounds],
  busy: [...(before?.busy ?? []), ...(after.busy ?? [])],
});

/**
 * @param {string} folder
 * @param {number} rounds
 * @param {number} seconds
 * @returns {Promise<Record<string, import('./figures.js').Figure[]>>} by the title of their table
 */
const sit = async (folder, rounds, seconds) => {
  const { data, deepAsk, find } = await serveAll(folder);
  for (const name of ['ours-for-the-rest', 'ours-through-msw']) await checkKeys(find(name).url);
  const tables = toTargets(data, deepAsk);
  /** @type {{ target: import('./targets.js').Target, server: { url: string, pid: number }, figure: import('./figures.js').Figure & { busy: number[] } }[]} */
  const loads = [];
  for (const target of Object.values(tables).flat()) {
    const server = find(target.contender);
    const bytes = await checkAnswers(target, server.url);
    const figure = { name: target.name, unit: 'answers/s', bytes, rounds: none(), busy: none() };
    loads.push({ target, server, figure });
  }

  // The first round is for the compiler to warm up. Every other goes backwards, so that none always follows the same one.
  for (let round = -1; round < rounds; round += 1) {
    for (const { target, server, figure } of round % 2 === 0 ? loads : loads.toReversed()) {
      const before = readCpuTime(server.pid);
      const load = await measureLoad(server.url, target.asks, round < 0 ? Math.max(seconds, 0.6) : seconds);
      if (round < 0) continue;
      figure.rounds.push(load.perSecond);
      figure.busy.push((readCpuTime(server.pid) - before) / load.seconds);
    }
  }
  stopAll();

  return Object.fromEntries(
    Object.entries(tables).map(([title, targets]) => [
      title,
      loads.filter(({ target }) => targets.includes(target)).map(({ figure }) => figure),
    ]),
  );
};
