// The page never goes from one world to another without a word: it says that its world is lost, or that it began anew.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { openServer } from '../support/open-gateway.ts';
import { clientHeaders, expectFitForAll, openInspector } from '../support/open-inspector.ts';

/** Another server in the place of this one. */
const restart = async (server: GatewayServer, options: ServerOptions = {}): Promise<GatewayServer> => {
  await server.close();
  return openServer({ ...options, port: Number(new URL(server.url).port) });
};

const alertOf = (page: Page) => page.getByRole('alert');
const clockOf = (page: Page) => page.locator('.clock-time');
const goOn = { name: 'Load the new data from the server' };

const callBatches = ({ url }: GatewayServer, session: string): Promise<Response> =>
  fetch(`${url}/sessions/${session}/v1/batches`, { headers: clientHeaders });

describe.skipIf(!hasChromium)('the page of a world that is lost', () => {
  test('says so after a restart, keeps what it showed, changes nothing, and goes on at the press of a button', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/clock' });
    await server.session('mine').clock.advance('1h');
    await clockOf(page).getByText('13:00:00').waitFor();
    const again = await restart(server);
    await alertOf(page).getByText('The server was restarted').waitFor();
    await expectFitForAll(page, 'wide dark');
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await page.getByText('The world of the session "mine" is lost').waitFor();
    await clockOf(page).getByText('13:00:00').waitFor();
    expect(await again.session('mine').clock.now()).toMatchObject({ now: '2026-01-15T12:00:00.000Z' });

    await page.getByRole('button', goOn).click();
    await clockOf(page).getByText('12:00:00').waitFor();
    await expect.poll(() => alertOf(page).allTextContents()).toEqual([]); // what failed is asked again
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await clockOf(page).getByText('13:00:00').waitFor();
    expect(await again.session('mine').clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });
  });

  test('keeps the requests of the lost world, and adds none of the next until somebody goes on', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/requests' });
    const rows = page.getByText('/v1/batches');
    await callBatches(server, 'mine');
    await expect.poll(() => rows.count()).toBe(1);
    const again = await restart(server);
    await alertOf(page).getByText('The server was restarted').waitFor();
    await callBatches(again, 'mine');
    await callBatches(again, 'mine');
    expect(await rows.count()).toBe(1);
    await page.getByRole('button', goOn).click();
    await expect.poll(() => rows.count()).toBe(2);
  });

  test('says that its session was removed because there were too many, and makes it anew at the press of a button', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/clock', maxSessions: 2 });
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await clockOf(page).getByText('13:00:00').waitFor();
    await server.sessions.create('other');
    await alertOf(page).getByText('This session was removed to make room for others').waitFor();
    await clockOf(page).getByText('13:00:00').waitFor();
    await expectFitForAll(page, 'narrow dark');

    await page.getByRole('button', { name: 'Create the session again' }).click();
    await clockOf(page).getByText('12:00:00').waitFor();
    await expect.poll(() => alertOf(page).count()).toBe(0);
    expect((await callBatches(server, 'mine')).status).toBe(200);
  });

  test('says so where it is opened when its session was removed before', async () => {
    const server = await openServer({ maxSessions: 2 });
    await callBatches(server, 'mine');
    await server.sessions.create('other');
    const { page } = await openInspector({ server, session: 'mine', hash: '#/clock' });
    await alertOf(page).getByText('This session was removed to make room for others').waitFor();
    await page.getByRole('button', { name: 'Create the session again' }).click();
    await clockOf(page).getByText('12:00:00').waitFor();
  });
});

