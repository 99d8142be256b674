// The panel of the clock, as a person uses it.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { expectFitForAll, openControlRoom } from '../support/open-control-room.ts';

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
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const timeline = (page: Page) => page.getByRole('list', { name: 'Runs and batches with their states' });
const next = (page: Page) => page.getByRole('region', { name: 'What changes next' });
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe.skipIf(!hasChromium)('the panel of the clock', () => {
  test('by mouse: goes to the next change as foretold, shows what changed, goes to any change, and takes it back', async () => {
    const { server, page } = await openControlRoom({ scenario: 'in-flight', hash: '#/clock' });
    const readNow = async () => Date.parse((await server.clock.now()).now) / 1000;
    const now = await readNow();
    const [first] = await server.clock.timeline({ limit: 1 });
    const id = first?.id ?? '';
    const at = first?.states.findIndex((state) => state.at > now) ?? -1;
    const [before, after] = [first?.states[at - 1], first?.states[at]];
    await page.getByText('Move the clock to see here what that changes.').waitFor();
    expect(await next(page).getByRole('listitem').first().innerText()).toMatch(
      new RegExp(`in ${(after?.at ?? 0) - now} s\\s+${id}\\s+${before?.status}\\s*${after?.status}`),
    );
    await button(page, 'Go to the next change').click();
    await expectTime(page, show(after?.at));
    const changed = page.getByRole('region', { name: 'What changed' });
    await changed.getByText(`from ${show(now)}`).waitFor();
    const line = changed.getByRole('listitem').filter({ hasText: id });
    expect(await line.innerText()).toMatch(new RegExp(`${before?.status}\\s*${after?.status}`));
    await timeline(page)
      .getByRole('listitem')
      .filter({ hasText: id })
      .getByText(after?.status ?? '', { exact: true })
      .first()
      .waitFor();
    await button(page, 'Undo').click();
    await expectTime(page, show(now));
    await page.getByText('Move the clock to see here what that changes.').waitFor();

    const third = next(page)
      .getByRole('button', { name: /^Go here/ })
      .nth(2);
    const time = Number(
      Date.parse((await next(page).locator('time').nth(2).getAttribute('datetime')) ?? '') / 1000,
    );
    await third.click();
    await expectTime(page, show(time));
    expect(await readNow()).toBe(time);

    await button(page, 'Advance by 1 day').click();
    await expectTime(page, show(time + 86_400));
    await button(page, /^Show all \d+: What changed/).click();
    await button(page, 'Show less: What changed').click();
    await changed.getByRole('link').first().click();
    await page.waitForURL('**/#/data/*/*');
  });

  test('by mouse: the timeline moves the clock, and its range is in the link', async () => {
    const { server, page } = await openControlRoom({ scenario: 'in-flight', hash: '#/clock?range=1+h' });
    const readNow = async () => Date.parse((await server.clock.now()).now) / 1000;
    const slider = page.getByRole('slider', { name: 'Move the clock' });
    const limit = async (name: 'min' | 'max') => Number(await slider.getAttribute(`aria-value${name}`));
    await server.clock.advance('5m');
    await expectTime(page, '2026-01-15 12:05:00');
    await expectFitForAll(page);

    const track = page.locator('.mantine-Slider-root');
    const box = await track.boundingBox();
    const middle = ((await limit('min')) + (await limit('max'))) / 2;
    await track.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } });
    await expect.poll(readNow).not.toBe(Date.parse('2026-01-15T12:05:00Z') / 1000);
    expect(Math.abs((await readNow()) - middle)).toBeLessThan(60);
    await button(page, 'Undo').click();
    await expectTime(page, '2026-01-15 12:05:00');

    await page.getByText('1 day', { exact: true }).last().click();
    await page.waitForURL('**/#/clock?range=1+day');
    await page.reload();
    await expect.poll(async () => (await limit('max')) - (await limit('min'))).toBe(86_400);
    expect(await page.getByRole('radio', { name: '1 day' }).isChecked()).toBe(true);
    expect(await timeline(page).getByRole('listitem').count()).toBe(25);
  });

  test('by keys: moves by steps, spans and dates, on the axis, to a change and to an end, and runs', async () => {
    const { server, page } = await openControlRoom({ scenario, hash: '#/clock' });
    const readNow = async () => Date.parse((await server.clock.now()).now) / 1000;
    for (const [step, time] of [
      ['1 min', '2026-01-15 12:01:00'],
      ['10 min', '2026-01-15 12:11:00'],
      ['1 h', '2026-01-15 13:11:00'],
      ['1 day', '2026-01-16 13:11:00'],
    ] as const) {
      await button(page, `Advance by ${step}`).press('Enter');
      await expectTime(page, time);
    }
    const field = page.getByLabel('Move by a time, or to a date');
    for (const [given, time] of [
      ['-1h11m', '2026-01-16 12:00:00'],
      ['90', '2026-01-16 12:01:30'],
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

    const third = next(page)
      .getByRole('button', { name: /^Go here/ })
      .nth(2);
    await third.focus();
    for (let count = 1; count <= 2; count += 1) {
      const time = (await next(page).locator('time').nth(2).getAttribute('datetime')) ?? '';
      await page.keyboard.press('Enter');
      await expectTime(page, show(Date.parse(time) / 1000));
      expect(await third.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    const before = await readNow();
    const slider = page.getByRole('slider', { name: 'Move the clock' });
    await slider.press('ArrowRight');
    await expect.poll(readNow).toBeGreaterThan(before);
    await server.clock.set('2026-01-15T12:00:00Z');
    await expectTime(page, '2026-01-15 12:00:00');

    const queued = (await server.clock.timeline({ limit: 1000 })).find(
      ({ kind, states }) =>
        kind === 'runs' && states.findLast(({ at }) => at <= 1_768_478_400)?.status === 'queued',
    );
    const id = queued?.id ?? '';
    const search = page.getByLabel('Search', { exact: true });
    await search.fill(id.slice(2).toUpperCase());
    await expect.poll(() => timeline(page).getByRole('listitem').count()).toBe(1);
    expect(page.url()).toContain(`q=${id.slice(2).toUpperCase()}`);
    const toEnd = button(page, `Go to its end: ${id}`);
    await toEnd.press('Enter');
    await expectTime(page, show(queued?.states.at(-1)?.at));
    await toEnd.waitFor({ state: 'detached' });
    expect(await focusedText(page)).toContain(id);
    expect((await server.records.runs.get(id))?.status).toBe(queued?.states.at(-1)?.status);
    await search.fill('nothing of the kind');
    await page.getByText('No run or batch has “nothing of the kind” in its id').waitFor();
    await search.fill('');

    const shown = () => world(page).locator('time').innerText();
    const lineAt = async () => (await timeline(page).locator('i').first().boundingBox())?.x;
    await page.getByRole('radio', { name: '1 h' }).press('Space');
    await page.waitForURL('**range=1+h**');
    await expect.poll(() => timeline(page).getByRole('listitem').count()).toBe(12);
    const [time, line] = [await shown(), await lineAt()];
    await page.getByLabel('Speed').selectOption('1 min per second');
    await expect.poll(shown).not.toBe(time);
    await expect.poll(lineAt).toBeGreaterThan(line ?? 0);
    expect(await server.clock.now()).toMatchObject({ speed: 60 });
    await page.getByLabel('Speed').selectOption('frozen');
    await world(page).getByText('runs 60×').waitFor({ state: 'detached' });
    expect(await server.clock.now()).toMatchObject({ speed: 0 });
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await server.clock.now()).speed).toBe(60);
  });

  test('the palette does what the buttons do', async () => {
    const { server, page } = await openControlRoom({ scenario: 'in-flight', hash: '#/assumptions' });
    const run = async (text: string, option: string | RegExp = text): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run' }).fill(text);
      await page.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.press('Enter');
    };
    const now = async () => (await server.clock.now()).now;
    await run('advance -1h30m', 'Advance the clock by -1h30m');
    await expect.poll(now).toBe('2026-01-15T10:30:00.000Z');
    await run('set 2026-01-15 12:00', 'Set the clock to 2026-01-15 12:00');
    await expect.poll(now).toBe('2026-01-15T12:00:00.000Z');
    const upcoming = await server.clock.upcoming();
    await run('Go to the next change');
    await expect.poll(now).toBe(upcoming);
    await run('run 600', 'Run the clock 600 times as fast');
    await expect.poll(async () => (await server.clock.now()).speed).toBe(600);
    await run('Freeze the clock');
    await expect.poll(async () => (await server.clock.now()).speed).toBe(0);
    const queued = (await server.clock.timeline({ limit: 1 }))[0];
    await run(`end of ${queued?.id}`, `Go to the end of ${queued?.id}`);
    await expect.poll(now).toBe(new Date((queued?.states.at(-1)?.at ?? 0) * 1000).toISOString());
  });

  test('says that nothing is to come, knows of records that will appear, and stops at the end of time', async () => {
    const { server, page } = await openControlRoom({ scenario: 'empty', hash: '#/clock' });
    await page.getByText('No further changes.').waitFor();
    await page.getByText('There are no runs or batches.').waitFor();
    expect(await button(page, 'Go to the next change').getAttribute('aria-disabled')).toBe('true');
    await server.scenario.load('training');
    await page.getByText('a record appears').waitFor();
    const before = await server.records.checkpoints.list();
    await button(page, 'Go to the next change').click();
    const count = async () => (await server.records.checkpoints.list()).length;
    await expect.poll(count).toBe(before.length + 1);
    const [newest] = await server.records.checkpoints.list({ limit: 1 });
    await expectTime(page, show(newest?.created_at));

    await server.clock.set('9999-12-31T00:00:00Z');
    await expectTime(page, '9999-12-31 00:00:00');
    await button(page, 'Advance by 1 day').click();
    const failure = page.getByRole('alert').getByText('Failed to set the clock');
    await failure.waitFor();
    await page.getByText('1 h', { exact: true }).last().click(); // the same view, with another range
    await page.waitForURL('**/#/clock?range=1+h');
    expect(await failure.count()).toBe(1);
    await server.clock.run(1_000_000);
    await expectTime(page, '9999-12-31 23:59:59');
    await page.waitForTimeout(1100); // it is shown twice a second, and asked for each second
    await expectTime(page, '9999-12-31 23:59:59');
    await expectFitForAll(page);
    await page.getByRole('link', { name: 'Faults', exact: true }).click();
    await failure.waitFor({ state: 'detached' });
  });
});
