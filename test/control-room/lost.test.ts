// What a user sees of a world or a server that is lost: the page says so, keeps what it showed, and changes nothing by itself.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  expectFitForAll,
  focused,
  openControlRoom,
  rowsOf,
} from '../support/open-control-room.ts';
import { openServer } from '../support/open-gateway.ts';

/** Another server in the place of this one. */
const restart = async (server: GatewayServer, options: ServerOptions = {}): Promise<GatewayServer> => {
  await server.close();
  return openServer({ ...options, port: Number(new URL(server.url).port) });
};

const alertOf = (page: Page) => page.getByRole('alert');
const expectTime = (page: Page, time: string): Promise<void> =>
  page.getByRole('region', { name: "The world's time" }).getByText(time).first().waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const anHour = 'Advance by 1 h';
const loadSession = 'Load the session';
const isLost = (page: Page) => alertOf(page).getByText('This session was deleted, removed').waitFor();
const open = (page: Page, panel: string) => page.getByRole('link', { name: panel, exact: true }).click();
const expectNoAlert = (page: Page) => expect.poll(() => alertOf(page).allTextContents()).toEqual([]);

const callBatches = ({ url }: GatewayServer, session: string): Promise<Response> =>
  fetch(`${url}/sessions/${session}/v1/batches`, { headers: clientHeaders });

describe.skipIf(!hasChromium)('a lost world', () => {
  test('after a restart: keeps clock and requests, refuses changes, and continues at the press of a button', async () => {
    const { server, page } = await openControlRoom({ session: 'mine', hash: '#/requests' });
    await callBatches(server, 'mine');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await open(page, 'Clock');
    await server.session('mine').clock.advance('1h');
    await expectTime(page, '13:00:00');
    const again = await restart(server);
    await isLost(page);
    await expectFitForAll(page);
    await button(page, anHour).click();
    await page.getByText('The world of the session "mine" is lost').waitFor();
    await expectTime(page, '13:00:00');
    expect(await again.session('mine').clock.now()).toMatchObject({ now: '2026-01-15T12:00:00.000Z' });
    await callBatches(again, 'mine');
    await callBatches(again, 'mine');
    await open(page, 'Requests');
    await rowsOf(page).first().waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await button(page, loadSession).press('Enter');
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await expectNoAlert(page); // what failed is asked again
    await expect.poll(() => focused(page, 'id')).toBe('main');
    await open(page, 'Clock');
    await expectTime(page, '12:00:00');
    await button(page, anHour).click();
    await expectTime(page, '13:00:00');
    expect(await again.session('mine').clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });
  });

  test('says that its session was removed to make room while its tab was hidden, or before it was opened', async () => {
    const { server, page } = await openControlRoom({
      session: 'mine',
      hash: '#/clock',
      maxSessions: 2,
      isOwnPage: true,
    });
    const setVisible = (value: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, value);
    /** Once the page's stream has ended, since a session that is in use is not removed. */
    const createOther = (name: string) =>
      expect
        .poll(() =>
          server.sessions.create(name).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
    await button(page, anHour).click();
    await expectTime(page, '13:00:00');
    await setVisible('hidden');
    await createOther('other');
    await setVisible('visible');
    await isLost(page);
    await expectTime(page, '13:00:00');
    await expectFitForAll(page);
    await button(page, loadSession).click();
    await expectTime(page, '12:00:00');
    await expectNoAlert(page);
    expect((await callBatches(server, 'mine')).status).toBe(200);

    await page.goto('about:blank');
    await createOther('third');
    await page.goto(`${server.url}/sessions/mine/__admin/#/clock`);
    await isLost(page);
    await button(page, loadSession).press('Enter');
    await expectTime(page, '12:00:00');
    await server.session('mine').clock.advance('2h'); // the page hears of it again
    await expectTime(page, '14:00:00');
  });

  test('of a deleted session is not created again by itself, not even by a call that arrives late', async () => {
    const { server, page } = await openControlRoom({ session: 'mine', hash: '#/clock' });
    await button(page, anHour).click();
    await expectTime(page, '13:00:00');
    await server.sessions.delete('mine');
    await isLost(page);
    await open(page, 'Sessions');
    await open(page, 'Clock');
    await page.waitForTimeout(300);
    expect(await server.sessions.list()).toEqual(['default']);
    await button(page, loadSession).press('Enter');
    await expectTime(page, '12:00:00');
    await expectNoAlert(page);
    expect(await server.sessions.list()).toContain('mine');

    const held: Route[] = [];
    await page.route('**/sessions/mine/__admin/**', (route) => void held.push(route));
    await server.session('mine').clock.advance('1h');
    await expect.poll(() => held.length).toBeGreaterThan(2);
    await server.sessions.delete('mine');
    await isLost(page);
    await page.unrouteAll();
    for (const reply of await Promise.all(held.map((route) => route.fetch())))
      expect(reply.status()).toBe(412);
    expect(await server.sessions.list()).toEqual(['default']);

    await server.session('mine').clock.advance('5h'); // a client has begun one of its name
    await button(page, loadSession).click();
    await expectTime(page, '17:00:00');
    await server.sessions.delete('mine');
    await isLost(page);
    await server.sessions.create('mine', { scenario: 'in-flight' }); // somebody else begins it again
    await page.getByRole('banner').getByText('in-flight').waitFor();
    await expectNoAlert(page);
    await server.sessions.delete('mine');
    await page.getByRole('link', { name: 'Go to the default session' }).click();
    await page.waitForURL(`${server.url}/__admin/#/clock`);
    await expectTime(page, '12:00:00');
    expect(await server.sessions.list()).toEqual(['default']);
  });

  test('that was made again on purpose is shown at once, without alarm', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-lost-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'bug.yaml');
    writeFileSync(file, 'batches: 1');
    const { server, page } = await openControlRoom({
      scenario: file as 'default', // a path is a name, too
      watch: true,
      session: 'mine',
      hash: '#/clock',
    });
    await button(page, anHour).click();
    await page.getByText('The clock was moved').waitFor();
    await server.sessions.create('other'); // nothing is said of others
    await server.sessions.create('mine');
    await page.getByRole('status').getByText('This session was created again.').waitFor();
    await button(page, anHour).click();
    await server.session('mine').clock.advance('1h');
    writeFileSync(file, 'batches: { records: [{ id: batch_fresh }] }');
    await page.getByRole('status').getByText('The scenario files were reloaded').waitFor();
    await open(page, 'Data');
    await page.goto(page.url().replace(/#.*/, '#/data/batches'));
    await page.getByText('batch_fresh').first().waitFor();
    await expectNoAlert(page);
  });
});

