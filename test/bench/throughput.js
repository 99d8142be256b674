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
 * Starts a contender in a process of its own.
 *
 * @param {string} name
 * @param {string} folder
 */
export const serve = async (name, folder) => {
  const child = startChild(cores.server, 'serve.js', [name, folder]);
  /** @type {{ url: string, pid: number }} */
  const { url, pid } = JSON.parse(await child.firstLine());
  return { url, pid, leave: child.leave };
};

/**
 * Ours comes first, since the others send what it answers.
 *
 * @param {string} folder
 */
const serveAll = async (folder) => {
  const ours = await serve('ours', folder);
  const data = await gatherData(ours.url, folder);
  const servers = new Map([['ours', ours]]);
  for (const name of Object.keys(contenders))
    if (!servers.has(name)) servers.set(name, await serve(name, folder));
  /** @param {string} name */
  const find = (name) => {
    const server = servers.get(name);
    if (server === undefined) throw new Error(`There is no contender "${name}".`);
    return server;
  };
  return { data, find };
};

/**
 * @param {string} folder
 * @param {{ rounds: number, seconds: number }} plan
 */
export const measureThroughput = async (folder, { rounds, seconds }) => {
  const { data, find } = await serveAll(folder);
  for (const name of ['ours', 'ours-through-msw', 'ours-without-journal']) await checkKeys(find(name).url);
  const tables = toTargets(data, await findDeepAsk(find('ours-of-100000').url));
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

  for (const [title, targets] of Object.entries(tables))
    printFigures(
      title,
      loads.filter(({ target }) => targets.includes(target)).map(({ figure }) => figure),
    );
  return loads.map(({ figure }) => figure);
};
