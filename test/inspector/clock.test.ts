// The panels of the clock and of the scenario, as a person uses them.

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { clientHeaders, expectFitForAll, openInspector } from '../support/open-inspector.ts';

const hostile = '<img src=x onerror=alert(1)>';

const readTime = (page: Page): Promise<string> => page.locator('.clock-time time').innerText();
const expectTime = (page: Page, time: string): Promise<void> =>
  page.locator('.clock-time').getByText(time, { exact: true }).waitFor();
/** A time in seconds since 1970, as the page shows it. */
const show = (seconds = 0): string => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
const pressKey = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).press('Enter');
const lineAt = async (page: Page): Promise<number> =>
  Number(await page.locator('.timelines line.now').first().getAttribute('x1'));

describe.skipIf(!hasChromium)('the panel of the clock', () => {
  test("a step of the clock changes a run's state on the screen, as was foretold", async () => {
    const { server, page } = await openInspector({ scenario: 'in-flight', hash: '#/clock' });
    const [life] = await server.clock.timeline({ limit: 1 });
    const now = Date.parse((await server.clock.now()).now) / 1000;
    const next = life?.states.findIndex(({ at }) => at > now) ?? -1;
    const [before, after] = [life?.states[next - 1], life?.states[next]];
    const first = page.getByRole('region', { name: 'What changes next' }).getByRole('listitem').first();
    expect(await first.innerText()).toMatch(
      new RegExp(
        `in ${(after?.at ?? 0) - now} s\\s+${life?.id}\\s+${before?.status}\\s*→\\s*${after?.status}`,
      ),
    );
    const row = page
      .getByRole('list', { name: 'Runs and batches with their states' })
      .getByRole('link', { name: life?.id ?? '' });
    await row
      .locator('.badge')
      .getByText(before?.status ?? '', { exact: true })
      .waitFor();
    await press(page, 'Go to the next change');
    await row
      .locator('.badge')
      .getByText(after?.status ?? '', { exact: true })
      .waitFor();
    await expectTime(page, show(after?.at));
    expect(await server.records.runs.get(life?.id ?? '')).toMatchObject({ status: after?.status });
    await row.click();
    await page.waitForURL(`**/#/data/runs/${life?.id}`);
  });

  test('moves on, and back, by the keyboard alone, and tells what it cannot read', async () => {
    const { page } = await openInspector({ hash: '#/clock' });
    await page.getByRole('button', { name: '+ 1 min' }).focus();
    await page.keyboard.press('Enter');
    await expectTime(page, '2026-01-15 12:01:00');
    for (const [step, time] of [
      ['+ 10 min', '2026-01-15 12:11:00'],
      ['+ 1 h', '2026-01-15 13:11:00'],
      ['+ 1 day', '2026-01-16 13:11:00'],
    ] as const) {
      await press(page, step);
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
    await page.locator('form').getByRole('alert').getByText('Failed to read the duration "soon"').waitFor();
    expect(await page.locator('.message.bad').count()).toBe(0);
    await field.fill('1m');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('shows why a button failed until the view changes', async () => {
    const { server, page } = await openInspector({ hash: '#/clock' });
    await server.clock.set('9999-12-31T23:59:59Z');
    await expectTime(page, '9999-12-31 23:59:59');
    await press(page, '+ 1 h');
    const message = page.locator('.message').getByText('Failed to set the clock');
    await message.waitFor();
    await press(page, '1 day'); // the same view, differently
    await page.waitForURL('**/#/clock?range=1+day');
    expect(await message.count()).toBe(1);
    await page.getByRole('link', { name: 'Faults' }).click();
    await message.waitFor({ state: 'detached' });
  });

  test('goes from a queued run to its end in two actions, or in one from the timeline', async () => {
    const { server, page } = await openInspector({
      scenario: 'in-flight',
      hash: '#/data/runs?status=queued',
    });
    const now = Date.parse((await server.clock.now()).now) / 1000;
    const histories = await server.clock.timeline({ limit: 1000 });
    const link = page.getByRole('link', { name: /^run_/ }).first();
    const id = await link.innerText();
    const first = histories.find((one) => one.id === id);
    const second = histories.find(
      ({ kind, states, ...one }) =>
        one.id !== id && kind === 'runs' && states.findLast(({ at }) => at <= now)?.status === 'queued',
    );
    const endOf = (id = '') => histories.find((one) => one.id === id)?.states.at(-1);
    await link.click();
    await press(page, `Go to its end: ${first?.id}`);
    await page
      .getByRole('status')
      .getByText(`It is ${show(endOf(first?.id)?.at)}.`)
      .waitFor();
    expect(await server.records.runs.get(first?.id ?? '')).toMatchObject({
      status: endOf(first?.id)?.status,
    });
    await page.locator('.data-heading').waitFor();
    await page.getByRole('button', { name: 'Go to its end' }).waitFor({ state: 'detached' });

    await server.clock.set(now);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.waitForURL(`**/#/clock?q=${first?.id}`);
    const search = page.getByLabel('Search');
    await expect.poll(() => page.locator('.timelines .id').allInnerTexts()).toEqual([first?.id]);
    await search.fill((second?.id ?? '').slice(2).toUpperCase());
    const button = page.getByRole('button', { name: `Go to its end: ${second?.id}` });
    await button.focus();
    await page.keyboard.press('Enter');
    await expectTime(page, show(endOf(second?.id)?.at));
    await button.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(second?.id);
    await search.fill('nothing of the kind');
    await page.getByText('No run or batch has “nothing of the kind” in its id').waitFor();
  });

  test('goes to a change that is to come, again and again by the same key', async () => {
    const { server, page } = await openInspector({ scenario: 'in-flight', hash: '#/clock' });
    const list = page.getByRole('region', { name: 'What changes next' });
    const third = list.getByRole('button', { name: /^Go here/ }).nth(2);
    for (const action of [() => third.click(), () => page.keyboard.press('Enter')]) {
      const at = Date.parse((await list.locator('time').nth(2).getAttribute('datetime')) ?? '') / 1000;
      await action();
      await expectTime(page, show(at));
      expect(Date.parse((await server.clock.now()).now) / 1000).toBe(at);
      expect(await third.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test('moves by a click on the axis and by the arrow keys; the range zooms and shifts', async () => {
    const { server, page } = await openInspector({ scenario: 'in-flight', hash: '#/clock?range=1+h' });
    const axis = page.getByRole('slider');
    const box = await axis.boundingBox();
    const [from, to] = [Number(await axis.getAttribute('min')), Number(await axis.getAttribute('max'))];
    await axis.click({ position: { x: (box?.width ?? 0) / 2, y: 9 } });
    const middle = (from + to) / 2;
    await page
      .locator(`.clock-time time[datetime^="${new Date(middle * 1000).toISOString().slice(0, 15)}"]`)
      .waitFor();
    const reached = Date.parse((await server.clock.now()).now) / 1000;
    expect(Math.abs(reached - middle)).toBeLessThan(60);
    await axis.press('ArrowRight');
    await expect.poll(async () => Date.parse((await server.clock.now()).now) / 1000).toBeGreaterThan(reached);

    await press(page, 'Zoom in');
    await page.waitForURL('**/#/clock?range=1+h&from=*');
    expect(Number(await axis.getAttribute('max')) - Number(await axis.getAttribute('min'))).toBe(1800);
    const start = Number(await axis.getAttribute('min'));
    await press(page, 'Later');
    await expect.poll(() => axis.getAttribute('min')).toBe(String(start + 900));
    await press(page, 'Zoom out');
    await expect
      .poll(() => axis.getAttribute('max'))
      .toBe(String(Number(await axis.getAttribute('min')) + 3600));
    await press(page, '1 h');
    await page.waitForURL('**/#/clock?range=1+h');
  });

  test('shows requests and faults on the same axis, as links', async () => {
    const { server, page } = await openInspector({ scenario: 'in-flight', hash: '#/clock?range=1+h' });
    const ask = () => fetch(`${server.baseUrl}/batches?limit=1`, { headers: clientHeaders });
    await ask();
    await server.faults.add('listBatches: 503');
    await server.clock.advance('5m'); // the range still shows the first request
    await ask();
    await ask();
    const marks = page.getByRole('list', { name: 'Requests' });
    await marks.getByRole('link', { name: '1 request, 2026-01-15 12:00:00' }).waitFor();
    await marks.getByRole('link', { name: '2 requests, 2 with a fault, 2026-01-15 12:05:00' }).click();
    await page.waitForURL('**/#/requests/*');
    await page.getByText('503').first().waitFor();
  });

  test('runs at a speed, so that its line moves, and stands still again', async () => {
    const { server, page } = await openInspector({ scenario: 'in-flight', hash: '#/clock?range=1+h' });
    const [time, line] = [await readTime(page), await lineAt(page)];
    await page.getByLabel('Speed').selectOption('1 min a second');
    await press(page, 'Run');
    await expect.poll(() => readTime(page)).not.toBe(time);
    await expect.poll(() => lineAt(page)).toBeGreaterThan(line);
    expect(await server.clock.now()).toMatchObject({ speed: 60 });
    await press(page, 'Freeze');
    await page.getByText('Time is frozen until you advance it.').waitFor();
    expect(await server.clock.now()).toMatchObject({ speed: 0 });
  });

  test('stands at the end of time with the server, however fast it runs', async () => {
    const { server, page } = await openInspector({ scenario: 'empty', hash: '#/clock' });
    await server.clock.set('9999-12-30T00:00:00Z');
    await server.clock.run(1_000_000);
    await expectTime(page, '9999-12-31 23:59:59');
    await page.waitForTimeout(1100); // it is shown twice a second, and asked for each second
    expect(await readTime(page)).toBe('9999-12-31 23:59:59');
  });

  test('says where nothing is to come, and knows of records that are to appear', async () => {
    const { server, page } = await openInspector({ scenario: 'empty', hash: '#/clock' });
    const next = page.getByRole('button', { name: 'Go to the next change' });
    await page.locator('#no-next').waitFor();
    expect(await next.isDisabled()).toBe(true);
    await page.getByText('There are no runs or batches.').waitFor();
    await server.scenario.load('training');
    await page.getByText('a record appears').waitFor();
    const before = await server.records.checkpoints.list();
    await next.click();
    await expect
      .poll(() => server.records.checkpoints.list().then(({ length }) => length))
      .toBe(before.length + 1);
    const [newest] = await server.records.checkpoints.list({ limit: 1 });
    await expectTime(page, show(newest?.created_at));
  });

  test('keeps range, kind and number in the URL', async () => {
    const { page } = await openInspector({ scenario: 'in-flight', hash: '#/clock' });
    await press(page, '1 day');
    await page.getByLabel('Show').selectOption('batches');
    await page.getByLabel('Records').selectOption('100');
    expect(new URL(page.url()).hash).toBe('#/clock?range=1+day&kind=batches&records=100');
    await page.reload();
    await page.getByRole('button', { name: '1 day', exact: true, pressed: true }).waitFor();
    const rows = await page.locator('.timelines .id').allInnerTexts();
    expect(rows).toHaveLength(42);
    expect(rows.filter((id) => !id.startsWith('batch_'))).toEqual([]);
  });

  test('shows ids as text, and is fit for all', async () => {
    const { server, page } = await openInspector({ scenario: 'in-flight', hash: '#/clock' });
    await server.records.runs.create({ id: hostile, thread_id: 'thread_queue', status: 'queued' });
    await page.locator('.timelines').getByText(hostile).waitFor();
    await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders });
    await page.getByRole('list', { name: 'Requests' }).waitFor();
    await expectFitForAll(page, 'wide dark');
  });
});

describe.skipIf(!hasChromium)('the panel of the scenario', () => {
  test('loads another one, found by the keyboard alone', async () => {
    const { server, page } = await openInspector({ hash: '#/scenario' });
    await page.getByRole('heading', { name: 'default', exact: true }).waitFor();
    await page.getByText('Seed 42').waitFor();
    await page.getByLabel('Filter').focus();
    await page.keyboard.type('continue and end');
    await page.getByRole('status').getByText('1 of 20').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('in-flight is loaded.').waitFor(); // said for 4 seconds
    await page.getByRole('heading', { name: 'in-flight', exact: true }).waitFor();
    expect(await server.scenario.current()).toMatchObject({ name: 'in-flight' });
    expect(new URL(page.url()).hash).toBe('#/scenario?q=continue+and+end');
    expect(await page.getByRole('button', { name: 'Load in-flight' }).isVisible()).toBe(true);
    await page.getByLabel('Filter').fill('nothing of the kind');
    await page.getByText('No scenario contains this text.').waitFor();
  });

  test('shows what differs from its start, hostile values as text, and goes back there', async () => {
    const { server, page } = await openInspector({ hash: '#/scenario' });
    await page.getByText('No changes: the session is at the start of its scenario.').waitFor();
    await page
      .getByText('Changes that the clock alone has made')
      .getByRole('link', { name: 'Clock' })
      .waitFor();
    const [run] = await server.records.runs.list({ thread_id: 'thread_demo', limit: 1 });
    await server.records.runs.update(run?.id ?? '', { metadata: { note: hostile.padEnd(200, '.') } });
    await server.clock.advance('1m');
    const list = page.getByRole('list', { name: 'The differences' });
    const clock = list.getByRole('listitem').filter({ hasText: 'clock.now' });
    expect(await clock.innerText()).toMatch(/12:00:00.*12:01:00/s);
    const row = list.getByRole('listitem').filter({ hasText: run?.id ?? '' });
    await row
      .getByRole('button', { name: /^Show all/ })
      .last()
      .click(); // the other one is the value before
    await row.getByText(hostile).waitFor();
    expect(await row.locator('img').count()).toBe(0);
    await press(page, 'Reset to the start');
    await page.getByText('No changes: the session is at the start of its scenario.').waitFor();
    expect(await server.state.changes()).toEqual([]);
  });

  test('saves states, and returns to them', async () => {
    const { server, page } = await openInspector({ hash: '#/scenario' });
    await server.clock.advance('1h');
    await page.getByLabel('Name', { exact: true }).fill('an hour on');
    await page.keyboard.press('Enter');
    await page.getByText('The state was saved as an hour on.').waitFor();
    await server.clock.advance('1d');
    await press(page, 'Restore an hour on');
    await page.getByText('The state an hour on was restored.').waitFor();
    await page.getByText('default, at 2026-01-15 13:00:00').waitFor();
    expect(await server.clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });
    await page.getByLabel('Name', { exact: true }).fill('never');
    await press(page, 'Restore never');
    await page.getByRole('alert').getByText('Failed to restore the state "never"').waitFor();
    expect(await page.locator('.message.bad').count()).toBe(0);
  });

  test.each([
    ['YAML', 'the mouse', 'yaml', (page: Page) => press(page, 'Save as YAML')],
    ['YAML', 'the keyboard', 'yaml', (page: Page) => pressKey(page, 'Save as YAML')],
    ['JSON', 'the mouse', 'json', (page: Page) => press(page, 'Save as JSON')],
  ] as const)(
    'saves the state as %s by %s: a fresh server loads it under the same name, by its page and by a folder, and answers the same bytes',
    async (_type, _by, ending, save) => {
      const { server, page } = await openInspector({ scenario: 'in-flight', hash: '#/scenario' });
      await server.clock.advance('5m');
      await server.records.batches.create({ status: 'failed', metadata: { note: hostile } });
      const downloading = page.waitForEvent('download');
      await save(page);
      const file = await downloading;
      expect(file.suggestedFilename()).toBe(`in-flight.${ending}`);
      const folder = makeFolder();
      const saved = join(folder, `bug-17.${ending}`);
      await file.saveAs(saved);

      const beside = await openServer({ scenarios: [folder], scenario: 'bug-17' as 'default' }); // a name of the folder
      const { server: fresh, page: other } = await openInspector({ hash: '#/scenario', isOwnPage: true });
      await other.getByLabel('Scenario file').setInputFiles(saved);
      await other.getByText('bug-17 is loaded.').waitFor();
      await other.getByRole('heading', { name: 'bug-17', exact: true }).waitFor();
      for (const { scenario } of [beside, fresh])
        expect(await scenario.current()).toMatchObject({ name: 'bug-17' });
      for (const path of ['/batches?limit=100', '/threads/thread_in_flight/runs?limit=100']) {
        const [one, ...others] = await Promise.all(
          [server, beside, fresh].map(async ({ baseUrl }) =>
            (await fetch(baseUrl + path, { headers: clientHeaders })).text(),
          ),
        );
        expect(one).toContain('"object":"list"');
        expect(others).toEqual([one, one]);
      }
    },
  );

  test('loads a file under its name, and tells of its mistakes with their lines', async () => {
    const { server, page } = await openInspector({ hash: '#/scenario' });
    const give = (name: string, text: string): Promise<void> =>
      page
        .getByLabel('Scenario file')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
    const alert = page.getByRole('alert');
    await give('mine.json', '{\n  "batches": { "completed": 1');
    await alert.getByText(/mine\.json:2:\d+ not valid JSON/).waitFor();
    await give('mine.yaml', 'seed: 7\nbatches:\n  complete: 1\n');
    await alert.getByText('mine.yaml:3:3 batches.complete: unknown key. Did you mean "completed"?').waitFor();
    await give('mine.yaml', 'faults: [\n');
    await alert.getByText(/mine\.yaml:1:\d+ not valid YAML/).waitFor();
    await give('mine.txt', 'seed: 7');
    await alert.getByText('Invalid file name "mine.txt"').waitFor();
    await expectFitForAll(page, 'narrow light');
    expect(await server.scenario.current()).toMatchObject({ name: 'default' });
    await give('mine.yaml', `description: "${hostile}"\nseed: 7 # as in the report\n`);
    await page.getByText('mine is loaded.').waitFor();
    await page.getByText(hostile).waitFor();
    await page.getByText('Seed 7').waitFor();
    expect(await alert.count()).toBe(0);
    expect(await server.scenario.current()).toMatchObject({ name: 'mine', seed: 7 });
    await press(page, 'Undo');
    await expect.poll(() => server.scenario.current()).toMatchObject({ name: 'default' });
    await give('other.json', '{"seed":8}');
    await page.getByText('other is loaded.').waitFor();
    expect(await server.scenario.current()).toMatchObject({ name: 'other', seed: 8 });
  });

  test('is fit for all', async () => {
    const { server, page } = await openInspector({ hash: '#/scenario' });
    await server.clock.advance('1m');
    await server.records.batches.create({ status: 'failed' });
    await server.records.threads.delete('thread_small');
    await page.getByRole('listitem').filter({ hasText: 'clock.now' }).waitFor();
    await expectFitForAll(page, 'narrow dark');
  });
});
