// The panel of records: browsing, editing and the status.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { defineRecords } from '../../src/calls.ts';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  expectFitForAll,
  focused,
  openControlRoom,
  press,
  ways,
} from '../support/open-control-room.ts';
import { isFull, volume } from '../support/settings.ts';

const hostile = '<img src=x onerror=alert(1)>';

const grid = (page: Page) => page.getByRole('grid');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const shares = (page: Page) => page.getByRole('group', { name: 'Status' });

/** A field that can be edited. */
const row = (page: Page, name: string) => page.locator(`[data-field="${name}"]`);

/** Edits a field in its place, by keys. */
const edit = async (page: Page, name: string, text: string): Promise<void> => {
  await row(page, name).press('Enter');
  await field(page, name).fill(text);
  await field(page, name).press('Control+Enter');
};

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
  test("lists the records of kinds of the user's own, as they are now", async () => {
    const { server, page } = await openControlRoom({
      hash: '#/data/runs',
      calls: [defineRecords({ name: 'files', idPrefix: 'file_' })],
      scenario: { own: { files: [{ id: 'file_a', name: hostile }] } },
    });
    await page.getByRole('link', { name: 'Own records' }).click();
    const files = page.getByRole('region', { name: 'files' });
    await expect.poll(() => files.textContent()).toContain(hostile);
    await server.records.own.files?.create({ name: 'b' });
    await expect.poll(() => files.textContent()).toContain('"name": "b"');
    await expect.poll(() => page.getByRole('heading', { name: 'files 2' }).count()).toBe(1);
  });

  test('shows what a prompt takes, and its probable mistakes', async () => {
    const messages = [{ role: 'user', content: '{{text}} {{>none}}' }];
    const { page } = await openControlRoom({
      hash: '#/data/prompts/letter',
      scenario: { prompts: { letter: { parameters: {}, messages } } },
    });
    await page.getByText('Variables').waitFor();
    await page.getByText('text', { exact: true }).waitFor();
    await page.getByRole('alert').getByText('the partial {{>none}} does not exist').waitFor();
  });

  test.each(ways('keys'))(
    'leads from a thread to its runs and to a run, filters, creates, edits, duplicates, deletes and copies, by %s',
    async (by) => {
      const { page, server } = await openControlRoom({ hash: '#/data/threads' });
      const { runs, policies } = server.records;
      await page.getByRole('navigation', { name: 'Kinds of record' }).getByText('Runs 263').waitFor();
      await press(by, page.getByRole('link', { name: 'thread_small', exact: true }));
      await page.getByText('6 runs', { exact: true }).waitFor();
      await grid(page).getByRole('link').first().click();
      await expect.poll(() => focused(page, 'textContent')).toMatch('Runs / run_'); // what was pressed has gone
      await open(page, 'runs');
      await page.getByText('263 runs', { exact: true }).waitFor();
      const failed = await runs.list({ status: 'failed' });
      const failedShare = shares(page).getByRole('button', { name: `failed ${failed.length}` });
      await press(by, failedShare);
      await page.getByText(/^\d+ of 263 runs$/).waitFor();
      expect(await failedShare.getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => grid(page).getByRole('row').count()).toBe(failed.length + 1);
      await expectFitForAll(page);
      await field(page, 'Id, or a part of it').fill(failed[0]?.id.slice(4, 12) ?? '');
      await page.getByText('1 of 263 runs').waitFor();
      expect(page.url()).toContain('status=failed&q=');
      await field(page, 'Id, or a part of it').press('Enter'); // to the list
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Runs / ${failed[0]?.id}` }).waitFor();
      await open(page, 'runs/run_nobody');
      await page.getByText('There is no run with this id now.').waitFor();
      await open(page, 'dragons');
      await page.getByText('Unknown kind of record “dragons”.').waitFor();

      await open(page, 'threads/thread_empty');
      await page.getByText('No runs yet.').waitFor();
      await press(by, page.getByRole('button', { name: 'New run' }));
      const form = page.getByRole('region', { name: 'New run' });
      const text = form.getByLabel('The record as JSON');
      await text.fill('{}');
      await press(by, button(page, 'Cancel'));
      await press(by, page.getByRole('button', { name: 'New run' }));
      const given = JSON.parse(await text.inputValue());
      expect(given.thread_id).toBe('thread_empty');
      await text.fill(JSON.stringify({ ...given, id: 'run_of_form', temperature: 'warm' }));
      await press(by, button(page, 'Create'));
      await page.getByRole('alert').getByText('temperature: expected a number').waitFor();
      await text.fill((await text.inputValue()).replace('"warm"', '0.5'));
      await page.reload(); // what was written survives it
      await press(by, button(page, 'Create'));
      await page.getByRole('heading', { name: 'Runs / run_of_form' }).waitFor();
      expect(await runs.get('run_of_form')).toMatchObject({
        thread_id: 'thread_empty',
        status: 'queued',
        temperature: 0.5,
        object: 'thread.run', // what was left out is seeded
      });
      await press(by, button(page, 'Go to its end'));
      await expect.poll(async () => (await runs.get('run_of_form'))?.status).toBe('completed');
      for (const limit of [1, 2, 3, 4, 5, 6])
        await fetch(`${server.baseUrl}/threads/thread_empty/runs?limit=${limit}`, { headers: clientHeaders });
      const calls = page.getByRole('region', { name: 'Last calls of listRuns' }).getByRole('link');
      await expect
        .poll(() => calls.allTextContents())
        .toEqual(['All 6', ...[6, 5, 4, 3, 2].map((limit) => `runs?limit=${limit}`)]);
      await press(by, calls.last());
      await page.waitForURL(/#\/requests\/2$/);
      await page.goBack();
      const copy = async (): Promise<unknown> => {
        await press(by, button(page, 'Copy as JSON'));
        await page.getByText('Copied').first().waitFor();
        return JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      };
      await expect.poll(copy).toEqual(await runs.get('run_of_form')); // the page follows the server a little later
      await press(by, button(page, 'Duplicate run_of_form'));
      await page.getByText('run_of_form: duplicated').waitFor();
      expect(await runs.count({ thread_id: 'thread_empty' })).toBe(2);
      await press(by, page.getByRole('button', { name: /^Delete run_/ }));
      await page.getByText('1 run', { exact: true }).waitFor();

      await open(page, 'runs?new=run'); // as the palette does: for the newest thread
      const [newest] = await server.records.threads.list({ limit: 1 });
      await expect.poll(() => field(page, 'The record as JSON').inputValue()).toContain(newest?.id);
      await open(page, 'policies?new=policy');
      const policy = field(page, 'The record as JSON');
      await policy.fill((await policy.inputValue()).replace('"rpm"', '"rpd"'));
      await press(by, button(page, 'Create'));
      await page.getByText('The policy was created').waitFor();
      expect((await policies.list({ limit: 1 }))[0]).toMatchObject({ value: 10, unit: 'rpd' });
      await page.getByText('10 requests a day').waitFor();
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
    const activeRow = async () =>
      Number(await grid(page).locator('[data-active]').getAttribute('aria-rowindex'));
    const before = await activeRow();
    await page.keyboard.press('PageUp');
    await expect.poll(activeRow).toBeLessThan(before - 5);
    await page.keyboard.press('PageDown');
    await expect.poll(activeRow).toBe(before);
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
    'deletes several records or sets the status of all, as one change, by %s',
    async (by) => {
      const { page, server } = await openControlRoom({ scenario: threeRuns, hash: '#/data/runs' });
      const { runs } = server.records;
      const before = await runs.list();
      const [first, second, third] = before.map(({ id }) => id);
      await page.getByText('3 runs', { exact: true }).waitFor();
      const chooseFirstAndThird = async (): Promise<void> => {
        await field(page, `Choose ${third}`).waitFor(); // the rows are loaded
        await grid(page).focus();
        for (const key of ['Home', 'Space', 'End', 'Space', 'Space', 'Space'])
          if (by === 'keys') await page.keyboard.press(key);
        for (const id of [first, third]) if (by === 'mouse') await field(page, `Choose ${id}`).click();
        await page.getByRole('group', { name: '2 runs chosen' }).waitFor();
        await page.getByText('2 of 3 chosen').waitFor();
      };
      await chooseFirstAndThird();
      await press(by, button(page, 'Delete 2 runs'));
      await page.getByText('2 runs: deleted').waitFor();
      expect((await runs.list()).map(({ id }) => id)).toEqual([second]);
      await page.getByText('1 run', { exact: true }).waitFor(); // otherwise “3 runs” below may be the text of before
      await page.keyboard.press('Control+z');
      await expect.poll(() => runs.list()).toEqual(before);
      await page.getByText('3 runs', { exact: true }).waitFor();

      await chooseFirstAndThird();
      await expectFitForAll(page);
      await press(by, button(page, 'Fail 2 runs'));
      await page.getByText('2 runs: failed').waitFor();
      const states = async () => (await runs.list()).map(({ status }) => status);
      expect(await states()).toEqual(['failed', 'queued', 'failed']);
      expect((await runs.list())[0]?.failed_at).toBe(1768478400); // with all that it implies
      await page.keyboard.press('Control+z');
      await expect.poll(states).toEqual(['queued', 'queued', 'queued']);

      await press(by, button(page, 'Choose all 3'));
      await button(page, 'Delete 3 runs').waitFor();
      await press(by, shares(page).getByRole('button', { name: 'queued 3' }));
      await expect.poll(() => button(page, 'Delete 3 runs').count()).toBe(0); // what is not listed is not chosen
      await page.getByText('3 of 3 runs').waitFor();
      await press(by, shares(page).getByRole('button', { name: 'queued 3' }));
      await page.getByText('3 runs', { exact: true }).waitFor();
      await chooseFirstAndThird();
      await field(page, 'Id, or a part of it').fill('run_1');
      await page.getByText('1 of 3 runs').waitFor();
      expect(await button(page, 'Delete 2 runs').count()).toBe(0);
    },
  );

  test.each(ways('mouse'))(
    'shows the life of a record, moves the clock to its states, and sets its status, by %s',
    async (by) => {
      const { page, server } = await openControlRoom({
        scenario: { threads: { t: { records: [{ id: 'run_1' }, { id: 'run_2', status: 'queued' }] } } },
        hash: '#/data/runs/run_1',
      });
      const { runs } = server.records;
      const status = async (id = 'run_1') => (await runs.get(id))?.status;
      const life = page.getByRole('region', { name: 'Life of this run' });
      await life.getByText(/^The clock changes it in .*: queued to in_progress$/).waitFor();
      await press(by, life.getByRole('button', { name: /^Go to in_progress at/ }));
      await expect.poll(() => status()).toBe('in_progress');
      await press(by, life.getByRole('button', { name: 'Go to its end' }));
      await expect.poll(() => status()).toBe('completed');
      await life.getByText('The clock no longer changes it.').waitFor();
      await expectFitForAll(page);

      await open(page, 'runs/run_2');
      await life.getByText('The clock no longer changes it.').waitFor();
      await press(by, button(page, 'Complete run_2'));
      await page.getByText('run_2: completed').waitFor();
      expect((await runs.get('run_2'))?.completed_at).toBeGreaterThan(0);
      await press(by, button(page, 'Undo'));
      await expect.poll(() => status('run_2')).toBe('queued');
      await press(by, row(page, 'status'));
      await field(page, 'status').selectOption('requires_action');
      await press(by, button(page, 'Save'));
      await expect.poll(() => status('run_2')).toBe('requires_action');
      await page.getByRole('region', { name: 'What it waits for' }).waitFor(); // with all that it implies
    },
  );

  test('a job shows its lowest loss, and its curves lead to its checkpoints', async () => {
    const { page, server } = await openControlRoom({
      scenario: 'training',
      hash: '#/data/jobs/ftjob_halfway',
    });
    const checkpoints = await server.records.checkpoints.list({
      fine_tuning_job_id: 'ftjob_halfway',
      limit: 200,
    });
    const losses = checkpoints.map(({ metrics }) => metrics.valid_loss ?? Infinity);
    await page.getByText(new RegExp(`^${Math.min(...losses)} at step \\d+$`)).waitFor();
    const curves = page.getByRole('region', { name: 'Loss over steps' });
    await expectFitForAll(page);
    await curves
      .getByRole('link', { name: /^Step \d+: validation loss/ })
      .last()
      .press('Enter');
    await page.getByRole('heading', { name: /^Checkpoints \/ / }).waitFor();
    await page.getByText('Validation loss').first().waitFor();
  });

  test('the facts of a job count all its checkpoints, also those that are not drawn', async () => {
    const { page } = await openControlRoom({
      scenario: { jobs: { ftjob_many: { checkpoints: 201 } } },
      hash: '#/data/jobs/ftjob_many',
    });
    await page.locator('div', { hasText: /^Checkpoints201$/ }).waitFor();
  });

  test('saves an edited field as one change, keeps what was written over a reload, and shows errors at the field', async () => {
    const { page, server } = await openControlRoom({ scenario: threeRuns, hash: '#/data/runs/run_1' });
    const { runs } = server.records;
    const instructions = async () => (await runs.get('run_1'))?.instructions;
    await row(page, 'instructions').press('Enter');
    await field(page, 'instructions').fill('Be long.');
    await page.reload();
    expect(await field(page, 'instructions').inputValue()).toBe('Be long.');
    await page.getByText('Then the clock no longer changes it.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('run_1: instructions changed').waitFor();
    await expect.poll(() => focused(page, 'textContent')).toBe('Be long.');
    await page.keyboard.press('Control+z');
    await expect.poll(instructions).toBe('Be brief.');
    const { changes } = await server.state.history();
    await row(page, 'model').press('Enter');
    await button(page, 'Save').click();
    await page.getByText('run_1: nothing changed').waitFor();
    expect((await server.state.history()).changes).toEqual(changes);

    await page.getByRole('button', { name: /empty fields$/ }).press('Enter');
    await edit(page, 'failed_at', '2026-01-15 12:00:30');
    await expect.poll(async () => (await runs.get('run_1'))?.failed_at).toBe(1768478430);
    await row(page, 'failed_at').getByText('1768478430, in 30 s').waitFor();
    await edit(page, 'created_at', '');
    await page.getByRole('alert').getByText('created_at: expected a number').waitFor();
    await field(page, 'created_at').press('Escape');
    await edit(page, 'metadata', '{\n  "note": x}');
    await page
      .getByRole('alert')
      .getByText(/^Unexpected token/)
      .waitFor();
    await expectFitForAll(page);
    await field(page, 'metadata').fill(`{"note": "${hostile}"}`);
    await page.keyboard.press('Control+Enter');
    await page.getByText('run_1: metadata changed').waitFor();
    await row(page, 'last_error').press('Enter');
    // The shape is there to be filled in.
    expect(JSON.parse(await field(page, 'last_error').inputValue())).toHaveProperty('message');
    await field(page, 'last_error').fill('{"code": "server_error"}');
    await field(page, 'last_error').press('Control+Enter');
    await page.getByRole('alert').getByText('last_error.message: missing').waitFor();
    await page.keyboard.press('Control+a'); // it has the focus
    await page.keyboard.type('{"code": "server_error", "message": "It broke."}');
    await page.keyboard.press('Control+Enter');
    await page.getByText('run_1: last_error changed').waitFor();
    expect(await runs.get('run_1')).toMatchObject({
      status: 'queued',
      last_error: { code: 'server_error', message: 'It broke.' },
      metadata: { note: hostile },
    });

    // What is typed while the server is slow to save is neither lost nor saved.
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/runs/update', (route) => isReleased.then(() => route.continue()));
    const asked = page.waitForRequest('**/runs/update');
    await edit(page, 'model', 'saved');
    await asked;
    await field(page, 'model').fill('typed later');
    release();
    await page.getByText('run_1: model changed').waitFor();
    expect(await field(page, 'model').inputValue()).toBe('typed later');
    expect((await runs.get('run_1'))?.model).toBe('saved');
    await page.unrouteAll();
    await field(page, 'model').press('Escape');
    await row(page, 'model').getByText('saved').waitFor();

    await page.getByRole('tab', { name: 'JSON' }).click();
    await button(page, 'Edit as JSON').click();
    const json = page.getByRole('textbox', { name: 'The record as JSON' });
    await json.fill((await json.inputValue()).replace('Be brief.', 'As JSON.'));
    await button(page, 'Save').press('Enter');
    await expect.poll(instructions).toBe('As JSON.');
  });

  test('of two tabs that edit a record, neither loses what only it edited, and the second says what it overwrote', async () => {
    const { page, server } = await openControlRoom({ scenario: threeRuns, hash: '#/data/runs/run_1' });
    const { runs } = server.records;
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await row(tab, 'instructions').click();
    await field(tab, 'instructions').fill('second');
    await page.bringToFront();
    await edit(page, 'instructions', 'first');
    await page.getByText('run_1: instructions changed').waitFor();
    await edit(page, 'model', 'gpt');
    await expect.poll(() => runs.get('run_1')).toMatchObject({ instructions: 'first', model: 'gpt' });
    await tab.bringToFront();
    await button(tab, 'Save').click();
    await tab.getByText('This overwrote what somebody else wrote meanwhile: instructions: "first"').waitFor();
    expect(await runs.get('run_1')).toMatchObject({ instructions: 'second', model: 'gpt' });
    await button(tab, 'Undo').hover(); // it stays meanwhile, however long the check takes
    await expectFitForAll(tab);
    await button(tab, 'Undo').press('Enter');
    await expect.poll(() => runs.get('run_1')).toMatchObject({ instructions: 'first', model: 'gpt' });
    await row(tab, 'instructions').click();
    await field(tab, 'instructions').fill('lost?');
    await runs.delete('run_1');
    await tab.getByRole('alert').getByText('There is no run with this id now.').waitFor();
    await server.state.undo();
    await expect.poll(() => field(tab, 'instructions').inputValue()).toBe('lost?');
    await tab.close();
  });
});
