// What is around the panels, and the assumptions.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { expectFitForAll, focused, openControlRoom } from '../support/open-control-room.ts';

describe.skipIf(!hasChromium)('the control room', () => {
  test('is used by keys: skip link, palette, search of the panel, list of keys', async () => {
    const { page } = await openControlRoom({ hash: '#/assumptions' });
    const finder = page.getByRole('combobox', { name: 'Search or run' });
    await page.getByText('api-keys', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page, 'textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page, 'id')).toBe('main');
    await page.keyboard.press('Control+k');
    await finder.fill('nothing of the kind');
    await page.getByText('Nothing contains this text.').waitFor();
    await expectFitForAll(page);
    await finder.fill('clock');
    await page.getByRole('option', { name: 'Freeze the clock' }).waitFor();
    await expectFitForAll(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page, 'id')).toBe('main'); // where it was
    await page.keyboard.press('Control+k');
    await page.keyboard.type('advance 3d'); // at once, before the box is there
    await expect.poll(() => finder.inputValue()).toBe('advance 3d');
    await page.getByRole('option', { name: 'Advance the clock by 3d' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2026-01-18 12:00:00').first().waitFor();
    await page.locator('[data-undo]').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('2026-01-15 12:00:00').first().waitFor();
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keys and docs' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('batch');
    await page.waitForURL('**q=batch');
  });

  test('changes an assumption with undo, filters in the link, and remembers the colours', async () => {
    const { server, page } = await openControlRoom({ hash: '#/assumptions', isOwnPage: true });
    const all = await server.assumptions.list();
    const one = all.findLast(({ choices }) => choices.length > 1);
    const items = page.getByRole('main').getByRole('listitem');
    const other = one?.choices[1]?.[0] ?? '';
    const read = async () => (await server.assumptions.list()).find(({ id }) => id === one?.id)?.value;
    await page.getByLabel(`Choice for ${one?.id}`, { exact: true }).selectOption(other);
    await page.getByRole('status').getByText(`${one?.id}: now ${other}`).waitFor();
    await items.first().getByText('switched', { exact: true }).waitFor();
    expect(await read()).toBe(other);
    await page.getByRole('button', { name: 'Undo' }).click(); // it is shown for six seconds
    await expect.poll(read).toBe(one?.value);
    await expectFitForAll(page);
    await page.getByLabel('Search', { exact: true }).fill('limit');
    await page.waitForURL('**q=limit');
    const count = page.getByRole('main').getByText(/^\d+ of \d+$/);
    await expect
      .poll(async () => (await count.textContent()) === `${await items.count()} of ${all.length}`)
      .toBe(true);

    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await expect.poll(ground).not.toBe(light);
    await page.reload();
    await expect.poll(ground).not.toBe(light);
    await expectFitForAll(page);
  });

  test('at most three messages are shown, and one of them can be undone', async () => {
    const { server, page } = await openControlRoom({ hash: '#/clock' });
    const undos = await page.evaluateHandle(() => {
      const counts = new Set<number>();
      const count = () => counts.add(document.querySelectorAll('[data-undo]').length);
      new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
      return counts;
    });
    for (const step of ['1 m', '1 h']) {
      await page.getByRole('button', { name: `Advance by ${step}` }).click();
      await page.getByText(`Clock: moved by or to ${step.replace(' ', '')}`).waitFor();
    }
    expect(await page.locator('[data-undo]').count()).toBe(1);
    expect(await undos.evaluate((counts) => Math.max(...counts))).toBe(1);
    await server.clock.set('9999-12-31T23:59:59Z');
    await page.clock.install();
    const errors = page.getByRole('alert').getByText('Failed to set the clock to');
    for (const step of ['1 m', '10 m', '1 h', '1 d']) {
      await page.getByRole('button', { name: `Advance by ${step}` }).click();
      await errors.filter({ hasText: `"${step.replace(' ', '')}"` }).waitFor();
    }
    await expect
      .poll(async () => (await errors.allTextContents()).map((text) => text.split('"')[1]))
      .toEqual(['10m', '1h', '1d']);
    await page.clock.fastForward('01:00');
    expect(await errors.count()).toBe(3);
  });

  test('on a phone the panels are in a bar below, and the others behind More', async () => {
    const { page } = await openControlRoom({ hash: '#/requests', width: 390 });
    const bar = page.getByRole('navigation', { name: 'Main panels' });
    await bar.getByRole('link', { name: 'Clock' }).click();
    await page.getByRole('heading', { name: 'Clock', level: 1 }).waitFor();
    await bar.getByRole('button', { name: 'More' }).click();
    await expectFitForAll(page);
    await page.getByRole('navigation', { name: 'Panels', exact: true }).getByText('Limits').click();
    await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
    await bar.getByRole('button', { name: 'More', expanded: false }).waitFor();
  });

  test('a panel whose code failed to load once loads on "Try again"', async () => {
    const { page } = await openControlRoom({
      hash: '#/assumptions',
      isOwnPage: true,
      prepare: (own) => own.route('**/assets/clock-*', (route) => route.abort()),
    });
    await page.getByRole('link', { name: 'Clock', exact: true }).click();
    await page.getByRole('alert').getByText('Failed to show this panel').waitFor();
    await expectFitForAll(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Next change' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
