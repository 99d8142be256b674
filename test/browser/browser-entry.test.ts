// A page whose app calls the gateway, answered within the page: MSW's worker in a real browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectToChromium, hasChromium } from '../support/chromium.ts';
import { withInstalledMsw, workerFile } from '../support/installed-msw.ts';
import { listenTo } from '../support/listen.ts';
import { buildFolder, root } from '../support/write-built.ts';

const plain = `
  import { setupGateway } from 'gateway-mock/browser';
  const gateway = setupGateway();
  await gateway.start({ quiet: true, onUnhandledRequest: 'bypass' });
`;
const docsPage = readFileSync(join(root, 'docs/connect.md'), 'utf8');
const [, printed = ''] = /```js browser\n(.*?)```/s.exec(docsPage) ?? [];

/** What a bundler makes of an app that starts the gateway and calls it. */
const buildApp = async (start: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: start + calls, resolveDir: root },
    alias: { 'gateway-mock/browser': join(buildFolder, 'browser.js') },
    define: { 'import.meta.env.DEV': 'true' }, // as Vite's dev server has it
    plugins: [withInstalledMsw],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

const calls = `
  import OpenAI from 'openai';
  const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
  const call = async (path) => {
    const reply = await fetch('https://api.gateway.test/v1' + path, { headers });
    return { status: reply.status, mark: reply.headers.get('x-mock-fault'), body: await reply.json() };
  };
  const client = new OpenAI({
    baseURL: 'https://api.gateway.test/v1',
    apiKey: 'unused',
    maxRetries: 2,
    defaultHeaders: headers,
    dangerouslyAllowBrowser: true,
  });
  const listWithRetries = async () => {
    const seen = [];
    for await (const { id } of client.batches.list({ limit: 50 })) seen.push(id);
    return seen.length;
  };
  const drop = async () => {
    const reply = await fetch('https://api.gateway.test/v1/batches', { headers });
    await reply.body.cancel();
    return reply.status;
  };
  Object.assign(window, { gateway, call, listWithRetries, drop });
`;

/** What the app puts on its window. */
type AppWindow = typeof globalThis & {
  readonly listWithRetries: () => Promise<number>;
  readonly drop: () => Promise<number>;
  readonly gateway: ReturnType<typeof import('../../src/browser.ts').setupGateway>;
  readonly call: (path: string) => Promise<{
    readonly status: number;
    readonly mark: string | null;
    readonly body: { readonly data: readonly { readonly id: string; readonly status: string }[] };
  }>;
};

describe.skipIf(!hasChromium)('a page that is answered within itself', () => {
  let site: Awaited<ReturnType<typeof listenTo>>;
  let browser: Browser;
  let context: BrowserContext;
  const worker = readFileSync(workerFile, 'utf8');

  beforeAll(async () => {
    const [app, asPrinted] = [await buildApp(plain), await buildApp(printed)];
    const pageOf = (script: string) =>
      `<!doctype html><title>app</title><script type="module" src="${script}"></script>`;
    const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
      '/': ['text/html', pageOf('/app.js')],
      '/app.js': ['text/javascript', app],
      '/printed': ['text/html', pageOf('/printed.js')],
      '/printed.js': ['text/javascript', asPrinted],
      '/mockServiceWorker.js': ['text/javascript', worker],
    };
    site = await listenTo(({ url = '' }, response) => {
      const [type, text] = files[url] ?? ['text/plain', ''];
      response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text);
    });
    browser = await connectToChromium();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    context.setDefaultTimeout(100_000);
    return () => context.close();
  });
  afterAll(async () => {
    await site.close();
  });

  const open = async (path = '/'): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(site.url + path);
    await page.waitForFunction(() => 'gateway' in window);
    return page;
  };

  test('serves seeded records, controls faults, clock and records, and keeps a journal', async () => {
    const page = await open();
    const seen = await page.evaluate(async () => {
      const { gateway, call } = window as unknown as AppWindow;
      const seeded = await call('/batches?limit=3');
      await gateway.scenario.load('in-flight');
      await gateway.faults.add('listBatches#1: 503');
      const refused = await call('/batches');
      const before = await call('/threads/thread_queue/runs');
      await gateway.clock.advance('1d');
      const after = await call('/threads/thread_queue/runs');
      const journal = await gateway.requests.list();
      return {
        seeded,
        refused,
        before,
        after,
        journal: journal.map(({ operation, status }) => [operation, status]),
      };
    });
    expect([seen.seeded.status, seen.seeded.body.data.length]).toEqual([200, 3]);
    expect([seen.refused.status, seen.refused.mark]).toEqual([503, 'listBatches#1: 503']);
    const statuses = (page: typeof seen.before) => new Set(page.body.data.map(({ status }) => status));
    expect(statuses(seen.before)).toContain('queued');
    expect(statuses(seen.after)).not.toContain('queued');
    expect(seen.journal).toEqual([
      ['listBatches', 503],
      ['listRuns', 200],
      ['listRuns', 200],
    ]);
  });

  test('lets the openai client try again, and a reply be dropped unread', async () => {
    const page = await open();
    const seen = await page.evaluate(async () => {
      const { gateway, listWithRetries, drop } = window as unknown as AppWindow;
      await gateway.faults.add('listBatches#1: 429 retry-after=0', 'listBatches#3: reset');
      const count = await listWithRetries();
      const statuses = (await gateway.requests.list()).map(({ status }) => status);
      const listed = gateway.listHandlers().map((handler) => Object(Reflect.get(handler, 'info')).header);
      return { count, statuses, dropped: await drop(), listed };
    });
    expect(seen).toMatchObject({ count: 130, statuses: [429, 200, null, 200, 200], dropped: 200 });
    expect(seen.listed).toContain('GET */v1/threads/:thread_id/runs');
  });

  test('runs what the docs say', async () => {
    const page = await open('/printed');
    const [, script = ''] = /page\.evaluate\(\(\) => (gateway\..*?)\)`/.exec(docsPage) ?? [];
    await page.evaluate(script);
    expect(
      await page.evaluate(async () => (await (window as unknown as AppWindow).call('/batches')).status),
    ).toBe(503);
  });

  test('does not disturb another tab, nor is disturbed', async () => {
    const [one, other] = [await open(), await open()];
    await one.evaluate(async () => {
      const { gateway } = window as unknown as AppWindow;
      await gateway.records.batches.create({ id: 'batch_mine', status: 'failed' });
      await gateway.faults.add('*: 500');
    });
    const { status, body } = await other.evaluate(() => (window as unknown as AppWindow).call('/batches'));
    expect(status).toBe(200);
    expect(body.data.map(({ id }) => id)).not.toContain('batch_mine');
    expect(
      await one.evaluate(async () => (await (window as unknown as AppWindow).call('/batches')).status),
    ).toBe(500);
    expect(await one.evaluate(() => (window as unknown as AppWindow).gateway.requests.count())).toBe(1);
    expect(await other.evaluate(() => (window as unknown as AppWindow).gateway.requests.count())).toBe(1);
  });
});
