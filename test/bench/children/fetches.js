// fetches.js WAY FOLDER COUNT: fetches the page that often in process, and prints the median of the times, in µs.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { benchScenario } from '../contenders.js';
import { pageAsk, readData } from '../data.js';
import { median } from '../figures.js';

const [, , way, folder = '', count] = process.argv;
const { page } = readData(folder);

const listenByOurs = async () => {
  /** @type {typeof import('../../../src/node.ts')} */
  const { setupGateway } = await import(pathToFileURL(join(folder, 'node.js')).href);
  setupGateway({
    baseUrl: 'http://gateway.test/v1',
    scenario: benchScenario(1000),
    apiKeys: ['bench'],
    virtualKeys: ['bench'],
  }).listen();
};

const listenByOneLine = async () => {
  const { http, HttpResponse } = await import('msw');
  const { setupServer } = await import('msw/node');
  const bytes = new TextEncoder().encode(page);
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  setupServer(http.get('*/v1/threads/:id/runs', () => new HttpResponse(bytes, { headers }))).listen();
};

await (way === 'ours' ? listenByOurs : listenByOneLine)();

const { path, headers } = pageAsk;
const fetchPage = async () => (await fetch(`http://gateway.test${path}`, { headers })).text();
if ((await fetchPage()) !== page) throw new Error(`${way} answers other bytes than the server.`);

const times = [];
for (let at = 0; at < Number(count); at += 1) {
  const begin = performance.now();
  await fetchPage();
  times.push((performance.now() - begin) * 1000);
}
// The first third is for the compiler to warm up.
console.log(median(times.slice(Math.floor(times.length / 3))));
process.exit();
