// `gateway-mock/playwright`: docs/playwright.md as printed, and what fails a test.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { listenTo } from '../support/listen.ts';
import { read } from '../support/printed-blocks.ts';
import { runPlaywright } from '../support/run-playwright.ts';
import { makeBuiltFolder, root, writeBuilt } from '../support/write-built.ts';

const suite = `
  import { expect } from '@playwright/test';
  import { once } from 'node:events';
  import { createServer } from 'node:http';
  import { test } from 'gateway-mock/playwright';

  test('needs no page', async ({ gateway }) => {
    const reply = await fetch(gateway.baseUrl + '/batches', { headers: gateway.headers });
    expect(reply.status).toBe(200);
  });
  test('fails: an expectation that it did not await', async ({ gateway }) => {
    await fetch({ ...gateway }.baseUrl + '/batches', gateway);
    gateway.requests.expect({ operation: 'listBatches' }, { times: 2 });
  });
  test('passes after it', () => {});
  test('is expected to fail: Playwright reports that it passed, not the fixture', async ({ gateway }) => {
    test.fail();
    expect(gateway.baseUrl).toContain('http');
  });
  test('fails: a call that matched no operation, and a fault that was never used', async ({ gateway }) => {
    await fetch(gateway.baseUrl + '/batchs');
    await gateway.faults.add('listRuns#3: reset');
  });

  test('fails: its time-out alone', async ({ gateway }) => {
    await gateway.faults.add('listRuns#3: reset');
    test.setTimeout(1000);
    await new Promise(() => {});
  });

  test.describe('with a base URL of the app', () => {
    test.use({ gatewayOptions: { appBaseUrl: 'https://api.app.test/v1/', unmatched: 'allow' } });

    test('a page gets resets, and replies to unknown paths; other contexts do not reach it', async ({ browser, page, request, gateway }) => {
      await gateway.faults.add('listBatches: reset');
      const ask = (path) =>
        page.evaluate(
          ([url, headers]) => fetch(url, { headers }).then((reply) => reply.status, (error) => error.name),
          ['https://api.app.test/v1' + path, gateway.headers],
        );
      expect([await ask('/batches'), await ask('/nowhere')]).toEqual(['TypeError', 404]);
      const other = await (await browser.newContext()).newPage();
      const asked = other.evaluate(() => fetch('https://api.app.test/v1/batches').catch((error) => error.name));
      expect(await asked).toBe('TypeError');
      await expect(request.get('https://api.app.test/v1/batches')).rejects.toThrow();
      expect(await gateway.requests.count()).toBe(2);
    });

    test('a page gets a redirect as it is', async ({ page, gateway }) => {
      await gateway.faults.add('listBatches: reply 302 header.location=/v1/elsewhere');
      const type = page.evaluate(
        (headers) => fetch('https://api.app.test/v1/batches', { headers, redirect: 'manual' }).then((reply) => reply.type),
        gateway.headers,
      );
      expect(await type).toBe('opaqueredirect');
    });
  });

  test.describe('with an app that calls another server', () => {
    const ask = (page) =>
      page.evaluate((headers) => fetch('/v1/batches', { headers }).then((reply) => reply.status), { 'x-gateway-api-key': 'k' });
    test('fails: calls that another server answered', async ({ page }) => {
      await page.goto('SITE/empty');
      expect(await ask(page)).toBe(200);
    });
    test('passes with a server of its own process', async ({ page }) => {
      const server = createServer((_, reply) => reply.end('{}')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      await page.goto(\`http://127.0.0.1:\${server.address().port}/\`);
      expect(await ask(page)).toBe(200);
      server.closeAllConnections();
      server.close();
    });
    test.describe('which is allowed', () => {
      test.use({ gatewayOptions: { allowOtherGateways: true } });
      test('passes with calls of another server', async ({ page }) => {
        await page.goto('SITE/empty');
        expect(await ask(page)).toBe(200);
      });
    });
    test.describe('which is allowed by its origin', () => {
      test.use({ gatewayOptions: { allowOtherGateways: ['SITE'] } });
      test('passes with calls of an allowed server', async ({ page }) => {
        await page.goto('SITE/empty');
        expect(await ask(page)).toBe(200);
      });
    });
    test('passes with an API key for its own backend, and a path without one', async ({ page }) => {
      await page.goto('SITE/empty');
      await page.evaluate(() => Promise.all([fetch('/v1/batches'), fetch('/api', { headers: { 'x-gateway-api-key': 'k' } })]));
    });
    test.describe('or behind a proxy of its own', () => {
      test.use({ gatewayOptions: { appBaseUrl: 'SITE/v1' } });
      test('passes with the right base URL', async ({ page, gateway }) => {
        await page.goto('SITE/empty');
        expect(await ask(page)).toBe(400); // no virtual key
        expect(await gateway.requests.count()).toBe(1);
      });
    });
  });

  test.describe('with a page that shows samples of its own', () => {
    test.use({ gatewayOptions: { appBaseUrl: 'http://127.0.0.1:1/v1' } });
    const show = (page) => page.setContent('<p>batch_mine</p>');
    test('fails: a page that does not call its gateway', async ({ page, gateway }) => {
      await gateway.records.batches.create({ id: 'batch_mine' });
      await show(page);
      await page.getByText('batch_mine').waitFor();
    });
    test('fails: a page of another context that does not call its gateway', async ({ browser, gateway }) => {
      await gateway.records.batches.create({ id: 'batch_mine' });
      await show(await (await browser.newContext()).newPage());
    });
    test('passes with a page that is to call nothing', async ({ page, gateway }) => {
      await show(page);
      expect(await gateway.requests.count()).toBe(0);
    });
    test('passes with a page, and no gateway', async ({ page }) => {
      await show(page);
    });
  });

  test.describe('with the base URL of another app', () => {
    test.use({ gatewayOptions: { appBaseUrl: 'http://127.0.0.1:1/v1' } });
    const ask = (page) => page.evaluate((headers) => fetch('http://127.0.0.1:2/v1/batches', { headers }).catch(() => 'failed'), { 'x-gateway-api-key': 'k' });
    test('fails: a call to a port where no server listens', async ({ page }) => {
      expect(await ask(page)).toBe('failed');
    });
    test('passes with a call that the test itself broke', async ({ page }) => {
      await page.route('**/batches', (route) => route.abort());
      expect(await ask(page)).toBe('failed');
    });
  });

  test.describe('with a misspelt option', () => {
    test.use({ gatewayOptions: { appBaseURL: 'http://127.0.0.1:4010/v1' } });
    test('fails: a misspelt option', async ({ page, gateway }) => {});
  });

  test.describe('with a wrong base URL', () => {
    test.use({ gatewayOptions: { appBaseUrl: 'localhost:4010' } });
    test('fails: its option', async ({ page }) => {});
  });`;

