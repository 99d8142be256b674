// What is around the panels, and the assumptions.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { expectFitForAll, openControlRoom } from '../support/open-control-room.ts';

const finder = (page: Page) => page.getByRole('combobox', { name: 'Search or run' });
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);

describe.skipIf(!hasChromium)('the control room', () => {
  test('is used by keys: skip link, palette, commands, list of keys', async () => {
    const { server, page } = await openControlRoom({ hash: '#/assumptions' });
    await page.getByText('api-keys', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await focusedId(page)).toBe('main');

    const run = async (text: string, option: string | RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await finder(page).fill(text);
      await page.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.press('Enter');
      await finder(page).waitFor({ state: 'hidden' });
    };
    await run('advance 3d', /Advance the clock by 3d/);
    await page.getByText('2026-01-18 12:00:00').first().waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('2026-01-15 12:00:00').first().waitFor();
    await run('fail next listBatches', /fail next listBatches/);
    await expect.poll(async () => (await server.faults.list()).length).toBe(1);
    await run('load in-flight', /Load in-flight/);
    await page.getByRole('banner').getByText('in-flight').waitFor();
    const [one] = await server.records.batches.list({ limit: 1 });
    await run(one?.id ?? '', one?.id ?? '');
    await page.waitForURL(`**/#/data/batches/${one?.id}`);
    expect(await focusedId(page)).toBe('main');
    await run('complete', 'command Complete'); // a button of the panel
    await page.getByText('The batch is now completed').waitFor();

    await page.keyboard.press('Control+k');
    await finder(page).fill('clock');
    await page.getByRole('option', { name: 'Freeze the clock' }).waitFor();
    await expectFitForAll(page);
    await finder(page).fill('nothing of the kind');
    await page.getByText('Nothing contains this text.').waitFor();
    await expectFitForAll(page);
    await page.keyboard.press('Escape');
    expect(await focusedId(page)).toBe('main'); // where it was
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await run('assume unknown-thread empty', /assume unknown-thread: /);
    await page.getByText(/Done: assume unknown-thread/).waitFor();
    await run('assumptions', 'Assumptions');
    await page.getByLabel('Search').waitFor();
    await page.keyboard.press('/'); // the search of the panel
    await page.keyboard.type('batch');
    await page.waitForURL('**q=batch');
    await run('colours', 'Colours: auto');
    await page.getByRole('button', { name: 'Colours: light' }).waitFor();
  });

  test('changes an assumption with undo, filters in the link, and remembers the colours', async () => {
    const { server, page } = await openControlRoom({
      hash: '#/assumptions?q=api-keys',
      isOwnPage: true,
    });
    const [one] = (await server.assumptions.list()).filter(({ choices }) => choices.length > 1);
    const other = one?.choices[1]?.[0] ?? '';
    const read = async () => (await server.assumptions.list()).find(({ id }) => id === one?.id)?.value;
    await page.getByLabel(`Choice for ${one?.id}`, { exact: true }).selectOption(other);
    await page.getByRole('status').getByText(`${one?.id} is now ${other}`).waitFor();
    await page.getByText('not the default').waitFor();
    expect(await read()).toBe(other);
    await expectFitForAll(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(read).toBe(one?.value);
    await page.getByLabel('Search').fill('cursor/');
    expect(page.url()).toContain('q=cursor%2F');

    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    for (const colours of ['auto', 'light'])
      await page.getByRole('button', { name: `Colours: ${colours}` }).click();
    await expect.poll(ground).not.toBe(light);
    await page.reload();
    await expect.poll(ground).not.toBe(light);
    await expectFitForAll(page);
  });

  test('eight tabs leave the browser free: a hidden one closes its stream and catches up when it is shown', async () => {
    const { server, page } = await openControlRoom({ hash: '#/assumptions', isOwnPage: true });
    const setVisible = (own: Page, state: string) =>
      own.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    const tabs = [page];
    while (tabs.length < 8) {
      await setVisible(tabs.at(-1) ?? page, 'hidden');
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      await tab.getByRole('status').getByText('Connected').waitFor();
      tabs.push(tab);
    }
    await server.clock.advance('1h');
    await tabs.at(-1)?.getByText('2026-01-15 13:00:00').waitFor();
    expect(await page.getByText('2026-01-15 12:00:00').count()).toBe(1);
    expect(await page.getByText('The server does not answer.').count()).toBe(0);
    await setVisible(page, 'visible');
    await page.getByText('2026-01-15 13:00:00').waitFor();
  });
});
