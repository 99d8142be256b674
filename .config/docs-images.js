// `npm run docs:images`: takes the pictures of the control room in docs/images again, in Chromium. `npm run build` comes first.
// GATEWAY_MOCK_CHROMIUM=FILE chooses another browser than the usual one.
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = new URL('..', import.meta.url);
/** @type {typeof import('../src/server.ts')} */
const { startServer } = await import(new URL('dist/server.js', root).href);

const executablePath = process.env.GATEWAY_MOCK_CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const server = await startServer({ port: 0, scenario: 'in-flight', seed: 7 });
await server.quotas.enforce();
await server.faults.add(
  'listBatches#2: 503 message="Try again later"',
  'listBatches#5: hang-up',
  'listRuns#4: delay 400ms',
);

const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
const get = (/** @type {string} */ path) => fetch(`${server.baseUrl}${path}`, { headers });
const { data } = await (await get('/batches?limit=5')).json();
const refused = await get(`/batches?limit=5&after=${data.at(-1).id}`);
await get(`/batches?limit=5&after=${data[2].id}`); // two records are on both pages
await get('/batches?limit=5&after=batch_unknown');
await get('/batche');
for (let call = 4; call <= 6; call += 1)
  await get('/batches?limit=5')
    .then((reply) => reply.text())
    .catch(() => {}); // one is cut
const [thread] = await server.records.threads.list({ limit: 1 });
let path = `/threads/${thread?.id}/runs?limit=3`;
for (let page = await (await get(path)).json(); page.has_more; page = await (await get(path)).json())
  path = `/threads/${thread?.id}/runs?limit=3&after=${page.last_id}`;
await server.clock.advance('2m');

/** @param {string} name @param {string} view */
const picture = async (name, view) => {
  const colorScheme = name.endsWith('-dark') ? 'dark' : 'light';
  const page = await browser.newPage({
    viewport: { width: 1280, height: 470 },
    reducedMotion: 'reduce',
    colorScheme,
  });
  await page.goto(`${server.url}/__admin/#/${view}`);
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {}); // its event stream stays open
  await page.waitForTimeout(500);
  await page.screenshot({ path: fileURLToPath(new URL(`docs/images/control-room-${name}.png`, root)) });
};
await picture('connect', 'connect');
await picture('requests', `requests/${refused.headers.get('x-request-id')}`);
await picture('faults', 'faults?line=listRuns%20every%3D5%3A%20503');
await picture('walks', 'walks');
const [run] = await server.records.runs.list({ status: 'in_progress', limit: 1 });
await picture('run-dark', `data/runs/${run?.id}`);
await picture('clock', 'clock');
await browser.close();
await server.close();
