// sessions.js FOLDER: how long the first and later calls of sessions take over HTTP, and what ten thousand sessions of
// three calls each leave in memory.
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { keys } from '../data.js';

const folder = process.argv[2] ?? '';
/** @type {typeof import('../../../src/server.ts')} */
const { startServer } = await import(pathToFileURL(join(folder, 'server.js')).href);
const { url } = await startServer({ journal: 0, maxSessions: 10_000 });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * @param {number} session
 * @param {string} path
 * @returns {Promise<void>}
 */
const call = (session, path) =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${url}/sessions/session-${session}/v1${path}`,
      { headers: keys, agent },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path} was answered ${response.statusCode}.`));
        response.resume().once('end', resolve);
      },
    );
    sent.once('error', reject).end();
  });

/** The second call asks for another page than the first, so that neither was answered before. */
const paths = ['/threads/thread_demo/runs', '/threads/thread_demo/runs?limit=21', '/batches'];

/** What is held: the pages of the heap that are half empty, as calls leave them, are not. */
const held = async () => {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await setTimeout(100); // what is finalized goes with the next collection
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

for (const path of paths) await call(0, path);
const before = await held();
/** @type {number[]} */
const first = [];
/** @type {number[]} */
const later = [];
for (let session = 1; session < 10_000; session += 1)
  for (const [index, path] of paths.entries()) {
    const start = performance.now();
    await call(session, path);
    if (index < 2) (index === 0 ? first : later).push((performance.now() - start) * 1000);
  }
process.stdout.write(JSON.stringify({ first, later, memory: (await held()) - before }), () => process.exit());
