// The list of requests: filters, histogram, details.
import { Agent, request as httpRequest } from 'node:http';
import { getResponse } from 'msw';
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
import { openServer } from '../support/open-gateway.ts';
import { openOther } from '../support/other-server.ts';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';
import { volume } from '../support/settings.ts';

const hostile = '<img src=x onerror=alert(1)>';

const call = (server: GatewayServer, path: string, init: RequestInit = {}): Promise<Response | undefined> =>
  fetch(`${server.baseUrl}${path}`, {
    ...init,
    headers: { ...clientHeaders, ...(init.headers as Record<string, string> | undefined) }, // never a list here
  }).catch(() => undefined); // a fault may close the connection

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

const targets = (page: Page) => rowsOf(page).locator('.request-target').allTextContents();
const expectRows = (page: Page, ...texts: string[]): Promise<void> =>
  expect.poll(() => targets(page)).toEqual(texts);
const heading = (page: Page, id = '') => details(page).getByRole('heading', { name: id });
const reasons = (page: Page) => details(page).getByRole('list', { name: 'Why it got this reply' });
const openLast = async (server: GatewayServer, page: Page): Promise<void> => {
  await page.goto(`${server.url}/__admin/#/requests/${(await server.requests.list()).at(-1)?.id}`);
};

describe.skipIf(!hasChromium)('the list of requests', () => {
  test('is first used with a base URL and a call from the page; then it shows what comes', async () => {
    const { server, page } = await openControlRoom();
    await page.getByText(server.baseUrl, { exact: true }).waitFor();
    await expectFitForAll(page);
    await page.getByRole('button', { name: 'Send a first request' }).focus();
    await page.keyboard.press('Enter');
    await details(page).getByText('GET /v1/batches?limit=2').first().waitFor();
    await call(server, '/batches?limit=2');
    await page.getByText('2 requests', { exact: true }).waitFor();
    expect(await rowsOf(page).first().getByRole('gridcell').allTextContents()).toEqual([
      '2',
      '200',
      'GET /v1/batches?limit=2',
      expect.stringMatching(/^[\d.]+ m?s$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d$/), // by the machine's clock
    ]);
  });

  test('opens a request by keys, follows the arrows, keeps its columns, and closes again, all in the link', async () => {
    const { server, page } = await openControlRoom();
    for (const limit of [1, 2, 3]) await call(server, `/batches?limit=${limit}`);
    const ids = (await server.requests.list()).map(({ id }) => id);
    await rowsOf(page).nth(2).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, ids[1]).waitFor();
    expect(page.url()).toContain('#/requests/2');
    const hasFocus = () => details(page).evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    const body = details(page).getByRole('region', { name: 'Body of the reply' });
    await body.getByText('"has_more": true').waitFor();
    expect((await body.boundingBox())?.y).toBeLessThan(600); // it is seen without scrolling
    for (const name of ['No.', 'Status', 'Request', 'Duration', 'Time'])
      expect(await page.getByRole('columnheader', { name }).isVisible()).toBe(true);
    expect(await details(page).textContent()).not.toContain('key-of-a-test');
    await expectFitForAll(page);
    await page.keyboard.press('Escape');
    await details(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await heading(page, ids[2]).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown'); // what is open follows
    await heading(page, ids[1]).waitFor();
    await rowsOf(page).last().click();
    await heading(page, ids[0]).waitFor();
    await page.reload();
    await heading(page, ids[0]).waitFor();
  });

  test('filters by chips with counts, status, operation, text and range, in the link, by mouse and by keys', async () => {
    const { server, page } = await openControlRoom({
      scenario: { batches: 3, faults: ['listBatches#2: 503', 'listBatches#4: 429'] },
    });
    const sent = ['/batches?limit=1', '/batches?limit=2', '/batches?limit=0', '/batches?limit=3', '/batchs'];
    for (const path of sent) {
      await call(server, path);
      if (path === sent[0]) await page.waitForTimeout(500); // many bars of the histogram, however slow the machine is
    }
    const [first = '', failed = '', refused = '', limited = '', unmatched = ''] = sent.map(
      (path) => `GET /v1${path}`,
    );
    await rowsOf(page).nth(4).waitFor();
    const chips = page.getByRole('group', { name: 'Filters' });
    expect(await chips.locator('label').allTextContents()).toEqual([
      'All 5',
      'Errors 4',
      '4xx 3',
      '5xx 1',
      'Limited 1',
      'Faulted 2',
      'Unmatched 1',
    ]);
    await chips.getByText('Errors 4').click();
    await expectRows(page, unmatched, limited, refused, failed);
    await chips.getByText('Limited 1').click();
    await expectRows(page, limited);
    await chips.getByLabel('5xx').focus();
    await page.keyboard.press('Space');
    await expectRows(page, limited, failed);
    expect(page.url()).toContain('status=429%2C5xx');
    await chips.getByLabel('Faulted').focus();
    await page.keyboard.press('Space');
    await chips.getByText('Limited 1').click();
    await expectRows(page, failed);
    await expectFitForAll(page);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await rowsOf(page).nth(4).waitFor();

    const status = page.getByRole('textbox', { name: 'Status' });
    await status.fill('4xx,5xx');
    await expectRows(page, unmatched, limited, refused, failed);
    await status.fill('>=429');
    await expectRows(page, limited, failed);
    await page.reload();
    await expectRows(page, limited, failed);
    await status.fill('4xx,many');
    await page.getByText('“many” is not a status').waitFor();
    await page.getByText('The filter is wrong, so nothing is shown.').waitFor();
    expect(await rowsOf(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Show all' }).click();
    await rowsOf(page).nth(4).waitFor();

    await page.getByLabel('Operation').selectOption('listBatches');
    await page.getByLabel('Search').fill('LIMIT=2');
    await expectRows(page, failed);
    await page.getByText('1 of 5 requests').waitFor();
    await page.getByLabel('Search').fill('key-of-a-test'); // credentials are masked
    await page.getByText('No matching requests.').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();

    const bars = await page.getByRole('img', { name: /^5 requests from/ }).boundingBox();
    const [left, top, width] = [bars?.x ?? 0, (bars?.y ?? 0) + 44, bars?.width ?? 0]; // the slider is below
    await page.mouse.move(left + width - 2, top);
    await page.mouse.down();
    await page.mouse.move(left + width / 60, top);
    await page.mouse.up();
    await expectRows(page, first);
    expect(page.url()).toContain('range=');
    await page.reload();
    await expectRows(page, first);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('slider', { name: 'From' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expectRows(page, unmatched, limited, refused, failed);
    await page.getByText('4 of 5 requests').waitFor();
  });

  test('searches all of a request on the server, from the keys / and Ctrl+F', async () => {
    const { server, page } = await openControlRoom({
      scenario: { batches: 3, faults: ['listBatches#2: 429 message="Slow down"'] },
    });
    await sendMany(server, 240, 'old'); // more than the page loads at first
    await call(server, '/prompts/prompt_x/render', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"variables":{"topic":"zebra"}}',
    });
    await page.getByText('241 requests', { exact: true }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('429');
    await expectRows(page, 'GET /v1/batches?limit=1&old=1');
    await page.getByText('1 of 241 requests').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zebra'); // the search is selected, so that it is replaced
    await expectRows(page, 'POST /v1/prompts/prompt_x/render');
    await call(server, '/batches?zebra=1'); // a later one is found as well
    await expectRows(page, 'GET /v1/batches?zebra=1', 'POST /v1/prompts/prompt_x/render');
    await page.reload();
    await expectRows(page, 'GET /v1/batches?zebra=1', 'POST /v1/prompts/prompt_x/render');
  });

  test("shows where the world's time moved", async () => {
    const { server, page } = await openControlRoom();
    await call(server, '/batches?limit=3');
    await call(server, '/batches?limit=0');
    await server.clock.advance('10m');
    await call(server, '/threads/thread_demo/runs?limit=1');
    await rowsOf(page).nth(2).waitFor();
    expect(await rowsOf(page).getByText('2026-01-15').allTextContents()).toEqual(['2026-01-15 12:10:00']);
  });

  test('pauses, and clears once that is confirmed', async () => {
    const { server, page } = await openControlRoom();
    await call(server, '/batches');
    await rowsOf(page).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await call(server, '/batches');
    await page.getByText('1 request · paused, 1 more since').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 requests', { exact: true }).waitFor();
    const clear = page.getByRole('button', { name: 'Clear', exact: true });
    await clear.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await server.requests.count()).toBe(2);
    await clear.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Clear the requests' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(await server.requests.count()).toBe(0);
  });

  test('does all that from the palette: filter, pause, resend, compare, the views, clear', async () => {
    const { server, page } = await openControlRoom({ scenario: { batches: 3 }, hash: '#/requests' });
    for (const path of ['/batches?limit=1', '/batches?limit=0', '/prompts']) await call(server, path);
    const [first = '', refused = '', unmatched = ''] = ['batches?limit=1', 'batches?limit=0', 'prompts'].map(
      (path) => `GET /v1/${path}`,
    );
    await expectRows(page, unmatched, refused, first);
    const run = async (text: string, name: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run' }).fill(text);
      await page.getByRole('option', { name, exact: false }).first().click();
    };
    await run('unmatched', 'Show requests: Unmatched');
    await expectRows(page, unmatched);
    await run('status >=400', 'show requests with the status >=400');
    await run('show all', 'Show all requests');
    await expectRows(page, unmatched, refused, first);
    await run('search limit', 'search the requests for limit');
    await expectRows(page, refused, first);
    await run('pause', 'Pause the list');
    await page.getByText('paused, 0 more').waitFor();
    await run('continue', 'Continue the list');
    await page.getByText('paused').waitFor({ state: 'detached' });
    await run('limit=1', 'GET /v1/batches');
    await details(page).waitFor();
    await run('resend', 'Resend');
    await details(page).getByText('No difference.').first().waitFor();
    expect(await server.requests.count()).toBe(4);
    await run('compare with 2', 'compare with request 2');
    await details(page).getByRole('link', { name: 'request 2' }).waitFor();
    await run('make', 'Make this a fault');
    await page.waitForURL('**/#/faults?line=**');
    await run('walks', 'Show the walks');
    await page.getByRole('region', { name: 'listBatches, from request 1' }).waitFor();
    await run('clear', 'Clear the requests');
    await page.getByRole('button', { name: 'Clear the requests' }).click();
    await page.getByText('No client has fetched a list yet.').waitFor();
  });

  test('stays small with thousands of requests, and keeps its place while more come', async () => {
    const journal = volume(5000, 700);
    const old = journal - 50;
    const server = await openServer({ journal });
    await sendMany(server, old, 'old');
    const { page } = await openControlRoom({ server });
    const grid = page.getByRole('grid');
    await page.getByText(`${old.toLocaleString('en')} requests`).waitFor();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(old + 1));
    expect(await rowsOf(page).count()).toBeLessThan(60);
    await grid.focus();
    await page.keyboard.press('End');
    await rowsOf(page).getByText('old=0', { exact: false }).waitFor();
    for (let step = 0; step < 30; step += 1) await page.keyboard.press('ArrowUp');
    const top = () =>
      page.evaluate(() => document.elementFromPoint(600, 600)?.closest('[role=row]')?.textContent);
    const before = await top();
    await sendMany(server, 50, 'new');
    await page.getByText(`${journal.toLocaleString('en')} requests`).waitFor();
    await expect.poll(top).toBe(before);

    const [oldest] = await server.requests.list({}, { bodies: false });
    await page.goto(`${server.url}/__admin/#/requests/${oldest?.id}`);
    await page.reload();
    const selected = page.locator('[aria-selected="true"]');
    await selected.waitFor();
    const isInView = async () => {
      const [row, box] = [await selected.boundingBox(), await grid.boundingBox()];
      return row && box && row.y >= box.y && row.y + row.height <= box.y + box.height;
    };
    await expect.poll(isInView).toBe(true);
  });

  test('begins again with the world, and scrolls to the details in a narrow window', async () => {
    const { server, page } = await openControlRoom({ session: 'mine', width: 390 });
    const ask = (limit: number) =>
      fetch(`${server.url}/sessions/mine/v1/batches?limit=${limit}`, { headers: clientHeaders });
    await ask(1);
    await rowsOf(page).first().click();
    await details(page).getByText('GET /v1/batches?limit=1').waitFor();
    const top = () => details(page).evaluate((node) => node.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(500); // it is below the list
    const id = await details(page).getByRole('heading', { level: 2 }).textContent();
    // The first request of the new journal has the id of the old one.
    await server.session('mine').reset();
    await details(page).getByText('This request is no longer kept').waitFor();
    await ask(2);
    await details(page).getByText('GET /v1/batches?limit=2').waitFor();
    expect(await details(page).getByRole('heading', { level: 2 }).textContent()).toBe(id);
  });

  test('stays after an undo: two requests with the same id are two rows, and each opens', async () => {
    const { server, page } = await openControlRoom();
    await server.faults.add('listBatches#1: 503');
    await call(server, '/batches?limit=1');
    await rowsOf(page).nth(0).waitFor();
    await server.state.undo();
    await call(server, '/batches?limit=2');
    await expectRows(page, 'GET /v1/batches?limit=2', 'GET /v1/batches?limit=1');
    for (const [at, limit] of [1, 2].entries()) {
      await rowsOf(page)
        .nth(1 - at)
        .click();
      await details(page).getByText(`GET /v1/batches?limit=${limit}`, { exact: true }).waitFor();
      expect(await page.locator('[aria-selected=true]').count()).toBe(1);
    }
    const [first, second] = await server.requests.list();
    expect(first?.id).toBe(second?.id);
  });

  test('says that the journal is off', async () => {
    const { page } = await openControlRoom({ journal: 0, hash: '#/requests/req_1' });
    await page.getByText('The journal is off').waitFor();
  });
});

describe.skipIf(!hasChromium)('the details of a request', () => {
  test('say why: faults, idle faults, the nearest operation of a miss, and what was left to others', async () => {
    const { server, page } = await openControlRoom({
      scenario: {
        batches: 3,
        faults: ['listBatches#2: 503', 'listBatches#3: cursor-loop', 'listRuns: delay 300ms'],
      },
    });
    const why = () => reasons(page).textContent();
    const open = async (path: string): Promise<void> => {
      await call(server, path);
      await openLast(server, page);
    };
    await call(server, '/batches');
    await open('/batches');
    await expect.poll(why).toContain('listBatches#2: 503');
    await open('/batches?limit=0');
    await expect
      .poll(why)
      .toContain('fault without effect listBatches#3: cursor-loop: the call has no cursor.');
    await open('/batchs');
    await expect.poll(why).toContain('No operation has the path /v1/batchs. The nearest is listBatches');
    await open('/threads/nobody/runs');
    await rowsOf(page)
      .first()
      .getByText(/^(?:[3-9]\d\d ms|\d+\.\d\d s)$/) // the event came before the reply; it is longer on a busy machine
      .waitFor();
    await getResponse(
      [...server.handlers],
      new Request(`https://api.example/v1/models?q=${hostile}`, { headers: clientHeaders }),
    );
    await rowsOf(page).filter({ hasText: '/v1/models' }).click();
    await expect.poll(why).toContain('it was left to other handlers');
    await details(page).getByText('x-gateway-api-key').waitFor();
  });

  test('say to which server a call was passed on', async () => {
    const { url } = await openOther();
    const { server, page } = await openControlRoom({ upstream: url });
    await call(server, '/models');
    await rowsOf(page).first().click();
    await expect.poll(() => reasons(page).textContent()).toContain(`it was passed on to ${url}/v1`);
    expect(await rowsOf(page).first().textContent()).toContain('passed on');
    expect(await rowsOf(page).first().textContent()).not.toContain('unmatched');
  });

  test('name the policy that refused a call, and switch an assumption, by mouse and by keys', async () => {
    const { server, page } = await openControlRoom({
      scenario: scenarioUnder(policy(1, { name: 'Two a minute', value: 2, group_by: [{ key: 'api_key' }] })),
    });
    for (let at = 0; at < 3; at += 1) await call(server, '/batches');
    await rowsOf(page).nth(2).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    const first = reasons(page).locator(':scope > li').first();
    await first.waitFor();
    expect(await first.innerText()).toBe(
      'Refused by the policy Two a minute: 2 of 2 requests used, resets at 12:01:00. Quotas',
    );
    await details(page)
      .getByRole('button', { name: /^It depends on \d assumptions?$/ })
      .focus();
    await page.keyboard.press('Enter');
    await details(page).getByRole('link', { name: 'quota-exceeded' }).waitFor();
    await expectFitForAll(page);
    const link = first.getByRole('link', { name: 'Two a minute' });
    expect(await link.getAttribute('href')).toContain(policyId(1));

    await server.quotas.lift();
    await call(server, '/threads/nobody/runs');
    await openLast(server, page);
    // There is another one in the closed list of assumptions.
    const choice = details(page).getByLabel('Choice for unknown-thread').filter({ visible: true });
    const read = async () =>
      (await server.assumptions.list()).find((one) => one.id === 'unknown-thread')?.value;
    const before = await read();
    await choice.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('unknown-thread is now').waitFor();
    const after = await read();
    expect(after).not.toBe(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(read).toBe(before);
    await choice.selectOption(after ?? '');
    await expect.poll(read).toBe(after);
  });

  test('lead to a fault for the same call, by mouse and by keys, and show hostile values as text', async () => {
    const { server, page } = await openControlRoom();
    for (const thread of ['other', 'demo', 'demo'])
      await call(server, `/threads/thread_${thread}/runs?limit=1`);
    await rowsOf(page).nth(2).waitFor();
    await rowsOf(page).first().click();
    const more = page.getByRole('button', { name: 'More actions' });
    const item = page.getByRole('menuitem', { name: 'Make this a fault' });
    const lineInLink = () => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('line');
    const line = 'listRuns#2 path=/v1/threads/thread_demo/runs: 503';
    await more.click();
    await item.click();
    await expect.poll(lineInLink).toBe(line);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Faults');
    await page.goBack();
    await more.focus();
    await page.keyboard.press('Enter');
    await item.focus();
    await page.keyboard.press('Enter');
    await expect.poll(lineInLink).toBe(line);
    await page.goBack();

    const path = `/threads/${encodeURIComponent(hostile)}/runs?${new URLSearchParams({ after: hostile })}`;
    await call(server, path, { headers: { 'x-note': hostile } });
    await call(server, '/prompts/prompt_welcome/render', { method: 'POST', body: hostile });
    await rowsOf(page).nth(4).waitFor();
    for (const at of [0, 1]) {
      await rowsOf(page).nth(at).click();
      await expect.poll(() => details(page).textContent()).toMatch(/(<|%3C)img(%20| )src=x/);
    }
    expect(await page.locator('img').count()).toBe(0);
  });
});
