// How the page stands to its server: one that goes and comes back, and one that asks for a token.
import { describe, expect, onTestFinished, test } from 'vitest';
import { type GatewayServer, startServer } from '../src/server.ts';
import { hasChromium } from './chromium.ts';
import { expectFitForAll, openInspector } from './open-inspector.ts';

/** A server on the port that another one had. */
const startAgain = async (old: GatewayServer, options: Parameters<typeof startServer>[0]) => {
  const server = await startServer({ ...options, port: Number(new URL(old.url).port) });
  onTestFinished(() => server.close());
  return server;
};

describe.skipIf(!hasChromium)('the page and its server', () => {
  test('shows that the server is gone, and recovers by itself with what is there now', async () => {
    const { server, page } = await openInspector({ hash: '#/clock' });
    const status = page.getByRole('status');
    await page.locator('.clock-time').getByText('2026-01-15 12:00:00').waitFor();
    await server.close();
    await status.getByText('The server does not answer. Trying again …').waitFor();
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await page.getByText('Is the server running?').first().waitFor();
    await expectFitForAll(page);

    const again = await startAgain(server, { scenario: 'in-flight' });
    await again.clock.set('2027-01-01T00:00:00Z');
    await status.getByText('Connected').waitFor();
    await page.locator('.clock-time').getByText('2027-01-01 00:00:00').waitFor();
    await page.getByRole('link', { name: 'in-flight' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    // And it hears of what happens from now on.
    await again.clock.advance('1h');
    await page.locator('.clock-time').getByText('2027-01-01 01:00:00').waitFor();
  });

  test('asks for the token of the server, tells of a wrong one, and opens with the right one', async () => {
    const locked = await startServer({ adminToken: 'open sesame' });
    onTestFinished(() => locked.close());
    const { page } = await openInspector();
    await page.goto(`${locked.url}/__admin/#/scenario`);
    await page.getByRole('heading', { name: 'A token, please' }).waitFor();
    await page.getByRole('status').getByText('The server asks for a token').waitFor();
    await expectFitForAll(page);
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
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('status').getByText('Connected').waitFor();
    await page.getByRole('heading', { name: 'default', exact: true }).waitFor();
  });
});