describe.skipIf(!hasChromium)('the page of a session that was deleted', () => {
  test('says so, keeps what it showed, and does not create it again by itself', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/clock' });
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await clockOf(page).getByText('13:00:00').waitFor();
    await server.sessions.delete('mine');
    await alertOf(page).getByText('This session was deleted.').waitFor();
    await expectFitForAll(page, 'narrow light');
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('link', { name: 'Clock', exact: true }).click();
    await page.waitForTimeout(500);
    expect(await server.sessions.list()).toEqual(['default']);
    await page.getByRole('button', { name: 'Create the session again' }).press('Enter');
    await clockOf(page).getByText('12:00:00').waitFor();
    await expect.poll(() => alertOf(page).count()).toBe(0);
    expect(await server.sessions.list()).toContain('mine');

    await server.sessions.delete('mine');
    await page.getByRole('link', { name: 'Go to the default session' }).click();
    await page.waitForURL(`${server.url}/__admin/#/clock`);
    await clockOf(page).getByText('12:00:00').waitFor();
    expect(await server.sessions.list()).toEqual(['default']);
  });

  test('does not create it again by a call that arrives late', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/clock' });
    await server.sessions.delete('mine');
    await page.getByRole('button', { name: 'Create the session again' }).click();
    await clockOf(page).getByText('12:00:00').waitFor();
    const held: Route[] = [];
    await page.route('**/sessions/mine/__admin/**', (route) => void held.push(route));
    await server.session('mine').clock.advance('1h');
    await expect.poll(() => held.length).toBeGreaterThan(2);
    await server.sessions.delete('mine');
    await alertOf(page).getByText('This session was deleted.').waitFor();
    await page.unrouteAll();
    const replies = held.map((route) => route.fetch());
    for (const reply of await Promise.all(replies)) expect(reply.status()).toBe(412);
    expect(await server.sessions.list()).toEqual(['default']);
  });

  test('sends one call at first, and the others once it is answered', async () => {
    const held: Route[] = [];
    const { page } = await openInspector({
      session: 'mine',
      hash: '#/clock',
      says: 'Connecting',
      prepare: (page) =>
        page.route(/\/mine\/__admin\/(?!#|$|inspector|chunk|panels)/, (route) => void held.push(route)),
    });
    await page.waitForTimeout(500);
    expect(held.map((route) => route.request().url()).map((url) => url.split('__admin/')[1])).toEqual([
      'clock/now',
    ]);
    await page.unrouteAll();
    await clockOf(page).getByText('12:00:00').waitFor();
    await page.getByRole('status').getByText('Connected').waitFor();
  });

  test('continues with one of its name that a client has begun', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/clock' });
    await server.sessions.delete('mine');
    await alertOf(page).getByText('This session was deleted.').waitFor();
    await server.session('mine').clock.advance('5h');
    await page.getByRole('button', { name: 'Create the session again' }).click();
    await clockOf(page).getByText('17:00:00').waitFor();
  });
});

describe.skipIf(!hasChromium)('the page of a world that was made anew on purpose', () => {
  test('says so without alarm, and shows the new world at once', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/clock' });
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await clockOf(page).getByText('13:00:00').waitFor();
    await server.sessions.create('mine');
    await page.getByRole('status').getByText('This session was created again.').waitFor();
    await clockOf(page).getByText('12:00:00').waitFor();
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await clockOf(page).getByText('13:00:00').waitFor();
    await expect.poll(() => alertOf(page).count()).toBe(0);
  });

  test('hears nothing where only another session was', async () => {
    const { server, page } = await openInspector({ session: 'mine', hash: '#/clock' });
    await server.sessions.create('other');
    await server.session('mine').clock.advance('1h');
    await clockOf(page).getByText('13:00:00').waitFor();
    expect(await page.getByText('made anew').count()).toBe(0);
  });

  test('says so where the files were loaded anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-lost-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'bug.yaml');
    writeFileSync(file, 'batches: 1');
    const { page } = await openInspector({
      scenario: file,
      watch: true,
      session: 'mine',
      hash: '#/data/batches',
    });
    writeFileSync(file, 'batches: { records: [{ id: batch_fresh }] }');
    await page.getByRole('status').getByText('The scenario files were reloaded').waitFor();
    await page.getByRole('link', { name: 'batch_fresh' }).waitFor();
    await expect.poll(() => alertOf(page).count()).toBe(0);
  });
});
