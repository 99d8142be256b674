// The panel of records: browsing, editing and the status.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { expectFitForAll, focused, openControlRoom, press, ways } from '../support/open-control-room.ts';
import { isFull, volume } from '../support/settings.ts';

const hostile = '<img src=x onerror=alert(1)>';

const grid = (page: Page) => page.getByRole('grid');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

const open = async (page: Page, view: string): Promise<void> => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/data/${view}`);
};

const threeRuns = {
  threads: {
    t: {
      records: [
        { id: 'run_1', status: 'queued', model: 'b', instructions: 'Be brief.', last_error: null },
        { id: 'run_2', status: 'queued', model: 'a' },
        { id: 'run_3', status: 'queued', model: 'c' },
      ],
    },
  },
};

describe.skipIf(!hasChromium)('the panel of records', () => {
  test('shows what a prompt takes, and its probable slips', async () => {
    const messages = [{ role: 'user', content: '{{text}} {{>none}}' }];
    const { page } = await openControlRoom({
      hash: '#/data/prompts/letter',
      scenario: { prompts: { letter: { parameters: {}, messages } } },
    });
    await page.getByText('variables: text').waitFor();
    await page.getByText('partials: none').waitFor();
    await page.getByRole('alert').getByText('the partial {{>none}} does not exist').waitFor();
  });

  test.each(ways('keys'))(
    'leads from a thread to its runs and to a run, filters, creates by form and by JSON, duplicates, deletes and copies, by %s',
    async (by) => {
      const { page, server } = await openControlRoom({ hash: '#/data' });
      const { runs, policies } = server.records;
      await page.getByRole('navigation', { name: 'Kinds of record' }).getByText('Threads').waitFor();
      await press(by, page.getByRole('link', { name: 'thread_small', exact: true }));
      await page.getByText('6 runs', { exact: true }).waitFor();
      await grid(page).getByRole('link').first().click();
      await expect.poll(() => focused(page, 'textContent')).toMatch('Runs / run_'); // what was pressed has gone
      await open(page, 'runs');
      await page.getByText('263 runs', { exact: true }).waitFor();
      await page.getByLabel('Status').selectOption('failed');
      await page.getByText(/^\d+ of 263 runs$/).waitFor();
      const failed = await runs.list({ status: 'failed' });
      await expect.poll(() => grid(page).getByRole('row').count()).toBe(failed.length + 1);
      await field(page, 'Id, or a part of it').fill(failed[0]?.id.slice(4, 12) ?? '');
      await page.getByText('1 of 263 runs').waitFor();
      await field(page, 'Id, or a part of it').press('Enter'); // to the list
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Runs / ${failed[0]?.id}` }).waitFor();
      await open(page, 'runs/run_nobody');
      await page.getByText('There is no run with this id now.').waitFor();
      await open(page, 'dragons');
      await page.getByText('Unknown kind of record “dragons”.').waitFor();

      await open(page, 'threads/thread_empty');
      await page.getByText('No runs yet.').waitFor();
      await press(by, page.getByRole('link', { name: 'New run' }));
      const form = page.getByRole('form', { name: 'New run' });
      const own = (name: string) => form.getByLabel(name, { exact: true });
      expect(await own('thread_id').inputValue()).toBe('thread_empty');
      await own('id').fill('run_of_form');
      await own('status').fill('requires_action');
      await own('parallel_tool_calls').selectOption('false');
      await own('temperature').fill('warm');
      await own('last_error').fill('{"code": "server_error"}');
      await own('last_error').press('Control+Enter');
      await form.getByText(/^temperature: expected a number.*but found "warm"/).waitFor();
      expect(await own('last_error').getAttribute('aria-invalid')).toBe('true');
      await expectFitForAll(page);
      await own('temperature').fill('0.5');
      await own('last_error').fill('{"code": "server_error", "message": "It broke."}');
      await page.reload();
      await press(by, form.getByRole('button', { name: 'Create' }));
      await page.getByRole('heading', { name: 'Runs / run_of_form' }).waitFor();
      expect(await runs.get('run_of_form')).toMatchObject({
        thread_id: 'thread_empty',
        status: 'requires_action',
        parallel_tool_calls: false,
        temperature: 0.5,
        last_error: { code: 'server_error', message: 'It broke.' },
        object: 'thread.run', // what was left out is seeded
      });
      await press(by, button(page, 'Copy as JSON'));
      await page.getByText('Copied').waitFor();
      const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      expect(copied).toEqual(await runs.get('run_of_form'));
      await press(by, button(page, 'Duplicate'));
      await page.getByText('The run was duplicated').waitFor();
      expect(await runs.count({ thread_id: 'thread_empty' })).toBe(2);
      await press(by, button(page, 'Delete'));
      await page.getByText('1 run', { exact: true }).waitFor();

      await open(page, 'policies');
      await press(by, page.getByRole('link', { name: 'New policy' }));
      await page.getByRole('form', { name: 'New policy' }).getByRole('switch', { name: 'As JSON' }).click();
      const json = field(page, 'Fields, as JSON');
      await json.fill('{"value": 7, "unit": "rpd", "type": "requests"}');
      await json.press('Control+Enter');
      await page.getByText('The policy was created').waitFor();
      expect((await policies.list({ limit: 1 }))[0]).toMatchObject({
        value: 7,
        unit: 'rpd',
        type: 'requests',
      });
      await page.getByText('7 requests a day').waitFor();
    },
  );

  test('searches many runs with one request of each kind, shows that it does, and loads what is scrolled to', async () => {
    const { page, server } = await openControlRoom({
      scenario: isFull ? 'large' : { threads: { t: { runs: 1000 } } },
      hash: '#/data/runs',
    });
    const { runs } = server.records;
    const total = (await runs.count()).toLocaleString('en');
    await page.getByText(`${total} runs`, { exact: true }).waitFor();
    const [oldest, other] = await runs.list({ order: 'asc', limit: 2 });
    const isActive = (id = '') => grid(page).locator('[data-active]', { hasText: id }).waitFor();
    await grid(page).focus();
    await page.keyboard.press('End');
    await isActive(oldest?.id);
    await page.keyboard.press('ArrowUp');
    await isActive(other?.id);
    const place = volume(50_000, 500);
    await grid(page).evaluate((node, top) => node.scrollTo(0, top), place * 28);
    const [far] = await runs.list({ offset: place + 5, limit: 1 });
    await grid(page)
      .getByText(far?.id ?? '', { exact: true })
      .waitFor();
    expect(await grid(page).getByRole('row').count()).toBeLessThan(60);

    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('"search"')) asked.push(request.url().replace(/.*\//, ''));
    });
    const isShown = grid(page).locator('.mantine-Skeleton-root').first().waitFor();
    await page.route('**/runs/list', (route) => isShown.then(() => route.continue()));
    await field(page, 'Id, or a part of it').pressSequentially(other?.id.slice(4, 11) ?? '');
    await page.getByText('Searching …').waitFor();
    await isShown;
    await page.getByText(`1 of ${total} runs`).waitFor();
    expect(asked.sort()).toEqual(['count', 'list']);
  });

  test.each(ways('keys'))(
    'deletes several records or sets a field of all, as one change, by %s',
    async (by) => {
      const { page, server } = await openControlRoom({ scenario: threeRuns, hash: '#/data/runs' });
      const { runs } = server.records;
      const before = await runs.list();
      const [first, second, third] = before.map(({ id }) => id);
      await page.getByText('3 runs', { exact: true }).waitFor();
      const chooseFirstAndThird = async (): Promise<void> => {
        await grid(page).focus();
        for (const key of ['Home', 'Space', 'End', 'Space'])
          if (by === 'keys') await page.keyboard.press(key);
        for (const id of [first, third]) if (by === 'mouse') await field(page, `Choose ${id}`).click();
        await page.getByRole('group', { name: '2 runs chosen' }).waitFor();
      };
      await chooseFirstAndThird();
      await press(by, button(page, 'Delete 2'));
      await page.getByText('Deleted 2 runs').waitFor();
      expect((await runs.list()).map(({ id }) => id)).toEqual([second]);
      await page.keyboard.press('Control+z');
      await expect.poll(() => runs.list()).toEqual(before);
      await page.getByText('3 runs', { exact: true }).waitFor();

      await chooseFirstAndThird();
      await press(by, button(page, 'Change'));
      await field(page, 'Field').selectOption('temperature');
      await field(page, 'temperature').fill('warm');
      await press(by, button(page, 'Change 2'));
      await page.getByRole('alert').getByText('temperature: expected a number').waitFor();
      await expectFitForAll(page);
      await field(page, 'temperature').fill('0.5');
      await press(by, button(page, 'Change 2'));
      await page.getByText('Changed 2 runs').waitFor();
      await expect.poll(() => focused(page, 'id')).toBe('main'); // the dialog and its button go
      const temperatures = (await runs.list()).map(({ temperature }) => temperature);
      expect(temperatures).toEqual([0.5, before[1]?.temperature, 0.5]);

      await chooseFirstAndThird();
      await press(by, button(page, 'Choose all'));
      await button(page, 'Delete 3').waitFor();
      await page.getByLabel('Status').selectOption('failed'); // what is not listed is not chosen
      await page.getByText('0 of 3 runs').waitFor();
      expect(await button(page, 'Delete 3').count()).toBe(0);
    },
  );

  test.each(ways('mouse'))('sets a status with all that it implies, by %s', async (by) => {
    const { page, server } = await openControlRoom({ scenario: threeRuns, hash: '#/data/runs' });
    const { runs } = server.records;
    await press(by, grid(page).getByRole('link', { name: 'run_1' }));
    await page.getByText('Changes this field alone.').waitFor();
    await press(by, button(page, 'Complete'));
    const table = page.getByRole('table', { name: 'What changed' });
    await table.getByRole('row', { name: 'status queued completed' }).waitFor();
    await table.getByRole('row', { name: /^completed_at null 2026-01-15 12:00:00/ }).waitFor();
    await page.getByText('An edit of the status changes that field alone.').waitFor();
    await expectFitForAll(page);
    await press(by, button(page, 'Undo'));
    await table.waitFor({ state: 'detached' });
    expect((await runs.get('run_1'))?.status).toBe('queued');
    await press(by, button(page, 'Other status'));
    await press(by, page.getByRole('menuitem', { name: 'requires_action' }));
    await table.getByRole('row', { name: 'status queued requires_action' }).waitFor();
    await page.getByRole('link', { name: 'Timeline' }).waitFor();
  });

  test('saves edited fields as one change, keeps what was written over a reload and while it saves, and shows errors at their fields', async () => {
    const { page, server } = await openControlRoom({ scenario: threeRuns, hash: '#/data/runs/run_1' });
    const { runs } = server.records;
    const instructions = async () => (await runs.get('run_1'))?.instructions;
    await field(page, 'instructions').fill('Be long.');
    await field(page, 'last_error').fill('{"code": "server_error"}');
    await field(page, 'failed_at').fill('2026-01-15 12:00:30');
    await page.getByText('2026-01-15 12:00:30 UTC').waitFor();
    await field(page, 'metadata').fill('{\n  "note": x}');
    await page.reload();
    await button(page, 'Save').click();
    await page
      .getByRole('alert')
      .getByText(/^metadata: Unexpected token/)
      .waitFor();
    await expectFitForAll(page);
    await field(page, 'metadata').fill(`{"note": "${hostile}"}`);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('last_error.message: missing').waitFor();
    await page.keyboard.press('Control+a'); // it has the focus
    await page.keyboard.type('{"code": "server_error", "message": "It broke."}');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The run was changed').waitFor();
    expect(await runs.get('run_1')).toMatchObject({
      status: 'queued',
      instructions: 'Be long.',
      failed_at: 1768478430,
      last_error: { code: 'server_error', message: 'It broke.' },
      metadata: { note: hostile },
    });
    await button(page, 'Save').press('Control+z');
    await expect.poll(instructions).toBe('Be brief.');
    await expect.poll(() => field(page, 'instructions').inputValue()).toBe('Be brief.');

    // What is typed while the server is slow to save is neither lost nor saved, and the old value does not come back.
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/runs/update', (route) => isReleased.then(() => route.continue()));
    const asked = page.waitForRequest('**/runs/update');
    await field(page, 'instructions').fill('Saved.');
    await field(page, 'model').fill('saved');
    await field(page, 'model').press('Enter');
    await asked;
    await field(page, 'model').fill('typed later');
    release();
    await page.getByText('The run was changed').waitFor();
    expect(await field(page, 'model').inputValue()).toBe('typed later');
    expect(await field(page, 'instructions').inputValue()).toBe('Saved.');
    expect(await runs.get('run_1')).toMatchObject({ instructions: 'Saved.', model: 'saved' });
    await page.unrouteAll();
    await button(page, 'Discard').click();
    expect(await field(page, 'model').inputValue()).toBe('saved');
    expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true');

    await page.getByRole('switch', { name: 'As JSON' }).click();
    const json = field(page, 'Fields, as JSON');
    await json.fill((await json.inputValue()).replace('Saved.', 'As JSON.'));
    await page.getByRole('switch', { name: 'As JSON' }).click();
    expect(await field(page, 'instructions').inputValue()).toBe('As JSON.');
    await field(page, 'instructions').fill('');
    await button(page, 'Save').press('Enter');
    await expect.poll(instructions).toBeNull();
  });

  test('of two tabs that edit a record, neither loses what only it edited, and the second says what it overwrote', async () => {
    const { page, server } = await openControlRoom({ scenario: threeRuns, hash: '#/data/runs/run_1' });
    const { runs } = server.records;
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await field(page, 'instructions').fill('first');
    await field(page, 'model').fill('gpt');
    await field(tab, 'instructions').fill('second');
    await field(tab, 'metadata').fill('{"note": "mine"}');
    await button(page, 'Save').click();
    await expect.poll(() => runs.get('run_1')).toMatchObject({ instructions: 'first', model: 'gpt' });
    await tab.bringToFront();
    await button(tab, 'Save').click();
    await tab.getByText('This overwrote what somebody else wrote meanwhile: instructions: "first"').waitFor();
    expect(await runs.get('run_1')).toMatchObject({
      instructions: 'second',
      model: 'gpt',
      metadata: { note: 'mine' },
    });
    await expectFitForAll(tab);
    await button(tab, 'Undo').press('Enter');
    await expect.poll(() => runs.get('run_1')).toMatchObject({ instructions: 'first', model: 'gpt' });
    await field(tab, 'instructions').fill('lost?');
    await runs.delete('run_1');
    await tab.getByRole('alert').getByText('The record was deleted while you edited it').waitFor();
    expect(await field(tab, 'instructions').inputValue()).toBe('lost?');
    await button(tab, 'Discard').click();
    await field(tab, 'instructions').waitFor({ state: 'detached' });
    await tab.close();
  });
});