describe.skipIf(!hasChromium)('a lost server', () => {
  test('is announced, explains a button that failed, and asks for its new token; no error stays', async () => {
    const { server, page } = await openControlRoom({ hash: '#/clock' });
    await expectTime(page, '2026-01-15 12:00:00');
    await server.close();
    const away = page.getByText('The server does not answer. Trying again …');
    await away.waitFor();
    await page.evaluate(() => scrollTo(0, 1e6));
    expect(await away.isVisible()).toBe(true); // the notice stays in view
    await button(page, anHour).click();
    await alertOf(page).getByText('Is the server running?').first().waitFor();
    const port = Number(new URL(server.url).port);
    const again = await openServer({ adminToken: 'öpen', scenario: 'in-flight', port });
    await page.getByRole('heading', { name: 'Admin token required' }).waitFor();
    await expectFitForAll(page);
    const token = page.getByRole('textbox', { name: 'Token' });
    for (const [given, problem] of [
      ['x'.repeat(20_000), 'The server returned 431.'],
      ['日本', 'non ISO-8859-1 code point'],
      ['open', 'The server refuses this token.'],
    ] as const) {
      await token.fill(given);
      await button(page, 'Unlock').click();
      await alertOf(page).getByText(problem).waitFor();
    }
    await token.fill('öpen');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Connected').waitFor();
    await button(page, loadSession).click();
    await page.getByRole('banner').getByText('in-flight').waitFor();
    await again.clock.set('2027-01-01T00:00:00Z');
    await expectTime(page, '2027-01-01 00:00:00');
    await expectNoAlert(page);
    await page.reload(); // the tab keeps the token
    await expectTime(page, '2027-01-01 00:00:00');
    await button(page, anHour).click();
    await expectTime(page, '2027-01-01 01:00:00');
  });

  test('is asked once at first, also if the view changes meanwhile, never twice at a time, and no longer than somebody waits', async () => {
    const held: Route[] = [];
    const { server, page } = await openControlRoom({
      session: 'mine',
      hash: '#/clock',
      says: 'Connecting',
      isOwnPage: true,
      prepare: async (own) => {
        await own.route(/\/mine\/__admin\/(?!#|$|assets)/, (route) => void held.push(route));
        await own.addInitScript(() => {
          // While the page is first drawn.
          new MutationObserver((_changes, observer) => {
            if (document.querySelector('nav') === null) return;
            observer.disconnect();
            location.hash = '#/faults';
          }).observe(document, { childList: true, subtree: true });
        });
      },
    });
    await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor();
    const paths = () => held.map((route) => route.request().url().split('__admin/')[1]);
    await expect.poll(() => paths().length).toBeGreaterThan(0);
    await page.waitForTimeout(300);
    expect(paths()).toEqual(['events']); // what makes the world is one call
    await page.unrouteAll();
    await page.getByRole('status').getByText('Connected').waitFor();
    const own = server.session('mine');
    await own.faults.add('*: 503');
    const line = page.getByRole('list', { name: 'Faults' }).getByText('*: 503');
    await line.waitFor();

    let [underWay, most, asked] = [0, 0, 0];
    await page.route('**/faults/list', async (route) => {
      asked += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 400));
      underWay -= 1;
      await route.continue().catch(() => {}); // the test may have given it up
    });
    while (asked < 3) {
      await own.clock.advance('1s');
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    await own.faults.add('listRuns: 500');
    await page.getByText('listRuns: 500').first().waitFor();
    expect(most).toBe(1);
    await page.unrouteAll();

    // Several that fail with one message are one error, and what was known stays.
    for (const path of ['**/faults/list', '**/quotas/list'])
      await page.route(path, (route) =>
        route.fulfill({
          json: { error: { message: 'No luck.' } },
          status: 500,
          headers: { 'x-mock-admin': 'yes' },
        }),
      );
    await own.clock.advance('1s');
    await page.getByRole('main').getByRole('alert').getByText('No luck.').waitFor();
    expect(await alertOf(page).count()).toBe(1);
    expect(await line.count()).toBe(1);
    await page.unrouteAll();
    await own.clock.advance('1s');
    await expectNoAlert(page);

    await page.route('**/state/changes', () => new Promise(() => undefined)); // it never answers
    const asking = page.waitForRequest('**/state/changes');
    await open(page, 'Scenario');
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/state/changes'));
    await asking;
    await open(page, 'Faults');
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect(await alertOf(page).count()).toBe(0);
  });
});
