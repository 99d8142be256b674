// `npm run docs:images`: makes the pictures of the page in docs/images anew, in Chromium. `npm run build` comes first.
// GATEWAY_MOCK_CHROMIUM=FILE names another browser than the usual one.
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { toSmallPng } from './small-png.js';

const root = new URL('..', import.meta.url);
/** @type {typeof import('../src/server.ts')} */
const { startServer } = await import(new URL('dist/server.js', root).href);

const executablePath = process.env.GATEWAY_MOCK_CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const server = await startServer({ port: 0, scenario: 'in-flight', seed: 7 });
await server.quotas.enforce();
await server.faults.add('listBatches#2: 503 message="Try again later"');

const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
const get = (/** @type {string} */ path) => fetch(`${server.baseUrl}${path}`, { headers });
const { data } = await (await get('/batches?limit=5')).json();
const refused = await get(`/batches?limit=5&after=${data.at(-1).id}`);
await get('/batches?limit=5&after=batch_unknown');
await get('/batche');
const [thread] = await server.records.threads.list({ limit: 1 });
await get(`/threads/${thread?.id}/runs?limit=3`);

const blank = await browser.newPage(); // reads the pixels: the page's own policy forbids that

/** @param {string} name @param {string} view */
const picture = async (name, view) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 640 }, reducedMotion: 'reduce' });
  await page.goto(`${server.url}/__admin/#/${view}`);
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {}); // its event stream stays open
  await page.waitForTimeout(500);
  const taken = (await page.screenshot()).toString('base64');
  const pixels = await blank.evaluate(async (text) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const { width, height } = picture;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(picture, 0, 0);
    return { width, height, data: [...(context?.getImageData(0, 0, width, height).data ?? [])] };
  }, taken);
  writeFileSync(new URL(`docs/images/${name}.png`, root), toSmallPng(pixels));
};
await picture('control-room-requests', `requests/${refused.headers.get('x-request-id')}`);
await browser.close();
await server.close();