describe.skipIf(!hasChromium)('the fixture for Playwright', () => {
  /** What each test failed with, by its title. */
  let failures: Readonly<Record<string, readonly string[]>>;
  beforeAll(async () => {
    const frontend = readFileSync(join(root, 'test/examples/frontend.html'), 'utf8');
    const site = await listenTo(({ url }, response) => {
      const html = url === '/' ? frontend : '<p>calls nothing by itself</p>';
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const [, printed = ''] = /```js\n(.*?)```/s.exec(read('docs/playwright.md')) ?? [];
    expect(printed).toContain('http://localhost:5173');
    const folder = makeBuiltFolder('gateway-mock-playwright-entry');
    writeBuilt(folder, 'printed.spec.js', printed.replace('http://localhost:5173', site.url));
    writeBuilt(folder, 'world.spec.js', suite.replaceAll('SITE', site.url));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const use = { connectOptions: { wsEndpoint: inject('browserEndpoint') } };
    const config = { reporter: 'json', workers: 1, timeout: 200_000, expect: { timeout: 100_000 }, use };
    const file = writeBuilt(folder, 'ours.config.js', `export default ${JSON.stringify(config)};`);
    failures = await runPlaywright(folder, file);
    return () => site.close();
  });

  test('gives each test a gateway of its own, which also answers its pages', () => {
    expect(failures).toMatchObject({
      'a failed batch is shown': [],
      'needs no page': [],
      'passes after it': [],
      'a page gets resets, and replies to unknown paths; other contexts do not reach it': [],
      'a page gets a redirect as it is': [],
      'passes with calls of another server': [],
      'passes with calls of an allowed server': [],
      'passes with a server of its own process': [],
      'is expected to fail: Playwright reports that it passed, not the fixture': [],
      'passes with an API key for its own backend, and a path without one': [],
      'passes with the right base URL': [],
      'passes with a call that the test itself broke': [],
      'passes with a page that is to call nothing': [],
      'passes with a page, and no gateway': [],
    });
  });

  test.each([
    [
      'a call that matched no operation, and a fault that was never used',
      ["test.use({ gatewayOptions: { unmatched: 'allow' } })", 'listRuns#3: reset (no call matched)'],
    ],
    [
      'calls that another server answered',
      [
        'A call of this test did not go to the test',
        '/v1/batches: 200',
        'Set appBaseUrl to the base URL that your app',
      ],
    ],
    [
      'a call to a port where no server listens',
      [
        '2/v1/batches: net::ERR_',
        'whose base URL is http://127.0.0.1:1/v1',
        'Set appBaseUrl to the base URL',
      ],
    ],
    ['a page that does not call its gateway', ['but no request arrived there']],
    ['a page of another context that does not call its gateway', ['but no request arrived there']],
    ['an expectation that it did not await', ['This test did not await requests.expect']],
    ['its time-out alone', ['Test timeout of 1000ms exceeded']],
    ['its option', ['Invalid option "appBaseUrl"']],
    ['a misspelt option', ['Unknown option "appBaseURL". Did you mean "appBaseUrl"?']],
  ])('fails a test for %s', (what, words) => {
    const [failure, ...others] = failures[`fails: ${what}`] ?? [];
    for (const word of words) expect(failure).toContain(word);
    expect(others).toEqual([]);
  });
});
