// What is around the panels: finding anything, the first use, and the colours.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { clientHeaders, expectFitForAll, openInspector } from '../support/open-inspector.ts';

const finder = (page: Page) => page.getByRole('combobox', { name: 'Find' });

describe.skipIf(!hasChromium)('the shell of the page', () => {
  test('finds a run by its id, or a part of it, from any panel, by the keyboard alone', async () => {
    const { server, page } = await openInspector({ hash: '#/assumptions' });
    const [run] = await server.records.runs.list({ thread_id: 'thread_demo', limit: 1 });
    await page.keyboard.press('Control+k');
    await page.keyboard.type((run?.id ?? '').slice(0, 12).toUpperCase());
    await page.getByRole('option', { name: run?.id ?? '' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/data/runs/${run?.id}`);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.keyboard.press('/');
    await finder(page).waitFor();
    await page.keyboard.press('Escape');
    await finder(page).waitFor({ state: 'hidden' });
  });

  test('finds a path, a policy, a panel, a session and a command, by the mouse', async () => {
    const { server, page } = await openInspector({ hash: '#/data' });
    await fetch(`${server.baseUrl}/batches?limit=1`, { headers: clientHeaders });
    await fetch(`${server.baseUrl}/batches?limit=2`, {
      headers: { ...clientHeaders, 'x-note': 'batches_are_here' },
    });
    await server.sessions.create('review');
    const find = async (text: string, option: RegExp): Promise<void> => {
      await page.getByRole('button', { name: 'Find Ctrl K' }).click();
      await finder(page).fill(text);
      await page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name: option }).click();
    };
    await find('/v1/bat', /GET \/v1\/batches\?limit=1/);
    await page.waitForURL('**/#/requests/*');
    await find('batches_are_here', /GET \/v1\/batches\?limit=2/); // in a header, and not loaded
    await page.waitForURL('**/#/requests/*');
    const [policy] = await server.records.policies.list({ limit: 1 });
    await find(policy?.id ?? '', /policy/);
    await page.waitForURL(`**/#/data/policies/${policy?.id}`);
    await find('clock', /^panel Clock$/);
    await page.waitForURL('**/#/clock');
    const before = (await server.clock.now()).now;
    await find('next', /Go to the next change/);
    await page.getByText('Done: Clock: Go to the next change').waitFor();
    expect((await server.clock.now()).now).not.toBe(before);
    await find('revi', /^session review$/);
    await page.waitForURL('**/sessions/review/__admin/#/clock');
  });

  test('leads to the documents of both APIs, of a session and also with a token', async () => {
    const server = await openServer({ adminToken: 'open' });
    const prepare = async (page: Page): Promise<void> => {
      await page.goto(`${server.url}/__admin/`);
      await page.evaluate(() => sessionStorage.setItem('gateway-mock-admin-token', 'open'));
    };
    const { page } = await openInspector({ server, session: 'mine', prepare });
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Admin API (OpenAPI)' }).click();
    const saved = join(makeFolder(), 'openapi.json');
    await (await downloading).saveAs(saved);
    const document = JSON.parse(await readFile(saved, 'utf8'));
    expect(document.info.title).toBe('gateway-mock admin API');
    await page.getByRole('link', { name: 'Gateway API (OpenAPI)' }).press('Enter');
    await page.waitForURL(`${server.url}/openapi.json`);
    expect(await page.locator('body').innerText()).toContain('"/batches"');

    const { server: open, page: other } = await openInspector();
    await other.getByRole('link', { name: 'Admin API (OpenAPI)' }).click();
    await other.waitForURL(`${open.url}/__admin/openapi.json`);
  });

  test('is fit for all while something is sought, and says where there is nothing', async () => {
    const { page } = await openInspector({ hash: '#/clock' });
    await page.keyboard.press('Control+k');
    await expectFitForAll(page, 'narrow dark');
    await finder(page).fill('nothing of the kind');
    await page.getByText('Nothing contains this text.').waitFor();
    await page.keyboard.press('Enter');
    expect(await finder(page).isVisible()).toBe(true);
  });

  test('a slash that is typed into a field stays there', async () => {
    const { page } = await openInspector({ hash: '#/assumptions' });
    await page.getByLabel('Filter').focus();
    await page.keyboard.type('a/b');
    expect(await page.getByLabel('Filter').inputValue()).toBe('a/b');
    expect(await finder(page).isVisible()).toBe(false);
  });

  test('an empty page shows the base URL and a first call of each operation, which it sends', async () => {
    const { server, page } = await openInspector();
    await page.getByText('This page shows each request').waitFor();
    await page.getByText(server.baseUrl, { exact: true }).waitFor();
    await expectFitForAll(page, 'wide light');
    for (const operation of [
      'getRateLimitsPolicy',
      'listBatches',
      'listCheckpoints',
      'listRuns',
      'renderPrompt',
    ]) {
      const send = page.getByRole('button', { name: `Send it: ${operation}` });
      if (operation === 'listRuns') await send.press('Enter');
      else await send.click();
      await page.waitForURL('**/#/requests/*');
      const [request] = await server.requests.list();
      expect(request).toMatchObject({ operation, status: 200 });
      await server.requests.clear();
      await page.goto(`${server.url}/__admin/#/requests`);
    }
  });

  test('ids in a reply are links to their records', async () => {
    const { server, page } = await openInspector();
    const reply = await fetch(`${server.baseUrl}/threads/thread_demo/runs?limit=1`, {
      headers: clientHeaders,
    });
    const { data } = (await reply.json()) as { readonly data: readonly { readonly id: string }[] };
    await page.goto(`${server.url}/__admin/#/requests/${reply.headers.get('x-request-id')}`);
    const body = page.getByRole('region', { name: 'Body of the reply' });
    await body.getByRole('link', { name: 'thread_demo' }).waitFor();
    expect(await body.getByText('"thread_id"').count()).toBe(1);
    await body
      .getByRole('link', { name: data[0]?.id ?? '' })
      .first()
      .click();
    await page.waitForURL(`**/#/data/runs/${data[0]?.id}`);
    // The id of a policy is a UUID.
    const [policy] = await server.records.policies.list({ status: 'active', limit: 1 });
    const other = await fetch(`${server.baseUrl}/policies/rate-limits/${policy?.id}`, {
      headers: clientHeaders,
    });
    await page.goto(`${server.url}/__admin/#/requests/${other.headers.get('x-request-id')}`);
    const link = body.getByRole('link', { name: policy?.id ?? '' }).first();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/data/policies/${policy?.id}`);
  });

  test('changes an assumption, and keeps the records', async () => {
    const { server, page } = await openInspector({ hash: '#/assumptions?q=unknown-policy' });
    const [one] = (await server.assumptions.list()).filter(({ choices }) => choices.length > 1);
    const other = one?.choices[1]?.[0] ?? '';
    await server.records.batches.create({ status: 'failed' });
    const count = await server.records.batches.count();
    await page.getByLabel('Filter').fill(one?.id ?? '');
    await page.getByRole('button', { name: `Use ${other} for ${one?.id}`, exact: true }).press('Enter');
    await page.getByText(`${one?.id} is now ${other}`).waitFor();
    await page.getByText('not the default').waitFor();
    const read = async () => (await server.assumptions.list()).find(({ id }) => id === one?.id)?.value;
    expect(await read()).toBe(other);
    expect(await server.records.batches.count()).toBe(count);
    await page.getByRole('button', { name: `Use ${one?.value} for ${one?.id}`, exact: true }).click();
    await expect.poll(read).toBe(one?.value);
    await expectFitForAll(page, 'narrow light');
  });

  test('remembers the colours; by default they are those of the system', async () => {
    const { page } = await openInspector({ isOwnPage: true });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await ground();
    await page.getByLabel('Colours').selectOption('Light');
    await expect.poll(ground).not.toBe(dark);
    await page.reload();
    await page
      .getByRole('contentinfo')
      .getByText(/^\d+\.\d+\.\d+/)
      .waitFor();
    expect(await ground()).not.toBe(dark);
    await page.getByLabel('Colours').selectOption('System');
    await expect.poll(ground).toBe(dark);
  });
});
