// `npm run bench:page`: how long the page at /__admin/ keeps its browser busy at a stretch. What takes longer than a
// twentieth of a second is a long task: while it lasts, the page answers no key and no click.
//   -- --seconds 10   a shorter load
// It takes Debian's Chromium, or the one that GATEWAY_MOCK_CHROMIUM names.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { bundle } from '../../.config/bundle.js';
import { printTable } from './figures.js';
import { freePort } from './free-port.js';
import { cores, listen, stopAll } from './processes.js';

const { values } = parseArgs({ options: { seconds: { type: 'string' } } });
const seconds = Number(values.seconds ?? 60);
const callsPerSecond = 200;

const built = fileURLToPath(new URL('../../node_modules/.cache/gateway-mock-page', import.meta.url));
process.once('exit', stopAll);
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
rmSync(built, { recursive: true, force: true });
await bundle(built);

const browser = await chromium.launch({
  executablePath: process.env.GATEWAY_MOCK_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

/** Opens a view of a new server's page, in a new window. @param {string} scenario @param {string} view */
const open = async (scenario, view) => {
  const port = await freePort();
  const command = ['serve', '--quiet', '--port', port, '--scenario', scenario];
  const { url, kill } = await listen(
    cores.server,
    [process.execPath, join(built, 'cli.js'), ...command],
    port,
  );
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => {
    /** @type {number[]} */
    const tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
    Object.assign(globalThis, { tasks });
  });
  await page.goto(`${url}/__admin/${view}`);
  await page.getByRole('status').getByText('Connected').waitFor();
  const close = () => {
    kill();
    return page.close();
  };
  return { url, page, close };
};

/** The long tasks since the last time. @param {import('playwright-core').Page} page @returns {Promise<number[]>} */
const takeTasks = (page) => page.evaluate('tasks.splice(0)');

/** Calls at a steady pace, whether the replies are slow or not. @param {string} url */
const load = async (url) => {
  const headers = { 'x-gateway-api-key': 'key-of-the-bench', 'x-gateway-virtual-key': 'virtual' };
  const paths = ['/v1/threads/thread_demo/runs?limit=5', '/v1/batches?limit=5', '/v1/nothing'];
  const began = performance.now();
  let sent = 0;
  let replies = 0;
  const open = new Set();
  while (performance.now() - began < seconds * 1000) {
    const due = Math.min(seconds, (performance.now() - began) / 1000) * callsPerSecond;
    for (; sent < due; sent += 1) {
      const call = fetch(url + paths[sent % paths.length], { headers })
        .then((reply) => reply.arrayBuffer())
        .then(() => {
          replies += 1;
        })
        .catch(() => {}) // it is not among the replies
        .finally(() => open.delete(call));
      open.add(call);
    }
    await sleep(10);
  }
  await Promise.all(open);
  return { sent, replies };
};

/** @type {string[][]} */
const rows = [['what', 'longest task', 'asked for', 'long tasks']];

/** @param {string} what @param {readonly number[]} tasks @param {number} limit in milliseconds */
const report = (what, tasks, limit) => {
  rows.push([what, `${Math.round(Math.max(0, ...tasks))} ms`, `${limit} ms`, String(tasks.length)]);
};

for (const [name, view] of [
  ['the list of requests', '#/requests'],
  ['the walks', '#/walks'],
  ['the clock', '#/clock'],
  ['the records', '#/data/runs'],
]) {
  const { url, page, close } = await open('default', String(view));
  await takeTasks(page);
  const { sent, replies } = await load(url);
  report(
    `${callsPerSecond} requests a second, ${replies} of ${sent} answered: ${name}`,
    await takeTasks(page),
    100,
  );
  await close();
}

for (const [name, view] of [
  ['runs', '#/data/runs'],
  ['batches', '#/data/batches'],
  ['the timeline', '#/clock'],
]) {
  const { page, close } = await open('large', String(view));
  await page.waitForTimeout(2000);
  report(`large: opening ${name}`, await takeTasks(page), 150);
  await page.mouse.move(640, 500);
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, turn % 20 === 19 ? -100_000 : 3000);
    await page.waitForTimeout(50);
  }
  report(`large: scrolling ${name}`, await takeTasks(page), 100);
  await close();
}
await browser.close();
printTable(rows);
stopAll();
