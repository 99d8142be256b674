// The panel of the clock, as a person uses it.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { expectFitForAll, openControlRoom, press, ways } from '../support/open-control-room.ts';

/** Few records, which change soon. */
const scenario = {
  threads: { t: { runs: { queued: 6, in_progress: 4 } } },
  batches: { in_progress: 2 },
};

const world = (page: Page) => page.getByRole('region', { name: "The world's time" });
const expectTime = (page: Page, time: string): Promise<void> =>
  world(page).getByText(time, { exact: true }).first().waitFor();
/** A time in seconds since 1970, as the page shows it. */
const show = (seconds = 0): string => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
const toSeconds = (time: string | null): number => Date.parse(time ?? '') / 1000;
const readNow = async ({ clock }: GatewayServer) => toSeconds((await clock.now()).now);
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const timeline = (page: Page) => page.getByRole('list', { name: 'Runs and batches with their states' });
const next = (page: Page) => page.getByRole('region', { name: 'What changes next' });

describe.skipIf(!hasChromium)('the panel of the clock', () => {
  test.each(ways('mouse'))(
    'goes to the next change as foretold, shows what changed, goes to any change, and takes it back, by %s',
    async (by) => {
      const { server, page } = await openControlRoom({ scenario: 'in-flight', hash: '#/clock' });
      const now = await readNow(server);
      const [first] = await server.clock.timeline({ limit: 1 });
      const id = first?.id ?? '';
      const at = first?.states.findIndex((state) => state.at > now) ?? -1;
      const [before, after] = [first?.states[at - 1], first?.states[at]];
      const timeOfThird = () => next(page).locator('time').nth(2).getAttribute('datetime');
      const third = await timeOfThird();
      expect(await next(page).getByRole('listitem').first().innerText()).toMatch(
        new RegExp(`in ${(after?.at ?? 0) - now} s\\s+${id}\\s+${before?.status} → ${after?.status}`),
      );
      await press(by, button(page, 'Next change'));
      await expectTime(page, show(after?.at));
      const changed = page.getByRole('region', { name: 'What changed' });
      const ofIt = { hasText: id };
      const newest = changed.getByRole('listitem').first();
      await newest.getByText('0 s ago').waitFor();
      await press(by, button(page, /^Show all \d+: What changed$/)); // many may change in one second
      await changed
        .getByRole('listitem')
        .filter(ofIt)
        .getByText(`${before?.status} → ${after?.status}`)
        .waitFor();
      const bar = timeline(page).getByRole('listitem').filter(ofIt);
      await bar
        .getByText(after?.status ?? '', { exact: true })
        .first()
        .waitFor();
      await press(by, button(page, 'Undo'));
      await expectTime(page, show(now));

      await expect.poll(timeOfThird).toBe(third); // the list follows after the time above
      const time = toSeconds(third);
      await press(
        by,
        next(page)
          .getByRole('button', { name: /^Go here/ })
          .nth(2),
      );
      await expectTime(page, show(time));
      expect(await readNow(server)).toBe(time);
      await press(by, changed.getByRole('link').first());
      await page.waitForURL('**/#/data/*/*');
    },
  );

  test('a press on a state moves the clock there, and the range is in the link', async () => {
    const { server, page } = await openControlRoom({ scenario: 'in-flight', hash: '#/clock?range=1+h' });
    await server.clock.advance('5m');
    await expectTime(page, '2026-01-15 12:05:00');
    await expectFitForAll(page);
    const state = timeline(page).locator('[data-coming]').first();
    const [, time = ''] = /at (.*)$/.exec((await state.getAttribute('aria-label')) ?? '') ?? [];
    await state.click({ position: { x: 1, y: 4 } });
    await expectTime(page, time);
    await button(page, 'Undo').click();
    await expectTime(page, '2026-01-15 12:05:00');

    await page.getByRole('combobox', { name: 'Range' }).selectOption('1 day');
    await page.waitForURL('**/#/clock?range=1+day');
    await page.reload();
    await expect.poll(() => timeline(page).getByRole('listitem').count()).toBe(25);
    expect(await page.getByRole('combobox', { name: 'Range' }).inputValue()).toBe('1 day');
    await page.getByText(/^25 of \d{2,3}, those with the nearest changes$/).waitFor();
  });

  test.each(ways('keys'))('moves by a step, spans and dates, and runs, by %s', async (by) => {
    const { server, page } = await openControlRoom({ scenario, hash: '#/clock' });
    await press(by, button(page, 'Advance by 10 min'));
    await expectTime(page, '2026-01-15 12:10:00');
    const field = page.getByLabel('Move by a time, or to a date');
    for (const [given, time] of [
      [' 90 ', '2026-01-15 12:11:30'],
      ['2026-02-01 08:00', '2026-02-01 08:00:00'],
      ['2026-01-15T13:00:00+01:00', '2026-01-15 12:00:00'],
    ] as const) {
      await field.fill(given);
      await field.press('Enter');
      await expectTime(page, time);
    }
    await field.fill('soon');
    await field.press('Enter');
    await page.getByRole('alert').getByText('Failed to read the duration "soon"').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('1m');
    await page.getByRole('alert').waitFor({ state: 'detached' });

    const [{ id = '' } = {}] = await server.clock.timeline({ limit: 1 });
    const search = page.getByLabel('Search', { exact: true });
    await search.fill(id.slice(2).toUpperCase());
    await expect.poll(() => timeline(page).getByRole('listitem').count()).toBe(1);
    expect(page.url()).toContain(`q=${id.slice(2).toUpperCase()}`);
    await search.fill('nothing of the kind');
    await page.getByText('No run or batch has “nothing of the kind” in its id').waitFor();
    await search.fill('');

    const shown = () => world(page).locator('time').innerText();
    const speed = async () => (await server.clock.now()).speed;
    const time = await shown();
    await page.getByLabel('Speed').selectOption('1 min per second');
    await expect.poll(shown).not.toBe(time);
    expect(await speed()).toBe(60);
    await page.getByLabel('Speed').selectOption('frozen');
    await page.getByText('Clock: frozen').waitFor(); // with its Undo
    const { now, speed: stopped } = await server.clock.now();
    expect(stopped).toBe(0);
    const frozen = now.slice(0, 19).replace('T', ' ');
    await expect.poll(shown).toBe(frozen); // it may have run on until it heard of it
    await page.waitForTimeout(600); // a running one is shown twice a second
    expect(await shown()).toBe(frozen);
    await page.keyboard.press('Control+z');
    await expect.poll(speed).toBe(60);
  });

  test('says that nothing is to come, knows of records that will appear, and stops at the end of time', async () => {
    const { server, page } = await openControlRoom({ scenario: 'empty', hash: '#/clock' });
    await page.getByText('No further changes.').waitFor();
    await page.getByText('There are no runs or batches.').waitFor();
    expect(await button(page, 'Next change').getAttribute('aria-disabled')).toBe('true');
    await server.scenario.load('training');
    await page.getByText('a record appears').waitFor();

    await server.clock.set('9999-12-31T00:00:00Z');
    await expectTime(page, '9999-12-31 00:00:00');
    await button(page, 'Advance by 1 day').click();
    await page.getByRole('alert').getByText('Failed to set the clock').waitFor();
    await server.clock.run(1_000_000);
    await expectTime(page, '9999-12-31 23:59:59');
    await page.waitForTimeout(1100); // it is shown twice a second, and asked for each second
    await expectTime(page, '9999-12-31 23:59:59');
    await expectFitForAll(page);
  });
});
