// The list of requests: filters, search, order; details and walks.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  details,
  expectFitForAll,
  expectTargets,
  focused,
  openControlRoom,
  press,
  rowsOf,
  ways,
} from '../support/open-control-room.ts';
import { openOther } from '../support/other-server.ts';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';

const call = (server: GatewayServer, path: string, init: RequestInit = {}): Promise<Response | undefined> =>
  fetch(`${server.url}${path.startsWith('/sessions') ? '' : '/v1'}${path}`, {
    ...init,
    headers: { 'content-type': 'application/json', ...clientHeaders },
  }).catch(() => undefined); // a fault may close the connection

const heading = (page: Page, id = '') => details(page).getByRole('heading', { name: id });
const openLast = async (server: GatewayServer, page: Page): Promise<void> => {
  await page.goto(`${server.url}/__admin/#/requests/${(await server.requests.list()).at(-1)?.ordinal}`);
};

describe.skipIf(!hasChromium)('the list of requests', () => {
  test('shows its rows at once, opens them by keys, keeps the open one and its tab in the link, and copies', async () => {
    const { server, page } = await openControlRoom();
    await page.getByText('No requests yet.').waitFor();
    await expectFitForAll(page);
    await call(server, '/batches?limit=2');
    await rowsOf(page).first().waitFor();
    expect((await rowsOf(page).first().boundingBox())?.y).toBeLessThanOrEqual(150);
    for (const limit of [3, 4]) await call(server, `/batches?limit=${limit}`);
    await page.getByText('3 requests', { exact: true }).waitFor();
    await expect
      .poll(() => rowsOf(page).first().getByRole('gridcell').allTextContents())
      .toEqual([
        '3',
        '200',
        'GET /v1/batches?limit=4',
        'node',
        '',
        '',
        expect.stringMatching(/^[\d.]+ m?s$/),
        expect.stringMatching(/^\d\d:\d\d:\d\d$/), // by the machine's clock
      ]);
    const ids = (await server.requests.list()).map(({ id }) => id);
    for (const key of ['Home', 'ArrowDown', 'Enter']) await page.getByRole('grid').press(key);
    await heading(page, 'GET /v1/batches?limit=3').waitFor();
    expect(page.url()).toContain('#/requests/2');
    const body = details(page).getByRole('region', { name: 'Body of the reply' });
    await body.getByText('"has_more": true').waitFor();
    expect((await body.boundingBox())?.y).toBeLessThan(600); // it is seen without scrolling
    expect(await page.getByRole('columnheader').filter({ visible: true }).allTextContents()).toEqual([
      'No.',
      'Status',
      'Request',
      'Why',
      expect.stringMatching(/^\d\d:\d\d:\d\d\+/), // the scale of the waterfall
    ]);
    expect(await details(page).textContent()).not.toContain('key-of-a-test');
    await expectFitForAll(page);
    await page.getByRole('grid').press('ArrowUp'); // what is open follows
    await heading(page, 'GET /v1/batches?limit=4').waitFor();
    await details(page).getByRole('tab', { name: 'Headers' }).click();
    await page.waitForURL('**tab=Headers');
    await page.goBack(); // what moves or filters adds nothing to the history
    await details(page).waitFor({ state: 'detached' });
    await page.goForward();
    await page.waitForURL('**tab=Headers');
    await page.reload();
    await heading(page, 'GET /v1/batches?limit=4').waitFor();
    await details(page).getByText('user-agent: node').waitFor();
    await details(page)
      .getByText(ids[2] ?? '')
      .first()
      .waitFor();
    const copy = page.getByRole('button', { name: 'Copy as curl' });
    await copy.press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl .*limit=4/);
    // Over plain http from another host, the browser has no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await copy.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/Copy it from here:\s+curl .*limit=4/)
      .waitFor();
    await rowsOf(page).last().click();
    for (const key of ['Escape', 'ArrowUp', 'Enter']) await page.getByRole('grid').press(key);
    await heading(page, 'GET /v1/batches?limit=3').waitFor();
    await page.getByRole('grid').press('Escape');
    await details(page).waitFor({ state: 'detached' });
  });

  test.each(ways('keys'))('searches by chips with counts and by terms, in the link, by %s', async (by) => {
    const { server, page } = await openControlRoom({
      scenario: { batches: 3, faults: ['listBatches#2: 503', 'listBatches#4: 429'] },
    });
    const sent = ['/batches?limit=1', '/batches?limit=2', '/batches?limit=0', '/batches?limit=3', '/batchs'];
    for (const path of sent) await call(server, path);
    const [, failed = '', refused = '', limited = '', unmatched = ''] = sent.map((path) => `GET /v1${path}`);
    await rowsOf(page).nth(4).waitFor();
    const chips = page.getByRole('group', { name: 'Filters' });
    await expect
      .poll(() => chips.locator('label').allTextContents())
      .toEqual(['All 5', 'Errors 4', 'By fault 2', 'Limited 1', 'No path 1']);
    await expect.poll(() => page.getByRole('link', { name: 'Requests' }).textContent()).toBe('Requests4');
    const pressChip = (label: string) =>
      by === 'keys' ? chips.getByLabel(label).press('Space') : chips.getByText(label).click();
    await pressChip('By fault 2');
    await expectTargets(page, limited, failed);
    await pressChip('Limited 1');
    await expectTargets(page, limited);
    expect(page.url()).toContain('q=is%3Afaulted+status%3A429');
    await expectFitForAll(page);
    await pressChip('All 5');
    await rowsOf(page).nth(4).waitFor();

    const search = page.getByLabel('Search', { exact: true });
    await search.fill('status:429,5xx');
    await expectTargets(page, limited, failed);
    await search.fill('status:4xx,many');
    await page.getByText('“status:4xx,many” cannot be searched for.').waitFor();
    expect(await search.getAttribute('aria-invalid')).toBe('true');
    expect(await rowsOf(page).count()).toBe(0);
    await press(by, page.getByRole('link', { name: 'Show all' }));
    await search.fill('op:listBatches LIMIT=2');
    await expectTargets(page, failed);
    await page.getByText('1 of 5 requests').waitFor();
    await rowsOf(page).click(); // the filter stays
    await page.waitForURL('**/#/requests/2?q=op*');
    await page.getByRole('grid').press('Escape');
    await page.waitForURL('**/#/requests?q=op*');
    await search.fill('nothing of the kind');
    await page.getByText('No matching requests.').waitFor();
    await press(by, page.getByRole('link', { name: 'Show all' }));
    await expectTargets(page, unmatched, limited, refused, failed, 'GET /v1/batches?limit=1');
  });

  test('rows stand still while the pointer is in the list, a request is open or the list is paused', async () => {
    const { server, page } = await openControlRoom({ scenario: { batches: 3 } });
    const targets = (...limits: number[]) =>
      expectTargets(page, ...limits.map((limit) => `GET /v1/batches?limit=${limit}`));
    const ask = (limit: number) => call(server, `/batches?limit=${limit}`);
    const fresh = page.getByRole('button', { name: /new$/ });
    await ask(1);
    await targets(1);
    await rowsOf(page).first().hover();
    await ask(2);
    await fresh.waitFor();
    await targets(1);
    await page.mouse.move(0, 0);
    await targets(2, 1);
    await rowsOf(page).first().click();
    await page.mouse.move(0, 0);
    await ask(3);
    await fresh.getByText('1 new').waitFor();
    await targets(2, 1);
    await fresh.click();
    await page.mouse.move(0, 0);
    await targets(3, 2, 1);
    await page.getByRole('grid').press('Escape');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await ask(4);
    await fresh.getByText('1 new').waitFor();
    await targets(3, 2, 1);
    await page.keyboard.press('Space');
    await targets(4, 3, 2, 1);
  });

  test('searches all of a request on the server, from the keys / and Ctrl+F', async () => {
    const { server, page } = await openControlRoom({
      scenario: { batches: 3, faults: ['listBatches#2: 429 message="Slow down"'] },
    });
    // More than the page loads at first.
    for (let at = 0; at < 210; at += 1) await call(server, `/batches?limit=1&old=${at}`);
    const body = '{"variables":{"topic":"zebra"}}';
    await call(server, '/prompts/prompt_of_long_name_1/render', { method: 'POST', body });
    await page.getByText('211 requests', { exact: true }).waitFor();
    await page.getByRole('grid').press('/');
    await page.keyboard.type('429');
    await expectTargets(page, 'GET /v1/batches?limit=1&old=1');
    await page.getByText('1 of 211 requests').waitFor();
    await page.getByRole('grid').press('Control+f');
    await page.keyboard.type('zebra'); // the search is selected, so that it is replaced
    await expectTargets(page, 'POST /v1/prompts/prompt_…me_1/render');
    await call(server, '/batches?zebra=1'); // a later one is found as well
    await expectTargets(page, 'GET /v1/batches?zebra=1', 'POST /v1/prompts/prompt_…me_1/render');
  });

  test('begins again with the world, but not after an undo, and is cleared, in a narrow window', async () => {
    const { server, page } = await openControlRoom({ session: 'mine', width: 390 });
    const mine = server.session('mine');
    const ask = (limit: number) => call(server, `/sessions/mine/v1/batches?limit=${limit}`);
    await ask(1);
    await rowsOf(page).first().click();
    const open = (limit: number) =>
      details(page).getByText(`GET /v1/batches?limit=${limit}`, { exact: true }).waitFor();
    await open(1);
    const readId = () => details(page).getByText(/^req_/).textContent();
    const id = await readId();
    // The first request of the new journal has the id of the old one.
    await mine.reset();
    await details(page).getByText('This request is no longer kept').waitFor();
    await mine.faults.add('listBatches#1: 503');
    await ask(2);
    await open(2);
    expect(await readId()).toBe(id);
    await details(page).press('Escape');
    await details(page).waitFor({ state: 'detached' });
    await mine.state.undo();
    await ask(3);
    await expectTargets(page, 'GET /v1/batches?limit=3', 'GET /v1/batches?limit=2');
    await rowsOf(page).first().click();
    await open(3);
    expect(await page.getByRole('row', { selected: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Clear the requests' }).press('Enter');
    await page.getByText('No requests yet.').waitFor();
    expect(await mine.requests.count()).toBe(0);
  });

  test('says that the journal is off', async () => {
    const scenario = { faults: ['listBatches: 503'] };
    const { server, page } = await openControlRoom({ journal: 0, hash: '#/requests/req_1', scenario });
    await page.getByText('The journal is off').waitFor();
    await page.getByRole('link', { name: 'Faults', exact: true }).click();
    await page.getByText('0 calls, 0 hits').waitFor();
    await call(server, '/batches'); // of which no event tells
    await page.getByText('1 call, 1 hit').waitFor();
  });
});

describe.skipIf(!hasChromium)('the details of a request', () => {
  const reasons = (page: Page) => details(page).getByRole('list', { name: 'Why it got this reply' });

  test('say why: faults, idle faults, and the nearest operation of a miss; and how long a delayed reply took', async () => {
    const { server, page } = await openControlRoom({
      scenario: {
        batches: 3,
        faults: ['listBatches#1: 503', 'listBatches#2: cursor-loop', 'listRuns: delay 300ms'],
      },
    });
    for (const [path, reason] of [
      ['/batches', 'listBatches#1: 503'],
      ['/batches?limit=0', 'The fault listBatches#2: cursor-loop had no effect: the call has no cursor.'],
      ['/batchs', 'No operation has the path /v1/batchs. The nearest is listBatches'],
    ] as const) {
      await call(server, path);
      await openLast(server, page);
      await expect.poll(() => reasons(page).textContent()).toContain(reason);
    }
    await page.getByRole('grid').press('Escape');
    await call(server, '/threads/nobody/runs');
    await rowsOf(page)
      .first()
      .getByText(/^(?:[3-9]\d\d ms|\d+\.\d s)$/) // the event came before the reply; it is longer on a busy machine
      .waitFor();
  });

  test('say to which server a call was forwarded', async () => {
    const { url } = await openOther();
    const { server, page } = await openControlRoom({ upstream: url });
    await call(server, '/models');
    await rowsOf(page).first().click();
    await expect.poll(() => reasons(page).textContent()).toContain(`it was forwarded to ${url}/v1`);
    await expect.poll(() => rowsOf(page).first().textContent()).toContain('forwarded');
    expect(await rowsOf(page).first().textContent()).not.toContain('no such path');
  });

  test.each(ways('keys'))(
    'name the policy that refused a call, and switch an assumption, by %s',
    async (by) => {
      const { server, page } = await openControlRoom({
        scenario: scenarioUnder(
          policy(1, { name: 'Two a minute', value: 2, group_by: [{ key: 'api_key' }] }),
        ),
      });
      for (let at = 0; at < 3; at += 1) await call(server, '/batches');
      await rowsOf(page).nth(2).waitFor();
      await press(by, by === 'keys' ? page.getByRole('grid') : rowsOf(page).first());
      const first = reasons(page).locator(':scope > li').first();
      await first.waitFor();
      expect(await first.innerText()).toContain(
        'Limit Two a minute: 2 of 2 requests used, resets at 12:01:00.',
      );
      await expectFitForAll(page);
      const link = first.getByRole('link', { name: 'Two a minute' });
      expect(await link.getAttribute('href')).toContain(policyId(1));

      await server.quotas.lift();
      await call(server, '/threads/nobody/runs');
      await openLast(server, page);
      const choice = details(page).getByLabel('Choice for unknown-thread');
      const read = async () =>
        (await server.assumptions.list()).find((one) => one.id === 'unknown-thread')?.value;
      if (by === 'keys') await choice.press('ArrowDown');
      else await choice.selectOption({ index: 1 });
      await page.getByText('unknown-thread: now').waitFor();
      expect(await read()).not.toBe('404');
      await press(by, page.getByRole('button', { name: 'Undo' }));
      await expect.poll(read).toBe('404');
    },
  );
});

const changesIn = async (page: Page, label: string) => {
  const diff = page.getByRole('region', { name: label, exact: true });
  await diff.waitFor();
  return {
    gone: await diff.locator('del').allTextContents(),
    added: await diff.locator('ins').allTextContents(),
  };
};

test.skipIf(!hasChromium)('a request is made a fault that does the same again', async () => {
  const { server, page } = await openControlRoom({ scenario: { batches: 3, faults: ['listBatches: 503'] } });
  for (let sent = 0; sent < 3; sent += 1) await call(server, '/batches');
  await rowsOf(page).nth(2).waitFor();
  await rowsOf(page).first().click();
  await details(page).getByRole('button', { name: 'Turn off' }).press('Enter');
  await details(page).getByText('It is off now.').waitFor();
  await page.getByRole('button', { name: 'Make this a fault' }).press('Enter');
  await expect.poll(() => page.getByLabel('Line').inputValue()).toBe('listBatches#1: 503');
  await expect.poll(() => focused(page, 'textContent')).toBe('Faults');
});

test.skipIf(!hasChromium)(
  'two sessions are compared by their requests and by what changed in them',
  async () => {
    const { server, page } = await openControlRoom({ hash: '#/sessions', scenario: { batches: 3 } });
    for (const limit of [1, 2, 3]) {
      await call(server, `/batches?limit=${limit}`);
      if (limit !== 2) await call(server, `/sessions/other/v1/batches?limit=${limit}`);
    }
    const { batches } = server.session('other').records;
    const id = (await batches.list())[0]?.id ?? '';
    await batches.delete(id);
    await page.getByLabel('Compare with', { exact: true }).selectOption('other');
    expect(await changesIn(page, 'Requests')).toEqual({
      gone: [],
      added: ['+GET /v1/batches?limit=2 → 200'],
    });
    expect((await changesIn(page, 'Changes since the start')).gone.join()).toContain(id);
    expect(page.url()).toContain('with=other');
    await expectFitForAll(page);
  },
);

test.skipIf(!hasChromium)(
  'a walk is one strip that marks records missed, repeated or created meanwhile, also in forced colours',
  async () => {
    const { server, page } = await openControlRoom({
      scenario: { batches: 9, threads: { t: { runs: 130 } }, faults: ['listRuns#3: reset'] },
    });
    const cursors = [''];
    for (let at = 1; at <= 8; at += 1) {
      const reply = await call(server, `/threads/t/runs?limit=20&after=${cursors.at(-1)}`);
      if (reply) cursors.push(((await reply.json()) as { last_id: string }).last_id);
    }
    await page.getByRole('link', { name: 'Walks' }).press('Enter');
    const whole = page.getByRole('region', { name: /^listRuns .*, from request 1$/ });
    await whole.getByText('complete, each once').waitFor();
    await whole.getByText('7 pages, 1 failed').waitFor();
    await whole.getByText('130 of 130 records').waitFor();
    const broken = `Request 3: reset, no records, listRuns#3: reset, after ${cursors[2]}`;
    await whole.getByRole('link', { name: broken, exact: true }).click();
    await details(page).getByText('listRuns#3: reset').first().waitFor();
    await details(page).getByText('Page 3 of 8').waitFor();
    await details(page).getByRole('link', { name: 'its walk' }).press('Enter');
    await expect.poll(() => focused(page, 'ariaLabel')).toBe(broken);

    const ids = (await server.records.batches.list()).map(({ id }) => id);
    const ask = (after = '') => call(server, `/batches?limit=3&after=${after}`);
    await ask();
    await ask(ids[1]);
    await server.clock.advance('1h');
    const { id } = await server.records.batches.create({});
    await ask(ids[5]);
    const walk = page.getByRole('region', { name: 'listBatches, from request 9' });
    await walk.getByText('8 of 9 records').waitFor();
    await walk.getByText('1 missed', { exact: true }).waitFor();
    await walk.getByText('1 repeated', { exact: true }).waitFor();
    const strip = walk.locator('.strip > a');
    expect(await strip.evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'Request 9: 3 seen, first page',
      `Request 10: 2 seen, 1 repeated, after ${ids[1]}`,
      `Request 11: 3 seen, after ${ids[5]}`,
    ]);
    await page.emulateMedia({ forcedColors: 'active' });
    const looks = await walk
      .locator('.strip i')
      .evaluateAll((all) =>
        all.map((one) => `${getComputedStyle(one).background} ${getComputedStyle(one).border}`),
      );
    expect(new Set(looks).size).toBe(4);
    await page.emulateMedia({ forcedColors: null });
    await walk.getByText(`On no page: ${ids[5]}`).waitFor();
    await walk.getByText(`On several pages: ${ids[2]}`).waitFor();
    for (let time = 0; time < 25; time += 1) await call(server, '/batches?limit=1');
    await page.getByText(/^25 of listBatches by node.*: a poll, not a walk$/).waitFor();
    const last = page.locator('main section').last(); // polls are below walks
    await expect.poll(() => last.getAttribute('aria-label')).toBe('Single pages of listBatches');
    await expectFitForAll(page);
    await walk.getByRole('link', { name: id, exact: true }).click();
    await page.waitForURL(`**/#/data/batches/${id}`);
  },
);
