import { execFile } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { promisify } from 'node:util';
import { getResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { parseRule } from '../../src/faults/rule.ts';
import { toCurl, toFaultLine } from '../../src/inspector/panels/requests-texts.ts';
import type { RecordedRequest } from '../../src/journal/recorded-request.ts';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { hasCommand, hasShell } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { clientHeaders, details, expectFitForAll, openInspector, rowsOf } from '../support/open-inspector.ts';
import { openOther } from '../support/other-server.ts';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';
import { volume } from '../support/settings.ts';

const hasCurl =
  hasShell('the tests of copied curl commands') && hasCommand('curl', 'the tests of copied curl commands');

const hostile = '<img src=x onerror=alert(1)>';

const call = (server: GatewayServer, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.baseUrl}${path}`, {
    ...init,
    headers: { ...clientHeaders, ...(init.headers as Record<string, string> | undefined) }, // never a list here
  });

describe.skipIf(!hasChromium)('the panel of requests', () => {
  test('says where to point an app at, and shows a request as it comes', async () => {
    const { server, page } = await openInspector();
    await page.getByText(server.baseUrl, { exact: true }).waitFor();
    await call(server, '/batches?limit=2');
    const row = rowsOf(page).filter({ hasText: 'GET /v1/batches?limit=2' });
    await row.waitFor();
    expect(await row.getByRole('gridcell').allTextContents()).toEqual([
      '1',
      '200',
      'GET /v1/batches?limit=2',
      'listBatches',
      expect.any(String),
      expect.stringMatching(/^[\d.]+ m?s$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d$/), // by the machine's clock
      '2026-01-15 12:00:00',
    ]);
    await page.getByText('1 request', { exact: true }).waitFor();
    await call(server, '/threads/thread_demo/runs');
    await page.getByText('2 requests', { exact: true }).waitFor();
    expect(await rowsOf(page).first().textContent()).toContain('listRuns');
  });

  test('opens one by keyboard, walks on, and closes it again, all in the URL', async () => {
    const { server, page } = await openInspector();
    for (const limit of [1, 2, 3]) await call(server, `/batches?limit=${limit}`);
    const ids = (await server.requests.list()).map(({ id }) => id);
    await rowsOf(page).nth(2).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await details(page)
      .getByRole('heading', { name: ids[1] ?? '' })
      .waitFor();
    expect(page.url()).toContain(`#/requests/${ids[1]}`);
    expect(await details(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await details(page).getByText('"has_more": true').waitFor(); // the reply's body, made readable
    expect(await details(page).textContent()).not.toContain('key-of-a-test');
    await page.keyboard.press('Escape');
    await details(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await details(page)
      .getByRole('heading', { name: ids[2] ?? '' })
      .waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown'); // what is open follows
    await details(page)
      .getByRole('heading', { name: ids[1] ?? '' })
      .waitFor();
    await rowsOf(page).last().click();
    await details(page)
      .getByRole('heading', { name: ids[0] ?? '' })
      .waitFor();
    await page.reload();
    await details(page)
      .getByRole('heading', { name: ids[0] ?? '' })
      .waitFor();
  });

  test('filters by text, operation, status, faults and misses, in the URL', async () => {
    const { server, page } = await openInspector({
      scenario: { batches: 3, faults: ['listBatches#2: 503'] },
    });
    for (const path of ['/batches?limit=1', '/batches?limit=2', '/batches?limit=0', '/batchs'])
      await call(server, path);
    await rowsOf(page).nth(3).waitFor();
    const expectRows = async (...texts: string[]): Promise<void> =>
      expect.poll(() => rowsOf(page).locator('.target').allTextContents()).toEqual(texts);

    await page.getByLabel('Search').fill('LIMIT=2');
    await expectRows('GET /v1/batches?limit=2');
    await page.getByText('1 of 4 requests').waitFor();
    expect(page.url()).toContain('search=LIMIT');
    await page.getByRole('link', { name: 'Show all' }).click();
    await rowsOf(page).nth(3).waitFor();
    await page.getByLabel('Status').fill('4xx');
    await expectRows('GET /v1/batchs', 'GET /v1/batches?limit=0');
    await page.getByLabel('Operation').selectOption('listBatches');
    await expectRows('GET /v1/batches?limit=0');
    await page.reload();
    await expectRows('GET /v1/batches?limit=0');
    await page.getByRole('link', { name: 'Show all' }).click();
    await rowsOf(page).nth(3).waitFor();
    await page.getByLabel('Faulted').check();
    await expectRows('GET /v1/batches?limit=2');
    await page.getByLabel('Unmatched').check();
    await page.getByText('No matching requests.').waitFor();
    await page.getByLabel('Faulted').uncheck();
    await expectRows('GET /v1/batchs');
  });

  test('searches all of a request on the server, by mouse and by keyboard, and never finds a credential', async () => {
    const { server, page } = await openInspector({
      scenario: { batches: 3, faults: ['listBatches#2: 429 message="Slow down"'] },
    });
    await sendMany(server, 240, 'old'); // more than the page loads at first
    await call(server, '/prompts/prompt_x/render', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"variables":{"topic":"zebra"}}',
    });
    const rows = () => rowsOf(page).locator('.target').allTextContents();
    await page.getByText('241 requests', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('429');
    await expect.poll(rows).toEqual(['GET /v1/batches?limit=1&old=1']);
    await page.getByText('1 of 241 requests').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('slow DOWN'); // the search is selected, so that it is replaced
    await expect.poll(rows).toEqual(['GET /v1/batches?limit=1&old=1']);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('zebra');
    await expect.poll(rows).toEqual(['POST /v1/prompts/prompt_x/render']);
    await page.getByLabel('Search').fill('key-of-a-test');
    await page.getByText('No matching requests.').waitFor();
    await page.getByRole('link', { name: 'Show all' }).first().click();
    await page.getByLabel('Status').fill('42'); // not yet a status
    await page.getByText('241 requests', { exact: true }).waitFor();
    expect(await page.getByLabel('Status').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Status').fill('429');
    await expect.poll(rows).toEqual(['GET /v1/batches?limit=1&old=1']);
    expect(page.url()).toContain('status=429');
    await page.getByLabel('Status').fill('2xx');
    await page.getByText('239 of 241 requests').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End'); // further ones are loaded
    await rowsOf(page).getByText('old=0').waitFor();
    await call(server, '/batches?limit=3');
    await page.getByText('240 of 242 requests').waitFor();
    await page.reload();
    await page.getByText('240 of 242 requests').waitFor();
    await expectFitForAll(page, 'wide light');
  });

  test("shows the world's time where it moved, and sorts by column, by mouse and by keyboard", async () => {
    const { server, page } = await openInspector();
    await call(server, '/batches?limit=3');
    await call(server, '/batches?limit=0');
    await server.clock.advance('10m');
    await call(server, '/threads/thread_demo/runs?limit=1');
    await rowsOf(page).nth(2).waitFor();
    const column = (name: string) => rowsOf(page).locator(`.${name}`).allTextContents();
    expect(await column('world')).toEqual(['2026-01-15 12:10:00', '', '2026-01-15 12:00:00']);
    expect(await column('number')).toEqual(['3', '2', '1']);
    await page.getByRole('button', { name: 'Request', exact: true }).click();
    await expect.poll(() => column('number')).toEqual(['2', '1', '3']);
    expect(page.url()).toContain('sort=target');
    await page.getByRole('button', { name: 'Status' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => column('number')).toEqual(['2', '3', '1']);
    const head = page.getByRole('columnheader', { name: 'Status' });
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await page.getByLabel('Search').fill('limit');
    await expect.poll(() => column('number')).toEqual(['2', '3', '1']);
    await page.reload();
    await expect.poll(() => column('number')).toEqual(['2', '3', '1']);
    await page.getByRole('button', { name: 'Status' }).click();
    await expect.poll(() => column('number')).toEqual(['3', '2', '1']);
    await expectFitForAll(page, 'wide light');
  });

  test('folds the JSON of a body, by mouse and by keyboard', async () => {
    const { server, page } = await openInspector({ scenario: { batches: 3 } });
    await call(server, '/batches?limit=2');
    await rowsOf(page).first().click();
    const body = page.getByRole('region', { name: 'Body of the reply' });
    await body.getByText('"completion_window"').first().waitFor();
    await body.getByText('"data": [').click();
    expect(await body.getByText('"completion_window"').first().isVisible()).toBe(false);
    expect(await body.getByText('"has_more": true').isVisible()).toBe(true);
    await body.getByText('"data": [').focus();
    await page.keyboard.press('Enter');
    await body.getByText('"completion_window"').first().waitFor();
    await body.evaluate((node) => getSelection()?.selectAllChildren(node));
    await expectFitForAll(page, 'narrow light');
  });

  test('pauses, and clears', async () => {
    const { server, page } = await openInspector();
    await call(server, '/batches');
    await rowsOf(page).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await call(server, '/batches');
    await page.getByText('1 request · paused, 1 more since').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('2 requests', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('This page shows each request').waitFor();
    expect(await server.requests.count()).toBe(0);
  });

  test('begins anew with the world, and misses nothing while its list is slow to come', async () => {
    const { server, page } = await openInspector({ session: 'mine' });
    const ask = (limit: number) =>
      fetch(`${server.url}/sessions/mine/v1/batches?limit=${limit}`, { headers: clientHeaders });
    await ask(1);
    await rowsOf(page).first().click();
    await details(page).getByText('GET /v1/batches?limit=1').waitFor();
    const id = await details(page).getByRole('heading', { level: 2 }).textContent();
    const answers: (() => void)[] = [];
    await page.route('**/requests/list', async (route) => {
      const response = await route.fetch();
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.fulfill({ response });
    });
    // The first request of the new journal has the id of the old one.
    await server.session('mine').reset();
    await details(page).getByText('This request is no longer kept').waitFor();
    await ask(2);
    await details(page).getByText('GET /v1/batches?limit=2').waitFor();
    expect(await details(page).getByRole('heading', { level: 2 }).textContent()).toBe(id);

    await server.sessions.create('mine');
    await expect.poll(() => answers.length).toBe(1);
    await ask(3);
    await ask(4);
    await page.waitForTimeout(600); // they are shown four times a second
    for (const answer of answers) answer();
    await page.getByText('2 requests', { exact: true }).waitFor();
    await details(page).getByText('GET /v1/batches?limit=3').waitFor();
  });

  test('shows the request of a shared link where the window is narrow, and its marks whole', async () => {
    const { server, page } = await openInspector({
      width: 375,
      scenario: { batches: 3, faults: ['listBatches#2: 503'] },
    });
    for (const path of ['/batches', '/batches?limit=0', '/batchs', '/threads/nobody/runs'])
      await call(server, path);
    await rowsOf(page).nth(3).waitFor();
    const cut = () =>
      rowsOf(page)
        .locator('.marks')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerHTML),
        );
    expect(await cut()).toEqual([]);
    expect(await rowsOf(page).first().locator('.when').innerText()).toMatch(/^\d\d:\d\d:\d\d$/);
    const other = await page.context().newPage();
    await other.setViewportSize({ width: 375, height: 700 });
    await other.goto(`${server.url}/__admin/#/requests/${(await server.requests.list())[1]?.id}`);
    const top = () => details(other).evaluate((node) => node.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(20);
    await page.waitForTimeout(500);
    expect(await top()).toBeGreaterThanOrEqual(0);
  });

  test('says that the journal is off, asks for nothing of it, and the other panels go on', async () => {
    const failed: string[] = [];
    const { server, page } = await openInspector({
      journal: 0,
      scenario: { faults: ['listBatches: 503'] },
      hash: '#/requests/req_1',
      prepare: async (page) =>
        page.on('response', (response) => {
          if (!response.ok()) failed.push(response.url());
        }),
    });
    await page.getByText('The journal is off').waitFor();
    await expectFitForAll(page, 'wide light');
    await page.getByRole('link', { name: 'Faults' }).click();
    const row = page.getByRole('row', { name: 'listBatches: 503' });
    await row.waitFor();
    await call(server, '/batches');
    await expect.poll(() => row.getByRole('cell').allTextContents()).toMatchObject({ 0: '1', 1: '1' });
    expect(failed).toEqual([]);
  });

  test('stays small and quick with thousands of requests, and keeps its place while more come', async () => {
    const journal = volume(5000, 700);
    const old = journal - 50;
    const server = await openServer({ journal });
    await sendMany(server, old, 'old');
    const sizes: Promise<number>[] = [];
    const { page } = await openInspector({
      server,
      prepare: async (page) =>
        page.on('response', (response) => {
          if (response.url().endsWith('/requests/list'))
            sizes.push(response.json().then((listed: readonly unknown[]) => listed.length));
        }),
    });
    const grid = page.getByRole('grid');
    await page.getByText(`${old.toLocaleString('en')} requests`).waitFor();
    expect(await Promise.all(sizes)).toEqual([200]); // older ones come as they are scrolled to
    page.removeAllListeners('response'); // a page that is left has no bodies any more
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(old + 1));
    expect(await rowsOf(page).count()).toBeLessThan(60);
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(900);

    await grid.focus();
    await page.keyboard.press('End');
    await rowsOf(page).getByText('old=0', { exact: false }).waitFor();
    expect(await rowsOf(page).last().getAttribute('aria-rowindex')).toBe(String(old + 1));
    const active = await grid.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).textContent()).toContain('old=0');
    for (let step = 0; step < 30; step += 1) await page.keyboard.press('ArrowUp');
    const top = () =>
      page.evaluate(() => document.elementFromPoint(600, 500)?.closest('[role=row]')?.textContent);
    const before = await top();
    await sendMany(server, 50, 'new');
    await page.getByText(`${journal.toLocaleString('en')} requests`).waitFor();
    await expect.poll(top).toBe(before); // the rows follow the scrolling by a frame

    const [oldest] = await server.requests.list({}, { bodies: false });
    await page.goto(`${server.url}/__admin/#/requests/${oldest?.id}`);
    await page.reload();
    const selected = page.locator('[aria-selected="true"]');
    await selected.getByText('old=0').waitFor();
    await expect
      .poll(async () => {
        const [row, box] = [await selected.boundingBox(), await grid.boundingBox()];
        return row && box && row.y >= box.y && row.y + row.height <= box.y + box.height;
      })
      .toBe(true);

    const texts = [1, 2, 3, 4, 5, 6].map((step) => `old=${old - 100 * step}`);
    const found = `1 of ${journal.toLocaleString('en')}`;
    const times = await page.evaluate(
      async ({ texts, found }) => {
        const input = document.querySelector<HTMLInputElement>('input[type=search]');
        if (input === null) return [];
        const took: number[] = [];
        for (const text of texts) {
          const start = performance.now();
          input.value = text;
          input.dispatchEvent(new Event('input', { bubbles: true }));
          const isShown = () => document.querySelector('[role=grid]')?.textContent?.includes(text);
          while (!isShown() || !document.body.textContent?.includes(found))
            await new Promise((resolve) => requestAnimationFrame(resolve));
          took.push(performance.now() - start);
        }
        return took;
      },
      { texts, found },
    );
    expect(times[0]).toBeLessThan(10_000); // it reads all of them for the first time
    expect(Math.min(...times)).toBeLessThan(500); // the others may have waited for this machine
  });

  test('says which server a call was passed on to', async () => {
    const { url } = await openOther();
    const { server, page } = await openInspector({ upstream: url });
    await call(server, '/models');
    await page.goto(`${server.url}/__admin/#/requests/${(await server.requests.list())[0]?.id}`);
    const why = details(page).getByRole('list');
    await expect.poll(() => why.textContent()).toContain(`it was passed on to ${url}/v1`);
    const grid = page.getByRole('grid');
    expect(await grid.textContent()).toContain('passed on');
    expect(await grid.textContent()).not.toContain('unmatched');
  });

  test('says why: the faults, the assumptions with their texts, the nearest operation of a miss', async () => {
    const { server, page } = await openInspector({
      scenario: { batches: 3, faults: ['listBatches#2: 503', 'listBatches#3: cursor-loop'] },
    });
    const reasons = () => details(page).getByRole('list').textContent();
    const open = async (path: string): Promise<void> => {
      await call(server, path);
      const id = (await server.requests.list()).at(-1)?.id;
      await page.goto(`${server.url}/__admin/#/requests/${id}`);
      await details(page)
        .getByRole('heading', { name: id ?? '' })
        .waitFor();
      await details(page).getByText('Body of the reply').waitFor();
    };
    await call(server, '/batches');
    await open('/batches');
    expect(await reasons()).toContain('listBatches#2: 503');
    await open('/batches?limit=0');
    expect(await reasons()).toContain(
      'fault without effect listBatches#3: cursor-loop: the call has no cursor.',
    );
    const known = await server.assumptions.list();
    const [id] = (await server.requests.list()).at(-1)?.assumptions ?? [];
    await expect.poll(reasons).toContain(known.find((one) => one.id === id)?.description); // which is asked for by itself
    await open('/batchs');
    expect(await reasons()).toContain('No operation has the path /v1/batchs. The nearest is listBatches');
    expect(await page.getByRole('button', { name: 'Make this a fault' }).count()).toBe(0);
  });

  test('says first by which policy a call was refused, and the quotas name it, too', async () => {
    const { server, page } = await openInspector({
      scenario: scenarioUnder(
        policy(1, { name: 'Two a minute', value: 2, group_by: [{ key: 'api_key' }] }),
        policy(2, { type: 'tokens', unit: 'rpd', value: 10 }),
      ),
    });
    for (let at = 0; at < 3; at += 1) await call(server, '/batches');
    await rowsOf(page).nth(2).waitFor();
    await page.getByLabel('Search').fill('429');
    await page.getByText('1 of 3 requests').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    const first = details(page)
      .getByRole('list', { name: 'Why it got this reply' })
      .locator(':scope > li')
      .first();
    await first.waitFor();
    expect(await first.innerText()).toBe(
      'Refused by the policy Two a minute: 2 of 2 requests used, resets at 12:01:00. Quotas',
    );
    const assumption = details(page).getByRole('link', { name: 'quota-exceeded' });
    expect(await assumption.isVisible()).toBe(false); // folded
    await details(page).getByText('It depends on 3 assumptions').focus();
    await page.keyboard.press('Enter');
    await assumption.waitFor();
    await expectFitForAll(page, 'narrow dark');
    await first.getByRole('link', { name: 'Quotas' }).click();
    await page.getByRole('link', { name: 'Two a minute' }).waitFor();
    await page.getByText('api_key=***1234', { exact: true }).waitFor();
    await page.goBack();
    await first.getByRole('link', { name: 'Two a minute' }).click();
    await page.getByRole('heading', { name: policyId(1) }).waitFor();
    await call(server, '/threads/nobody/runs');
    await server.quotas.lift();
    await call(server, '/threads/nobody/runs');
    await page.goto(`${server.url}/__admin/#/requests/${(await server.requests.list()).at(-1)?.id}`);
    await expect
      .poll(() => first.innerText())
      .toBe("refused No thread found with id 'nobody'. By the assumption unknown-thread");
  });

  test('tells how long a delayed answer took, once it has gone out', async () => {
    const { server, page } = await openInspector({ scenario: { faults: ['*: delay 300ms'] } });
    await call(server, '/batches');
    await rowsOf(page)
      .getByText(/^(?:[3-9]\d\d ms|\d+\.\d\d s)$/) // or more, on a busy machine
      .waitFor();
  });

  test('shows what is known of a request that was left to others', async () => {
    const { server, page } = await openInspector();
    const ask = (url: string) =>
      getResponse([...server.handlers], new Request(url, { headers: clientHeaders }));
    await ask(`https://api.example/v1/models?q=${hostile}`);
    await ask('https://api.example/v1/files');
    await call(server, '/batches');
    await rowsOf(page).nth(2).waitFor();
    await rowsOf(page).filter({ hasText: '/v1/models' }).click();
    await details(page).getByText('it was left to other handlers').waitFor();
    await details(page).getByText('/v1/models?q=').waitFor();
    await details(page).getByText('x-gateway-api-key').waitFor();
    await page.reload();
    await details(page).getByText('/v1/models?q=').waitFor();
  });

  test.skipIf(!hasCurl)('copies a request as a command that a shell runs', async () => {
    const { server, page } = await openInspector();
    await call(server, `/prompts/prompt_welcome/render`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-note': `it's "$HOME" \`id\` \\ ${hostile}` },
      body: JSON.stringify({ variables: { name: `O'Brien $(id) @x \\n "quoted"\nü` } }),
    });
    await rowsOf(page).first().click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain('x-gateway-api-key: any');
    const { stdout } = await runShell(`${command} -s`);
    const [first, second] = await server.requests.list();
    expect(JSON.parse(stdout).success).toBe(true);
    expect(second?.body).toBe(first?.body);
    expect(second?.status).toBe(200);
    expect(second?.headers['x-note']).toBe(first?.headers['x-note']);
  });

  test.skipIf(!hasCurl)('writes the first valid keys of the scenario into the command', async () => {
    const { server, page } = await openInspector({
      scenario: {
        batches: 2,
        keys: {
          valid: ['key-that-has-expired', 'key-of-a-test-1234'],
          expired: ['key-that-has-expired'],
          virtual: ['virtual'],
        },
      },
    });
    await call(server, '/batches');
    await rowsOf(page).first().click();
    await page.getByRole('button', { name: 'Copy as curl' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    const { stdout } = await runShell(`${await page.evaluate(() => navigator.clipboard.readText())} -s`);
    expect(JSON.parse(stdout).object).toBe('list');
    expect((await server.requests.list()).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('copies over plain http from another host, where the browser has no clipboard', async () => {
    const { server, page } = await openInspector({ isOwnPage: true });
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await call(server, '/batches?limit=1');
    await rowsOf(page).first().click();
    const button = page.getByRole('button', { name: 'Copy as curl' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.getByLabel('Search').focus();
    await page.keyboard.press('Control+v');
    expect(await page.getByLabel('Search').inputValue()).toContain('/v1/batches?limit=1');
  });

  test('makes a request a fault for the same call, by mouse and by keyboard', async () => {
    const { server, page } = await openInspector();
    const ask = () => call(server, '/threads/thread_demo/runs?limit=1');
    await call(server, '/threads/thread_other/runs?limit=1');
    await ask();
    await ask();
    await rowsOf(page).nth(2).waitFor();
    await rowsOf(page).first().click();
    await page.getByRole('button', { name: 'Make this a fault' }).click();
    const line = 'listRuns#2 path=/v1/threads/thread_demo/runs: 503';
    await expect.poll(() => page.getByLabel('Add a fault').inputValue()).toBe(line);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: line }).waitFor();
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 503, 200]);
    expect((await call(server, '/batches?limit=1')).status).toBe(200);
  });

  test('makes a refusal by a quota a fault that answers the same', async () => {
    const { server, page } = await openInspector({
      scenario: scenarioUnder(policy(1, { name: 'Two a minute', value: 2 })),
    });
    const ask = async () => {
      const reply = await call(server, '/batches');
      const { headers } = reply;
      const names = ['retry-after', 'x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests'];
      return [reply.status, await reply.json(), ...names.map((name) => headers.get(name))] as const;
    };
    await ask();
    await ask();
    const seen = await ask();
    expect(seen[0]).toBe(429);
    await rowsOf(page).nth(2).waitFor();
    await rowsOf(page).first().click();
    await page.getByRole('button', { name: 'Make this a fault' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Add a fault').inputValue()).toContain('listBatches#3: 429 ');
    await page.getByLabel('Add a fault').press('Enter');
    await page.getByRole('row', { name: 'listBatches#3: 429' }).waitFor();
    await server.quotas.lift();
    const again = [await ask(), await ask(), await ask()];
    expect(again.map(([status]) => status)).toEqual([200, 200, 429]);
    expect(again[2]).toEqual(seen);
  });

  test('shows hostile values as text', async () => {
    const { server, page } = await openInspector();
    await call(
      server,
      `/threads/${encodeURIComponent(hostile)}/runs?${new URLSearchParams({ after: hostile })}`,
      {
        headers: { 'x-note': hostile },
      },
    );
    await call(server, `/prompts/prompt_welcome/render`, { method: 'POST', body: hostile });
    await sendRaw(server, `/v1/${hostile.replaceAll(' ', '%20')}`);
    await rowsOf(page).nth(2).waitFor();
    for (let at = 0; at < 3; at += 1) {
      await rowsOf(page).nth(at).click();
      await details(page).getByText('Headers of the request').waitFor();
      await expect.poll(() => details(page).textContent()).toMatch(/(<|%3C)img(%20| )src=x/);
    }
    expect(await page.locator('img').count()).toBe(0);
  });

  test('is fit for all, filled, and with a request open', async () => {
    const { server, page } = await openInspector({
      scenario: { batches: 3, faults: ['listBatches#2: 503'] },
    });
    for (const path of ['/batches', '/batches', '/batchs', '/threads/nobody/runs']) await call(server, path);
    await rowsOf(page).nth(3).waitFor();
    await expectFitForAll(page, 'narrow light');
    await rowsOf(page).nth(2).click();
    await details(page).getByText('Body of the reply').waitFor();
    await expectFitForAll(page, 'wide dark');
  });
});

const request = (given: Partial<RecordedRequest>): RecordedRequest => ({
  id: 'req_1',
  ordinal: 1,
  time: '2026-01-15T12:00:00Z',
  receivedAt: '2026-11-22T12:00:00Z',
  method: 'GET',
  path: '/v1/batches',
  operation: 'listBatches',
  params: {},
  query: {},
  headers: {},
  body: null,
  status: 200,
  reply: null,
  faults: [],
  idleFaults: [],
  assumptions: [],
  page: null,
  nearest: null,
  upstream: null,
  refusal: null,
  duration: 1,
  ...given,
});

const keys = { apiKey: 'any', virtualKey: 'any' };

describe('a request as a command', () => {
  test.each<[string, Partial<RecordedRequest>, RegExp]>([
    ['keeps a path as it is', { path: '/v1/../x' }, /--path-as-is/],
    ['keeps brackets as they are', { path: '/v1/{a}' }, /--globoff/],
    ['sends a header without a value', { headers: { 'x-empty': '' } }, /-H 'x-empty;'/],
    ['does not wait for the body of a HEAD', { method: 'HEAD' }, /--head/],
    ['names another method', { method: 'DELETE' }, /-X DELETE/],
    ['sends a body that has no type without one', { method: 'POST', body: 'x' }, /-H 'content-type:'/],
    ['repeats a parameter', { query: { a: ['1', '2'] } }, /a=1&a=2/],
  ])('%s', (_, given, expected) => {
    expect(toCurl(request(given), 'http://127.0.0.1:1/v1', keys)).toMatch(expected);
  });

  test.skipIf(!hasCurl)('reaches the server as it was, whatever stands in it', async () => {
    const server = await openServer();
    const headers = { 'x-`id`': '`id` $(id) "', 'x-empty': '' };
    const sent = request({
      method: 'PUT',
      path: "/v1/%7Ba%7D/[1-3]/'%27$HOME",
      query: { 'a&b': ['=', "'", 'ü +'], '': 'x' },
      headers: { ...headers, "x-it's-$HOME-token": '***' },
      body: "@/etc/passwd ' \n $(id) \\",
    });
    const found = await runShell(`${toCurl(sent, server.baseUrl, keys)} -s`, {
      IT_S__HOME_TOKEN: 'secret-secret-secret',
    });
    expect(found.stderr).toBe('');
    const [came] = await server.requests.list();
    expect(came).toMatchObject({
      method: sent.method,
      path: sent.path,
      query: sent.query,
      body: sent.body,
      headers: { ...headers, "x-it's-$home-token": '***cret' },
    });
  });
});

test.each([
  '/v1/threads/thread_demo/runs',
  '/v1/threads/a"b/runs',
  '/v1/threads/x:/runs:',
  '/v1/threads/%20%22{/runs',
  '/v1/threads/=*[{"/runs',
])('the fault made of %s can be read, and is of that path', (path) => {
  const line = toFaultLine(request({ operation: 'listRuns', params: { thread_id: 'x' }, path }), 3) ?? '';
  expect(parseRule(line)).toMatchObject({
    operation: 'listRuns',
    from: 3,
    to: 3,
    path,
    effect: { kind: 'error', text: '503' },
  });
});

test.each([
  ['listBatches#1 times=2: reset', { status: null }, 'reset'],
  ['listBatches: delay 2s', { status: 200 }, 'delay 2s'],
  ['*: 429 retry-after=7 message="Slow: down"', { status: 429 }, '429 retry-after=7 message="Slow: down"'],
  [undefined, { status: 502, reply: { headers: {}, body: '<html>' } }, '502'],
])('the fault made of a call that %s acted on has its effect', (line, given, effect) => {
  const fault = toFaultLine(request({ ...given, faults: line === undefined ? [] : [line] }), 4) ?? '';
  expect(parseRule(fault).line).toBe(parseRule(`listBatches#4: ${effect}`).line);
});

const runShell = (command: string, variables: Record<string, string> = {}) =>
  promisify(execFile)('sh', ['-c', command], {
    env: {
      PATH: process.env.PATH,
      NO_PROXY: '*',
      ...variables,
    },
  });

/** One connection, so that they come in order: `?limit=1&NAME=0`, `1`, … */
const sendMany = async (server: GatewayServer, count: number, name: string): Promise<void> => {
  const { hostname, port } = new URL(server.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let at = 0; at < count; at += 1)
    await new Promise((resolve, reject) => {
      const path = `/v1/batches?limit=1&${name}=${at}`;
      httpRequest({ hostname, port, path, headers: clientHeaders, agent }, (response) =>
        response.resume().on('end', resolve),
      )
        .on('error', reject)
        .end();
    });
  agent.destroy();
};

/** `fetch` would escape the path. */
const sendRaw = (server: GatewayServer, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    httpRequest({ hostname, port, path, headers: clientHeaders }, (response) => {
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
