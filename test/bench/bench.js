// `npm run bench`: one page of 20 runs over HTTP, by each way of serving it, in interleaved rounds. The figures of one
// run compare with each other; machines are too noisy for anything else.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { bundle } from '../../.config/bundle.js';
import { benchWorlds } from './worlds.js';

const built = new URL('../../node_modules/.cache/gateway-mock-bench/', import.meta.url);
await bundle(fileURLToPath(built));
/** @type {typeof import('../../src/server.ts')} */
const { startServer } = await import(new URL('server.js', built).href);
/** @type {typeof import('../../src/index.ts')} */
const { createGateway } = await import(new URL('index.js', built).href);

const path = '/threads/thread_bench/runs';
const headers = { 'x-gateway-api-key': 'bench', 'x-gateway-virtual-key': 'bench' };
const scenario = { threads: { thread_bench: { runs: 1000 } } };
const rounds = process.argv.includes('--quick') ? 3 : 7;

const direct = await startServer({ scenario });
const throughMsw = await startServer({ scenario, direct: false });
const page = await (await fetch(direct.baseUrl + path, { headers })).text();

/** @param {import('node:http').RequestListener} listener */
const listen = async (listener) => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return { url: `http://127.0.0.1:${address.port}/v1`, close: () => server.close() };
};

const ready = Buffer.from(page);
const bare = await listen((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': ready.length }).end(ready);
});
const runs = JSON.parse(page);
const stringified = await listen((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(runs));
});

const contenders = [
  { name: 'bare node:http, ready bytes', url: bare.url },
  { name: 'bare node:http, JSON.stringify', url: stringified.url },
  { name: 'gateway-mock, the direct way', url: direct.baseUrl },
  { name: 'gateway-mock, through MSW', url: throughMsw.baseUrl },
];

for (const { name, url } of contenders) {
  const body = await (await fetch(url + path, { headers })).text();
  if (body !== page) throw new Error(`${name} answers other bytes than the rest: nothing to compare.`);
}

/** @type {Map<string, number[]>} */
const measured = new Map(contenders.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const { name, url } of contenders) {
    const { requests } = await autocannon({ url: url + path, headers, connections: 16, duration: 2 });
    measured.get(name)?.push(requests.average);
  }
}

/** @param {readonly number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const base = median(measured.get(contenders[0]?.name ?? '') ?? []);
console.log(
  `A page of 20 runs of 1,000 (${ready.length} bytes), ${rounds} interleaved rounds. Load and server share a process.`,
);
for (const [name, values] of measured) {
  const spread = `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
  console.log(
    `${name.padEnd(34)} ${String(Math.round(median(values))).padStart(7)} requests/s  (${spread})  ratio ${(median(values) / base).toFixed(3)}`,
  );
}

bare.close();
stringified.close();
await Promise.all([direct.close(), throughMsw.close()]);

await benchWorlds(createGateway);
