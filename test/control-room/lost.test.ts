// What a user sees of a world or a server that is lost: the page says so, keeps what it showed, and changes nothing by itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/core/util/message-of.ts';
import { hasChromium } from '../support/chromium.ts';
import { makeFolder } from '../support/make-folder.ts';
import {
  clientHeaders,
  expectFitForAll,
  focused,
  openControlRoom,
  rowsOf,
  setVisible,
} from '../support/open-control-room.ts';
import { openServer } from '../support/open-gateway.ts';

const alertOf = (page: Page) => page.getByRole('alert');
const expectTime = (page: Page, time: string): Promise<void> =>
  page.getByRole('region', { name: "The world's time" }).getByText(time).first().waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const anHour = 'Advance by 1 h';
const loadSession = 'Load the session';
const isLost = (page: Page) => alertOf(page).getByText('This session was deleted, removed').waitFor();
const open = (page: Page, panel: string) => page.getByRole('link', { name: panel, exact: true }).click();
const expectNoAlert = (page: Page) => expect.poll(() => alertOf(page).allTextContents()).toEqual([]);

describe.skipIf(!hasChromium)('a lost world', () => {
  test('after a restart: keeps clock and requests, refuses changes, and continues at the press of a button', async () => {
    const { server, page } = await openControlRoom({ session: 'mine', hash: '#/requests' });
    const callBatches = () => fetch(`${server.url}/sessions/mine/v1/batches`, { headers: clientHeaders });
    await callBatches();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await open(page, 'Clock');
    await server.session('mine').clock.advance('1h');
    await expectTime(page, '13:00:00');
    await server.close();
    const again = await openServer({ port: Number(new URL(server.url).port) });
    await isLost(page);
    await expectFitForAll(page);
    await button(page, anHour).click();
    await page.getByText('The world of the session "mine" is lost').waitFor();
    await expectTime(page, '13:00:00');
    expect(await again.session('mine').clock.now()).toMatchObject({ now: '2026-01-15T12:00:00.000Z' });
    await callBatches();
    await callBatches();
    await open(page, 'Requests');
    await rowsOf(page).first().waitFor();
    await page.waitForTimeout(400); // the calls of the other world would have come
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
    await button(page, anHour).click();
    await expectTime(page, '13:00:00');
    await setVisible(page, 'hidden');
    // Once the page's stream has ended: a session that is in use is not removed.
    await expect.poll(() => server.sessions.create('other').catch(messageOf)).toBeUndefined();
    await setVisible(page, 'visible');
    await isLost(page);
    await expectTime(page, '13:00:00');
    await expectFitForAll(page);

    await page.goto('about:blank');
    await page.goto(`${server.url}/sessions/mine/__admin/#/clock`);
    await isLost(page);
    await button(page, loadSession).press('Enter');
    await expectTime(page, '12:00:00');
    await expectNoAlert(page);
    await server.session('mine').clock.advance('2h'); // the page hears of it again
    await expectTime(page, '14:00:00');
  });

  test('of a deleted session is not created again by itself, and shown at once if somebody else does', async () => {
    const folder = makeFolder({ 'bug.yaml': 'batches: 1' });
    const file = join(folder, 'bug.yaml');
    const { server, page } = await openControlRoom({
      scenario: file as 'default', // a path is a name, too
      watch: true,
      session: 'mine',
      hash: '#/clock',
    });
    await button(page, anHour).click();
    await expectTime(page, '13:00:00');
    await server.sessions.delete('mine');
    await isLost(page);
    await open(page, 'Sessions');
    await page.getByText('Not available in the old copy.').waitFor();
    await open(page, 'Clock');
    await page.waitForTimeout(300);
    expect(await server.sessions.list()).toEqual(['default']);
    await button(page, loadSession).press('Enter');
    await expectTime(page, '12:00:00');
    await expectNoAlert(page);
    expect(await server.sessions.list()).toContain('mine');

    await server.sessions.create('mine');
    await page.getByRole('status').getByText('This session was created again.').first().waitFor();
    await button(page, anHour).click();
    await expectTime(page, '13:00:00');
    writeFileSync(file, 'batches: { records: [{ id: batch_fresh }] }');
    await page.getByRole('status').getByText('The scenario files were reloaded').waitFor();
    await expectTime(page, '12:00:00');
    await expectNoAlert(page);
    await server.sessions.delete('mine');
    await isLost(page);
    await server.sessions.create('mine', { scenario: 'in-flight' });
    await page.getByRole('banner').getByText('in-flight').waitFor();
    await expectNoAlert(page);
    await server.sessions.delete('mine');
    await page.getByRole('button', { name: 'Go to the default session' }).click();
    await page.waitForURL(`${server.url}/__admin/#/clock`);
    expect(await server.sessions.list()).toEqual(['default']);
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
    await alertOf(page).getByText('Advance by 1 h: not done, since the server did not answer.').waitFor();
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

  test('is asked once at first and at a time, and no longer than somebody waits; what fails with one message is one error', async () => {
    const paths: (string | undefined)[] = [];
    const { server, page } = await openControlRoom({
      session: 'mine',
      hash: '#/faults',
      says: 'Connecting',
      isOwnPage: true,
      prepare: (own) =>
        own.route(
          /\/mine\/__admin\/(?!#|$|assets)/,
          (route) => void paths.push(route.request().url().split('__admin/')[1]), // and no reply
        ),
    });
    await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor();
    await expect.poll(() => paths.length).toBeGreaterThan(0);
    await page.waitForTimeout(300);
    expect(paths).toEqual(['events']); // what makes the world is one call
    await page.unrouteAll();
    await page.getByRole('status').getByText('Connected').waitFor();
    const own = server.session('mine');
    await own.faults.add('*: 503');
    const line = page.getByRole('list', { name: 'Faults' }).getByText('*: 503');
    await line.waitFor();

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
    expect(await line.count()).toBe(1); // what was known stays
    await page.unrouteAll();
    await own.clock.advance('1s');
    await expectNoAlert(page);

    let asked = 0;
    await page.route('**/state/changes', () => {
      asked += 1; // and it never answers
    });
    const asking = page.waitForRequest('**/state/changes');
    await open(page, 'Scenario');
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/state/changes'));
    await asking;
    await own.scenario.load('in-flight');
    await page.getByRole('banner').getByText('in-flight').waitFor();
    expect(asked).toBe(1); // not again while it is open
    await open(page, 'Faults');
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect(await alertOf(page).count()).toBe(0);
  });
});
