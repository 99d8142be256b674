// How long it takes from the start of a process until its first answer, or until it says that it is ready.
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fetchText, keys } from './data.js';
import { cores, start, startChild } from './processes.js';

/** @type {(thread: string) => import('./data.js').Ask} */
const askFor = (thread) => ({ method: 'GET', path: `/v1/threads/${thread}/runs`, headers: keys });

export const starts = {
  bare: 'bare node:http, first answer',
  cli: 'gateway-mock --json, first list',
  large: 'gateway-mock --json --scenario large, first list',
  msw: "import 'msw/node'",
  gateway: 'import gateway-mock/node, createGateway(), first answer',
};

/**
 * @param {string} folder where the bundled project is
 * @param {number} rounds
 * @returns {Promise<import('./figures.js').Figure[]>}
 */
export const measureStarts = async (folder, rounds) => {
  /** @param {string} scenario */
  const startCli = (scenario) =>
    start(cores.server, [
      process.execPath,
      join(folder, 'cli.js'),
      ...['--json', '--port', '0', '--scenario', scenario],
    ]);
  writeFileSync(join(folder, 'bench-first-page.json'), await firstPageOf(startCli('default')));

  /** @type {Record<string, () => Promise<void>>} */
  const ways = {
    [starts.bare]: () => answerFrom(startChild(cores.server, 'bare.js', [folder]), 'thread_demo'),
    [starts.cli]: () => answerFrom(startCli('default'), 'thread_demo'),
    [starts.large]: () => answerFrom(startCli('large'), 'thread_large'),
    [starts.msw]: () => lineOf(startChild(cores.server, 'import-msw.js', [])),
    [starts.gateway]: () => lineOf(startChild(cores.server, 'first-answer.js', [folder])),
  };
  const figures = Object.keys(ways).map((name) => ({
    name,
    unit: 'ms',
    rounds: /** @type {number[]} */ ([]),
  }));
  // The first round is for the files to come into memory.
  for (let round = -1; round < rounds; round += 1) {
    for (const figure of figures) {
      const begin = performance.now();
      await ways[figure.name]?.();
      if (round >= 0) figure.rounds.push(performance.now() - begin);
    }
  }
  return figures;
};

/** @typedef {import('./processes.js').Process} Process */

/** @param {Process} server */
const firstPageOf = async (server) => {
  const { url } = JSON.parse(await server.firstLine());
  const page = await fetchText(url, askFor('thread_demo'));
  server.kill();
  return page;
};

/**
 * @param {Process} server
 * @param {string} thread
 */
const answerFrom = async (server, thread) => {
  const { url } = JSON.parse(await server.firstLine());
  await getOnce(url, askFor(thread));
  server.kill();
};

/** @param {Process} child */
const lineOf = async (child) => {
  await child.firstLine();
  child.kill();
};

/**
 * Over a connection of its own, and with less work on this side than `fetch` has.
 *
 * @param {string} url
 * @param {import('./data.js').Ask} ask
 * @returns {Promise<void>}
 */
const getOnce = (url, { path, headers }) =>
  new Promise((resolve, reject) => {
    const sent = request(url + path, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`Failed to ask ${url}${path}: ${response.statusCode}`));
      response.resume().once('end', resolve);
    });
    sent.once('error', reject).end();
  });
