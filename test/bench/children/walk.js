// walk.js FOLDER: serves the scenario `large`, walks all its runs, and prints how much memory that took.
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { keys } from '../data.js';

const folder = process.argv[2] ?? '';
/** @type {typeof import('../../../src/server.ts')} */
const { startServer } = await import(pathToFileURL(join(folder, 'server.js')).href);
const { baseUrl } = await startServer({ scenario: 'large' });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * The bytes alone: what a client makes of them is not to count as the server's.
 *
 * @param {string} query
 * @returns {Promise<Buffer>}
 */
const getPage = (query) =>
  new Promise((resolve, reject) => {
    const url = `${baseUrl}/threads/thread_large/runs?limit=100${query}`;
    const sent = request(url, { headers: keys, agent }, (response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).once('end', () => resolve(Buffer.concat(chunks)));
    });
    sent.once('error', reject).end();
  });

/** What is free goes back to the system within moments. */
const resident = async () => {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await setTimeout(100);
  }
  return process.memoryUsage.rss();
};

await getPage('');
const before = await resident();
let [pages, bytes] = [0, 0];
for (let query = ''; ; ) {
  const page = await getPage(query);
  pages += 1;
  bytes += page.length;
  const end = page.subarray(-200).toString();
  const last = /"last_id":"([^"]+)"/.exec(end)?.[1];
  if (last === undefined) throw new Error(`The page has no last_id: ${end}`);
  if (!end.includes('"has_more":true')) break;
  query = `&after=${last}`;
}
console.log(JSON.stringify({ runs: pages * 100, bytes, before, after: await resident() }));
process.exit();
