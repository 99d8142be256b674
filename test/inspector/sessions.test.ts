// The panels of the sessions and of the assumptions, as a person uses them.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, expectFitForAll, openInspector } from '../support/open-inspector.ts';

describe.skipIf(!hasChromium)('the panel of the sessions', () => {
  test('makes one from the present state, goes there, keeps it apart, and deletes it', async () => {
    const { server, page } = await openInspector({ hash: '#/sessions' });
    await server.clock.advance('1h');
    const sessions = page.getByRole('list', { name: 'Sessions' });
    await page.getByLabel('Name').fill('checkout');
    await page.keyboard.press('Enter');
    await page.getByText('The session checkout was created.').waitFor();
    expect(await server.session('checkout').clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });

    const row = sessions.getByRole('listitem').filter({ hasText: 'checkout' });
    const baseUrl = `${server.url}/sessions/checkout/v1`;
    await row.getByText(baseUrl, { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Copy the base URL of checkout' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(baseUrl);

    await sessions.getByRole('link', { name: 'Go to the session checkout' }).click();
    await page.waitForURL(`${server.url}/sessions/checkout/__admin/#/sessions`);
    await row.getByText('this page').waitFor();
    await page.getByRole('link', { name: 'Clock', exact: true }).click();
    await page.getByRole('button', { name: '+ 1 day' }).click();
    await page.locator('.clock-time').getByText('2026-01-16 13:00:00').waitFor();
    expect(await server.clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });

    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByText('To delete this session, open another one first.').waitFor();
    await sessions.getByRole('link', { name: 'Go to the session default' }).click();
    // It cannot be undone. It is kept by whoever presses the same key on and on.
    await page.getByRole('button', { name: 'Delete checkout' }).focus();
    for (let pressed = 0; pressed < 4; pressed += 1) await page.keyboard.press('Enter');
    expect(await server.sessions.list()).toContain('checkout');
    await page.getByRole('button', { name: 'Delete checkout' }).press('Enter');
    await page.getByRole('button', { name: 'Yes, delete checkout' }).press('Enter');
    await page.getByText('The session checkout was deleted.').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Sessions');
    expect(await server.sessions.list()).toEqual(['default']);
  });

  test('makes one from a scenario, tells of names that are none, and makes one anew', async () => {
    const { server, page } = await openInspector({ hash: '#/sessions' });
    const name = page.getByLabel('Name');
    await name.fill('../etc');
    await page.getByText('A name has 1 to 64 letters').waitFor();
    expect(await page.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(true);
    await name.fill('quiet');
    await page.getByLabel('From').selectOption('empty');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('The session quiet was created.').waitFor();
    expect(await server.session('quiet').records.batches.list()).toEqual([]);
    await name.fill('quiet');
    await page.getByText('A session with this name exists').waitFor();
    await page.getByLabel('From').selectOption('in-flight');
    await page.getByRole('button', { name: 'Recreate' }).click();
    await expect.poll(async () => (await server.session('quiet').scenario.current()).name).toBe('in-flight');
  });

  test('shows those that a client made, with a filter for many, and is fit for all', async () => {
    const { server, page } = await openInspector({ hash: '#/sessions' });
    for (let count = 1; count <= 9; count += 1)
      await fetch(`${server.url}/sessions/worker-${count}/v1/batches`, { headers: clientHeaders });
    await page.getByRole('link', { name: 'Go to the session worker-9' }).waitFor();
    await expectFitForAll(page, 'narrow dark');
    await page.getByLabel('Filter').fill('R-7');
    await expect
      .poll(() => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count())
      .toBe(1);
    expect(new URL(page.url()).hash).toBe('#/sessions?q=R-7');
  });
});

describe.skipIf(!hasChromium)('the panel of the assumptions', () => {
  test('counts what answers to a client rested on, and puts it first', async () => {
    const { server, page } = await openInspector({ hash: '#/assumptions?used=yes' });
    await page.getByText('No reply of this session depends on an assumption yet.').waitFor();
    const miss = (): Promise<Response> =>
      fetch(`${server.baseUrl}/threads/nobody/runs`, { headers: clientHeaders });
    const marks = (await miss()).headers.get('x-mock-assumptions')?.split(', ') ?? [];
    expect(marks).toContain('error-body');
    const items = page.getByRole('list', { name: 'Assumptions' }).getByRole('listitem');
    await items.filter({ hasText: 'error-body' }).getByText('used once').waitFor();
    await miss();
    await items.filter({ hasText: 'error-body' }).getByText('used 2 times').waitFor();
    expect((await items.getByRole('heading').allInnerTexts()).sort()).toEqual(marks.sort());
    await page.getByLabel('Only used assumptions').uncheck();
    await expect.poll(() => items.count()).toBe((await server.assumptions.list()).length);
    expect(marks).toContain(await items.first().getByRole('heading').innerText());
  });

  test('tells the value here, what else it may be, and finds by text', async () => {
    const { page } = await openInspector({
      assumptions: { 'unknown-cursor': 'empty-page' },
      hash: '#/assumptions',
    });
    await page.getByLabel('Filter').fill('unknown-cursor');
    const item = page
      .getByRole('list', { name: 'Assumptions' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'unknown-cursor', exact: true }) });
    await item.getByText('not the default').waitFor();
    expect(await item.innerText()).toMatch(/The contract is silent: .*empty-page.*Or 404.*or 400/s);
    expect(new URL(page.url()).hash).toBe('#/assumptions?q=unknown-cursor');
    await page.getByLabel('Filter').fill('nothing of the kind');
    await page.getByText('No assumption contains this text.').waitFor();
  });

  test('is fit for all', async () => {
    const { server, page } = await openInspector({ hash: '#/assumptions' });
    await fetch(`${server.baseUrl}/threads/nobody/runs`, { headers: clientHeaders });
    await page.getByText('used once').first().waitFor();
    await expectFitForAll(page, 'wide light');
  });
});
