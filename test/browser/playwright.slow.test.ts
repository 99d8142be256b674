// The snippets of docs/test-runners.md for Playwright, run as printed by its own runner, in the browser of this run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../bench/free-port.js';
import { hasChromium } from '../support/chromium.ts';
import { snippetsOf } from '../support/printed-blocks.ts';
import { runPlaywright } from '../support/run-playwright.ts';
import { buildFolder, makeBuiltFolder, root, writeBuilt } from '../support/write-built.ts';

/** Ours around the printed configuration. */
const config = (endpoint: string): string => `
  import printed from './playwright.config.js';
  export default {
    ...printed,
    reporter: 'json',
    workers: 1,
    timeout: 100_000,
    use: { connectOptions: { wsEndpoint: '${endpoint}' } },
  };`;

const suite = (page: string): string => `
  import { expect } from '@playwright/test';
  import { connect } from 'gateway-mock/client';
  import { test } from './fixtures.js';
  const server = 'http://127.0.0.1:4010';

  for (const status of ['failed', 'completed'])
    test('a page shows the world of its own test: ' + status, async ({ page, gateway }) => {
      await gateway.records.batches.create({ id: 'batch_' + status, status });
      await page.setContent(${JSON.stringify(page)});
      await page.getByRole('row', { name: 'batch_' + status + ' ' + status }).waitFor();
      expect(await page.getByText(/^batch_(failed|completed)$/).count()).toBe(1);
      expect(await gateway.requests.count({ operation: 'listBatches' })).toBe(1);
    });

  test('fails: a call that reached no operation', async ({ page, gateway }) => {
    await page.evaluate((url) => fetch(url), server + '/v1/batchs');
  });

  test('fails: its world is removed', async ({ gateway }) => {
    await connect(server).sessions.create('other');
  });

  test('fails: its world is created again', async ({ gateway }, { testId, retry }) => {
    await connect(server).sessions.create(testId + '-' + retry);
  });`;

describe.skipIf(!hasChromium)('the snippets of Playwright', () => {
  /** What each test failed with, by its title. */
  let failures: Readonly<Record<string, readonly string[]>>;
  beforeAll(async () => {
    const [printed = '', fixtures = ''] = snippetsOf('Playwright');
    const port = await freePort();
    const folder = makeBuiltFolder('gateway-mock-playwright');
    const write = (name: string, text: string): string =>
      writeBuilt(folder, name, text.replaceAll('4010', port));
    const ours = `${JSON.stringify(process.execPath)} ${JSON.stringify(join(buildFolder, 'cli.js'))}`;
    expect(printed).toContain("'npx gateway-mock --port");
    write('playwright.config.js', printed.replace('npx gateway-mock', `${ours} --max-sessions 2`));
    write('fixtures.js', fixtures);
    write('world.spec.js', suite(readFileSync(join(root, 'test/examples/frontend.html'), 'utf8')));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const file = write('ours.config.js', config(inject('browserEndpoint') ?? ''));
    failures = await runPlaywright(folder, file);
  });

  test('give each test a world of its own, in which the page is, too', () => {
    expect(failures).toMatchObject({
      'a page shows the world of its own test: failed': [],
      'a page shows the world of its own test: completed': [],
    });
  });

  test.each([
    ['a call that reached no operation', '/v1/batchs'],
    ['its world is removed', 'was removed: at most'],
    ['its world is created again', 'is lost'],
  ])('fail a test for %s', (what, words) => {
    expect(failures[`fails: ${what}`]).toEqual([expect.stringContaining(words)]);
  });
});
