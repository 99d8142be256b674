// The panel of the sessions, as a person uses it.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, expectFitForAll, openControlRoom } from '../support/open-control-room.ts';

describe.skipIf(!hasChromium)('the panel of sessions', () => {
  test('by keys: creates one from the present state, goes there, comes back, and deletes it once that is confirmed', async () => {
    const { server, page } = await openControlRoom({ hash: '#/sessions' });
    await server.clock.advance('1h');
    const sessions = page.getByRole('list', { name: 'Sessions' });
    await page.getByRole('textbox', { name: 'Name' }).fill('checkout');
    await page.keyboard.press('Enter');
    await page.getByText('The session checkout was created.').waitFor();
    expect(await server.session('checkout').clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });

    const one = sessions.getByRole('listitem').filter({ hasText: 'checkout' });
    const baseUrl = `${server.url}/sessions/checkout/v1`;
    await one.getByText(baseUrl, { exact: true }).waitFor();
    await one.getByRole('button', { name: 'Copy the base URL of checkout' }).press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(baseUrl);

    await one.getByRole('link', { name: 'Go to the session checkout' }).press('Enter');
    await page.waitForURL(`${server.url}/sessions/checkout/__admin/#/sessions`);
    await one.getByText('this page').waitFor();
    await one.getByText('To delete this session, open another one first.').waitFor();
    await sessions.getByRole('link', { name: 'Go to the session default' }).press('Enter');
    await page.waitForURL(`${server.url}/__admin/#/sessions`);

    // Deletion cannot be undone: whoever presses the same key twice keeps the session.
    await page.getByRole('button', { name: 'Delete checkout' }).press('Enter');
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await question.getByText('Delete the session checkout?').waitFor();
    await expectFitForAll(page);
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'hidden' });
    expect(await server.sessions.list()).toContain('checkout');
    await page.getByRole('button', { name: 'Delete checkout' }).press('Enter');
    await question.getByRole('button', { name: 'Delete checkout' }).press('Enter');
    await page.getByText('The session checkout was deleted.').waitFor();
    await expect.poll(() => one.count()).toBe(0);
    expect(await server.sessions.list()).toEqual(['default']);
  });

  test('by mouse: from a scenario and from another session, again after asking, with names explained and a filter', async () => {
    const { server, page } = await openControlRoom({ hash: '#/sessions' });
    const name = page.getByRole('textbox', { name: 'Name' });
    const create = page.getByRole('button', { name: 'Create', exact: true });
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await name.fill('../etc');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('a name has 1 to 64 letters').waitFor();
    await name.fill('quiet');
    await page.getByLabel('From').selectOption('empty');
    await create.click();
    await page.getByText('The session quiet was created.').waitFor();
    expect(await server.session('quiet').records.batches.list()).toEqual([]);
    await name.fill('copy');
    await page.getByLabel('From').selectOption('quiet');
    await create.click();
    await page.getByText('The session copy was created.').waitFor();
    expect(await server.session('copy').records.batches.list()).toEqual([]);

    await name.fill('quiet');
    await page.getByLabel('From').selectOption('in-flight');
    await create.click();
    await page.getByText('Recreate the session quiet?').waitFor();
    expect((await server.session('quiet').scenario.current()).name).toBe('empty');
    await page.getByRole('button', { name: 'Recreate quiet' }).click();
    await expect.poll(async () => (await server.session('quiet').scenario.current()).name).toBe('in-flight');

    for (let count = 1; count <= 9; count += 1)
      await fetch(`${server.url}/sessions/worker-${count}/v1/batches`, { headers: clientHeaders });
    await page.getByRole('link', { name: 'Go to the session worker-9' }).waitFor();
    await expectFitForAll(page);
    await page.getByLabel('Filter').fill('R-7');
    const items = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(1);
    expect(new URL(page.url()).hash).toBe('#/sessions?q=R-7');
    await page.getByLabel('Filter').fill('none');
    await page.getByText('No session contains this text.').waitFor();
  });

  test('the palette creates, opens and deletes sessions', async () => {
    const { server, page } = await openControlRoom({ hash: '#/assumptions' });
    const run = async (text: string, option: string | RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run' }).fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    await run('create session review', 'create the session review');
    await page.getByText('The session review was created.').waitFor();
    await run('delete session review', 'Delete review');
    await page.getByRole('button', { name: 'Delete review' }).click();
    await page.getByText('The session review was deleted.').waitFor();
    expect(await server.sessions.list()).toEqual(['default']);
    await server.sessions.create('other');
    await run('othe', /^session other$/);
    await page.waitForURL(`${server.url}/sessions/other/__admin/#/assumptions`);
  });
});
