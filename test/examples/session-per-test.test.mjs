// A browser test with a session for each test, so that they may run side by side.
// Run it with: npx gateway-mock exec -- node --test session-per-test.test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { connect } from 'gateway-mock/client';
import { chromium } from 'playwright-core';

const url = process.env.GATEWAY_BASE_URL.replace(/\/v1$/, '');
const html = readFileSync(new URL('./frontend.html', import.meta.url), 'utf8');

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});
after(() => browser.close());

/** A page of the app, which a real one gets from its own server, and the gateway that it calls, which no other test sees. */
const open = async (context, name) => {
  const gateway = connect(url, { session: name });
  await gateway.sessions.create(name);
  context.after(async () => {
    assert.deepEqual(await gateway.requests.list({ unmatched: true }), []); // throws if its world was lost meanwhile
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  await page.route(`${url}/app.html?api=**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  return {
    page,
    gateway,
    visit: () => page.goto(`${url}/app.html?api=${url}/sessions/${name}/v1`),
  };
};

test('a failed batch is marked', { concurrency: true }, async (context) => {
  const { page, gateway, visit } = await open(context, 'marked');
  await gateway.records.batches.create({ id: 'batch_mine', status: 'failed' });
  await visit();
  await page.getByRole('row', { name: 'batch_mine failed' }).waitFor();
});

test('an error is told', { concurrency: true }, async (context) => {
  const { page, gateway, visit } = await open(context, 'told');
  await gateway.faults.add('listBatches: 500');
  await visit();
  await page.getByRole('alert').getByText('500').waitFor();
  assert.equal(await gateway.requests.count({ status: 500 }), 1);
});
