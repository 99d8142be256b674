// How the page stands to its server: one that goes and comes back, and one that asks for a token.

import { describe, expect, test } from 'vitest';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { openServer } from '../support/open-gateway.ts';
import { clientHeaders, expectFitForAll, openInspector } from '../support/open-inspector.ts';
import { isFull } from '../support/settings.ts';

/** A server on the port that another one had. */
const startAgain = (old: GatewayServer, options: ServerOptions) =>
  openServer({ ...options, port: Number(new URL(old.url).port) });

describe.skipIf(!hasChromium)('the page and its server', () => {
  test('shows that the server is gone, and goes on with what is there now at the press of a button', async () => {
    const { server, page } = await openInspector({ hash: '#/clock' });
    const status = page.getByRole('status');
    await page.locator('.clock-time').getByText('2026-01-15 12:00:00').waitFor();
    await server.close();
    await status.getByText('The server does not answer. Trying again …').waitFor();
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await page.getByText('Is the server running?').first().waitFor();
    await expectFitForAll(page, 'wide light');

    const again = await startAgain(server, { scenario: 'in-flight' });
    await again.clock.set('2027-01-01T00:00:00Z');
    await status.getByText('Connected').waitFor();
    await page.getByRole('button', { name: 'Load the new data from the server' }).click();
    await page.locator('.clock-time').getByText('2027-01-01 00:00:00').waitFor();
    await page.getByRole('link', { name: 'in-flight' }).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    // And it hears of what happens from now on.
    await again.clock.advance('1h');
    await page.locator('.clock-time').getByText('2027-01-01 01:00:00').waitFor();
  });

  test('asks for the token of the server, tells of a wrong one, and opens with the right one', async () => {
    const locked = await openServer({ adminToken: 'open sesame' });
    const says = 'The server requires a token';
    const { page } = await openInspector({ server: locked, hash: '#/scenario', says });
    await page.getByRole('heading', { name: 'Admin token required' }).waitFor();
    await expectFitForAll(page, 'narrow light');
    await page.getByLabel('Token').fill('sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The server refuses this token.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password');
    await page.keyboard.type('open sesame'); // over the wrong one, which is selected
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Connected').waitFor();
    await page.getByRole('heading', { name: 'default', exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.getByRole('button', { name: 'Load empty', exact: true }).click();
    await page.getByText('empty is loaded.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'empty', exact: true }).waitFor();
  });

  test('asks anew where the server came back with another token', async () => {
    const { server, page } = await openInspector({ hash: '#/scenario' });
    await server.close();
    await startAgain(server, { adminToken: 'fresh' });
    await page.getByLabel('Token').fill('fresh');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('status').getByText('Connected').waitFor();
    await page.getByRole('button', { name: 'Load the new data from the server' }).click();
    await page.getByRole('heading', { name: 'default', exact: true }).waitFor();
  });

  test('refuses a token that cannot be sent, in words, and asks again', async () => {
    const locked = await openServer({ adminToken: 'öpen' });
    const says = 'The server requires a token';
    const { page } = await openInspector({ server: locked, hash: '#/scenario', says });
    for (const [token, problem] of [
      ['x'.repeat(20_000), 'The token is too long.'],
      ['日本', 'The token has a character that is not allowed in headers.'],
    ] as const) {
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByRole('alert').getByText(problem).waitFor();
    }
    await page.reload();
    await page.getByLabel('Token').fill('öpen');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('heading', { name: 'default', exact: true }).waitFor();
  });

  test('many pages in one browser hear all of it, and leave it free to call the server', async () => {
    const { server, page: first } = await openInspector({ hash: '#/clock', isOwnPage: true });
    // One more than a browser has connections to a server.
    const names = ['one', 'two', 'three', 'four', ...(isFull ? ['five'] : []), 'six', 'six'];
    const others = names.map(async (name) => {
      const page = await first.context().newPage();
      await page.goto(`${server.url}/sessions/${name}/__admin/#/clock`);
      await page.getByRole('status').getByText('Connected').waitFor();
      return page;
    });
    const pages = [first, ...(await Promise.all(others))];
    const expectTime = async (time: string, ...heard: typeof pages): Promise<void> => {
      for (const page of heard) await page.locator('.clock-time').getByText(time).waitFor();
    };
    await first.getByRole('button', { name: '+ 1 h' }).click();
    await expectTime('13:00:00', first);
    await server.session('six').clock.advance('2h');
    await expectTime('14:00:00', ...pages.slice(-2));
    await expectTime('12:00:00', ...pages.slice(1, -2)); // each is of its own session
    const status = await first.evaluate(
      async ([url = '', headers = '{}']) => (await fetch(url, { headers: JSON.parse(headers) })).status,
      [`${server.baseUrl}/batches`, JSON.stringify(clientHeaders)],
    );
    expect(status).toBe(200);
    // Whoever came first goes: the others go on to hear.
    await pages[1]?.close();
    await first.close();
    await server.session('six').clock.advance('2h');
    await expectTime('16:00:00', ...pages.slice(-2));
    await pages.at(-1)?.getByText('Connected').waitFor();
  });

  test('hears of the server by itself where the browser has no shared workers', async () => {
    const { server, page } = await openInspector({
      hash: '#/clock',
      isOwnPage: true,
      prepare: (page) => page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker')),
    });
    expect(await page.evaluate(() => 'SharedWorker' in globalThis)).toBe(false);
    await server.clock.advance('1h');
    await page.locator('.clock-time').getByText('13:00:00').waitFor();
  });

  test('shows the session as it is after others deleted it, or made it anew', async () => {
    const { server, page } = await openInspector({ hash: '#/clock', session: 'mine' });
    await server.session('mine').clock.advance('1h');
    await page.locator('.clock-time').getByText('13:00:00').waitFor();
    await server.sessions.delete('mine');
    await page.getByRole('alert').getByText('This session was deleted.').waitFor();
    await server.sessions.create('mine', { scenario: 'in-flight' });
    await page.getByRole('link', { name: 'in-flight' }).waitFor();
  });

  test('asks a question again only once it was answered, and then shows what is there', async () => {
    const { server, page } = await openInspector({ hash: '#/data/batches?pages=1.7' });
    await page.getByText(/^[\d,]+ batches$/).waitFor();
    let [underWay, most, asked] = [0, 0, 0];
    await page.route('**/records/batches/list', async (route) => {
      asked += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 400));
      underWay -= 1;
      await route.continue();
    });
    while (asked < 3) {
      await server.clock.advance('1s');
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    await server.records.batches.create({ id: 'batch_last' });
    await page.getByRole('link', { name: 'batch_last' }).waitFor();
    expect(most).toBe(1);
  });

  test('shows the failure of several questions once, keeps the last answer, and takes it back', async () => {
    const { server, page } = await openInspector({ hash: '#/faults' });
    await server.faults.add('*: 503');
    const row = page.getByRole('row', { name: '*: 503' });
    await row.waitFor();
    const refuse = (path: string) =>
      page.route(path, (route) =>
        route.fulfill({
          json: { error: { message: 'No luck.' } },
          status: 500,
          headers: { 'x-mock-admin': 'yes' },
        }),
      );
    await refuse('**/__admin/faults/list');
    await refuse('**/__admin/quotas/list');
    await server.clock.advance('1s');
    await page.getByRole('main').getByRole('alert').getByText('No luck.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await row.count()).toBe(1);
    await page.unrouteAll();
    await server.clock.advance('1s');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('ends a question that nobody waits for any more', async () => {
    const { page } = await openInspector({ hash: '#/faults' });
    await page.route('**/__admin/state/changes', () => new Promise(() => undefined)); // it never answers
    const asked = page.waitForRequest('**/__admin/state/changes');
    await page.getByRole('link', { name: 'Scenario', exact: true }).click();
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/state/changes'));
    await asked;
    await page.getByRole('link', { name: 'Faults', exact: true }).click();
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('loads the other panels once one of them is opened, says so if it fails, and tries again', async () => {
    const loaded: string[] = [];
    const { page } = await openInspector({
      isOwnPage: true,
      prepare: async (page) => {
        page.on('response', (response) => loaded.push(response.url().replace(/.*__admin./, '')));
        await page.route('**/panels.js*', (route) => route.abort());
      },
    });
    expect(loaded).toEqual(expect.arrayContaining(['', 'inspector.js', 'chunk.js', 'inspector.css']));
    expect(loaded).not.toContain('panels.js');
    await page.getByRole('link', { name: 'Clock', exact: true }).click();
    await page.getByRole('alert').getByText('Failed to load this panel').waitFor();
    const failedAgain = page.waitForEvent('requestfailed', (request) => request.url().includes('panels.js?'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await failedAgain;
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '+ 1 h' }).waitFor();
    expect(loaded).toContain('panels.js?again=2');
  });

  test('shows the view of a hash that changes while the page is first drawn', async () => {
    const changeHash = () =>
      new MutationObserver((_changes, observer) => {
        if (document.querySelector('nav') === null) return;
        observer.disconnect();
        location.hash = '#/faults';
      }).observe(document, { childList: true, subtree: true });
    const { page } = await openInspector({
      isOwnPage: true,
      prepare: (page) => page.addInitScript(changeHash),
    });
    await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor();
  });
});
