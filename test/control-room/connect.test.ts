// How an app is connected, calls from the page, and the bar that says what is not normal.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  details,
  expectFitForAll,
  openControlRoom,
  rowsOf,
} from '../support/open-control-room.ts';
import { ownCalls } from '../support/own-calls.ts';

const call = (server: GatewayServer, path: string, headers: Record<string, string> = clientHeaders) =>
  fetch(`${server.baseUrl}${path}`, { headers });

const calls = (page: Page) => page.getByRole('status', { name: 'Calls' });
const drawer = (page: Page) => page.getByRole('dialog', { name: /^Try it/ });

describe.skipIf(!hasChromium)('the panel Connect', () => {
  test('is where one lands until the first call of somebody else, and says what was called and what was refused', async () => {
    const { server, page } = await openControlRoom({ hash: '', calls: ownCalls });
    await page.waitForURL('**/#/connect');
    await page.getByText(server.baseUrl, { exact: true }).waitFor();
    await calls(page).getByText('Waiting for the first call …').waitFor();
    await page.getByRole('button', { name: 'Try findBatch' }).waitFor(); // a call of the user's own
    await expectFitForAll(page);
    for (const title of await page.getByRole('tab').allTextContents()) {
      await page.getByRole('tab', { name: title, exact: true }).click();
      const code = await page.getByRole('tabpanel', { name: title }).locator('pre').innerText();
      expect(code.split('\n').length, title).toBeLessThanOrEqual(12);
    }
    await call(server, '/batches?limit=1');
    await calls(page).getByText('GET /v1/batches?limit=1').waitFor();
    await calls(page)
      .getByText(/^(?:\d min )?\d\d? s ago$|^\d min ago$/)
      .waitFor();
    const { 'x-gateway-virtual-key': _, ...withoutVirtualKey } = clientHeaders;
    await call(server, '/batches', withoutVirtualKey);
    await calls(page).getByText('1 call was not let in').waitFor();
    await calls(page).getByText('without the header x-gateway-virtual-key').waitFor();
    await page.goto('about:blank');
    await page.goto(`${server.url}/__admin/`);
    await page.waitForURL('**/#/requests');
  });
});

describe.skipIf(!hasChromium)('Try it', () => {
  test('sends a call with the ids of the session, shows why it got its reply, goes to the next page, and is no first call', async () => {
    const { server, page } = await openControlRoom({ hash: '#/connect', scenario: 'in-flight' });
    await page.keyboard.press('t');
    await drawer(page).getByLabel('limit').fill('3');
    await page.keyboard.press('Control+Enter');
    const reply = drawer(page).getByRole('region', { name: 'Reply', exact: true });
    await reply.getByText('3 records').waitFor();
    const last = (await server.requests.list())[0]?.page?.ids.at(-1);
    await reply.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(async () => (await server.requests.list())[1]?.query.after).toBe(last);
    await expect.poll(() => drawer(page).getByLabel('after').inputValue()).toBe(last);
    await calls(page).getByText('Waiting for the first call …').waitFor();

    await page.getByRole('tab', { name: 'fetch' }).click(); // the page stays in use
    await drawer(page).getByLabel('Operation').selectOption('listRuns');
    await reply.waitFor({ state: 'detached' });
    await drawer(page).getByLabel('thread_id').fill('no/body');
    await drawer(page).getByRole('button', { name: 'Send' }).click();
    await reply.getByRole('link', { name: 'unknown-thread' }).waitFor();
    await expectFitForAll(page);
    await drawer(page).getByRole('button', { name: 'As curl' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/threads\/no%2Fbody\/runs/);
  });

  test('has a field for each variable of a prompt, and starts from a request', async () => {
    const { server, page } = await openControlRoom();
    await fetch(`${server.baseUrl}/prompts/prompt_welcome/render`, {
      method: 'POST',
      headers: { ...clientHeaders, 'content-type': 'application/json' },
      body: '{"variables":{"name":"Ada"}}',
    });
    await rowsOf(page).first().click();
    await details(page).getByRole('button', { name: 'Edit and resend' }).click();
    await page.getByRole('dialog', { name: 'Try it from request 1' }).waitFor();
    expect(await drawer(page).getByLabel('name', { exact: true }).inputValue()).toBe('Ada');
    expect(await drawer(page).evaluate((node) => node.contains(document.activeElement))).toBe(true); // Ctrl+Enter sends
    await drawer(page).getByLabel('product').fill('Lumen');
    await drawer(page).getByRole('button', { name: 'Send' }).press('Enter');
    await drawer(page)
      .getByText(/new users of Lumen/)
      .waitFor();
    expect((await server.requests.list()).at(-1)?.body).toContain('"product": "Lumen"');

    await drawer(page).getByRole('button', { name: 'Close' }).click();
    await page.goto(`${server.url}/__admin/#/data/prompts/prompt_support`);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('dialog', { name: 'Try it from prompt_support' }).waitFor();
    await drawer(page).getByLabel('company', { exact: true }).fill('<img src=x>');
    await page.keyboard.press('Control+Enter');
    await drawer(page)
      .getByText(/support of <img src=x>/)
      .waitFor();
  });
});

test.skipIf(!hasChromium)('a bar says what is not normal, and takes it back in one change', async () => {
  const { server, page } = await openControlRoom({ hash: '#/clock' });
  const bar = page.getByRole('region', { name: 'What is not normal' });
  const texts = () => bar.getByRole('link').allTextContents();
  expect(await bar.count()).toBe(0);
  await server.faults.add('listRuns: 503', 'listBatches: delay 1s', '*: 500');
  await server.faults.update('fault_3', { off: true });
  await server.quotas.enforce();
  await server.assumptions.set('unknown-thread', 'empty-list');
  await server.clock.run(60);
  await expect
    .poll(texts)
    .toEqual(['2 faults on', 'limits enforced', '1 assumption switched', 'clock runs 60×']);
  await expectFitForAll(page);
  await bar.getByRole('button', { name: 'Back to normal' }).click();
  await bar.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await expect.poll(texts).toHaveLength(4);
});
