// The panel of records: browsing, editing, the status, plots and prompts.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { excessAt, expectFitForAll, openControlRoom } from '../support/open-control-room.ts';

const hostile = '<img src=x onerror=alert(1)>';

const grid = (page: Page) => page.getByRole('grid');
const search = (page: Page) => page.getByLabel('Id, or a part of it');
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const isFocused = (locator: Locator) =>
  expect.poll(() => locator.evaluate((node) => node === document.activeElement)).toBe(true);

const open = async (page: Page, view: string): Promise<void> => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/data/${view}`);
};

const twoRuns = {
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
  test('leads from the threads to the runs of one and to a run, filters, and keeps that in the link', async () => {
    const { page, server } = await openControlRoom({ hash: '#/data' });
    await page.getByRole('navigation', { name: 'Kinds of record' }).getByText('Threads').waitFor();
    await page.getByRole('link', { name: 'thread_small', exact: true }).click();
    await page.getByText('6 runs', { exact: true }).waitFor();
    await grid(page).getByRole('link').first().click();
    await isFocused(page.getByRole('heading', { level: 2, name: 'Runs / run_' })); // what was pressed has gone
    await page.getByRole('link', { name: 'thread_small' }).click();
    await page.getByText('6 runs', { exact: true }).waitFor();

    await open(page, 'runs?thread=thread_demo');
    await page.getByText('257 runs', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText(/^\d+ of 257 runs$/).waitFor();
    const failed = await server.records.runs.list({ thread_id: 'thread_demo', status: 'failed' });
    expect(await grid(page).getByRole('row').count()).toBe(failed.length + 1);
    await search(page).fill(failed[0]?.id.slice(4, 12) ?? '');
    await page.getByText('1 of 257 runs').waitFor();
    await page.reload();
    await page.getByText('1 of 257 runs').waitFor();
    await page.getByLabel('Status').selectOption('');
    await search(page).fill('run_nobody');
    await page.getByText('No run matches.').waitFor();
    await search(page).press('Enter');
    await page.getByRole('alert').getByText('No run has the id “run_nobody”.').waitFor();
    await open(page, 'runs/run_nobody');
    await page.getByText('There is no run with this id at the current time of the world.').waitFor();
    await page.getByRole('link', { name: 'All runs' }).click();
    await open(page, 'dragons');
    await page.getByText('Unknown kind of record “dragons”.').waitFor();
  });

  test('searches a hundred thousand runs with one request of each kind, and shows that it does', async () => {
    const { page, server } = await openControlRoom({ scenario: 'large', hash: '#/data/runs' });
    const { runs } = server.records;
    const total = (await runs.count()).toLocaleString('en');
    await page.getByText(`${total} runs`, { exact: true }).waitFor();
    const [[oldest, other], [newest]] = [
      await runs.list({ order: 'asc', limit: 2 }),
      await runs.list({ limit: 1 }),
    ];
    const isActive = (id = '') => grid(page).locator('[data-active]', { hasText: id }).waitFor();
    await grid(page).focus();
    await page.keyboard.press('End');
    await isActive(oldest?.id);
    await page.keyboard.press('ArrowUp');
    await isActive(other?.id);
    await page.keyboard.press('Home');
    await isActive(newest?.id);
    await grid(page).evaluate((node) => node.scrollTo(0, 50_000 * 34));
    const [far] = await runs.list({ offset: 50_005, limit: 1 });
    await grid(page)
      .getByRole('link', { name: far?.id ?? '', exact: true })
      .waitFor();
    expect(await grid(page).getByRole('row').count()).toBeLessThan(60);

    const asked: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('"search"')) asked.push(request.url().replace(/.*\//, ''));
    });
    await search(page).pressSequentially(other?.id.slice(4, 11) ?? '');
    await page.getByText('Searching …').waitFor();
    await grid(page).locator('.mantine-Skeleton-root').first().waitFor();
    await page.getByText(`1 of ${total} runs`).waitFor();
    expect(asked.sort()).toEqual(['count', 'list']);
    await grid(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Runs / ${other?.id}` }).waitFor();
  });

  test('sorts, changes or deletes several at once and undoes that at once, by mouse and by keys', async () => {
    const { page, server } = await openControlRoom({ scenario: twoRuns, hash: '#/data/runs' });
    const { runs } = server.records;
    const ids = () => grid(page).getByRole('link', { name: /^run_/ }).allTextContents();
    const head = grid(page).getByRole('columnheader', { name: 'Model' });
    await head.getByRole('button').click();
    await expect.poll(ids).toEqual(['run_2', 'run_1', 'run_3']);
    await head.getByRole('button').press('Enter');
    await expect.poll(ids).toEqual(['run_3', 'run_1', 'run_2']);
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    const before = await runs.list();
    const states = async () => (await runs.list({ sort: 'id', order: 'asc' })).map(({ status }) => status);
    await page.getByRole('checkbox', { name: 'Choose run_3' }).click();
    await page.getByRole('checkbox', { name: 'Choose run_1' }).click();
    await page.getByText('2 runs chosen').waitFor();
    await page.getByLabel('New status').selectOption('failed');
    await expectFitForAll(page, 'narrow light');
    await page.getByRole('button', { name: 'Set status', exact: true }).click();
    await page.getByText('The status of 2 runs was set').waitFor();
    expect(await states()).toEqual(['failed', 'queued', 'failed']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => runs.list()).toEqual(before);
    await grid(page).focus();
    for (const key of ['End', 'Space', 'ArrowUp', 'Space']) await page.keyboard.press(key);
    await page.getByText('2 runs chosen').waitFor();
    await page
      .getByRole('group', { name: '2 runs chosen' })
      .getByRole('button', { name: 'Delete' })
      .press('Enter');
    await page.getByText('Deleted: 2 runs').waitFor();
    expect((await runs.list()).map(({ id }) => id)).toEqual(['run_3']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => runs.list()).toEqual(before);
    await page.getByRole('checkbox', { name: 'Choose all' }).press('Space');
    await page.getByText('3 runs chosen').waitFor();
    await page.getByRole('button', { name: 'Choose none' }).click();
    await expect.poll(() => page.getByText('runs chosen').count()).toBe(0);
  });

  test('saves all edited fields as one change, keeps what was written over a reload, and shows errors at their fields', async () => {
    const { page, server } = await openControlRoom({ scenario: twoRuns, hash: '#/data/runs/run_1' });
    const { runs } = server.records;
    await field(page, 'instructions').fill('Be long.');
    await field(page, 'last_error.code').fill('server_error');
    await field(page, 'failed_at').fill('2026-01-15 12:00:30');
    await page.getByText('2026-01-15 12:00:30 UTC').waitFor();
    await field(page, 'metadata').fill('{\n  "note": x}');
    await page.reload();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('metadata: Invalid JSON at line 2, column 11').waitFor();
    await isFocused(field(page, 'metadata'));
    await expectFitForAll(page, 'narrow dark');
    await field(page, 'metadata').fill(`{"note": "${hostile}"}`);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('last_error.message: missing').waitFor();
    await field(page, 'last_error.message').fill('It broke.');
    await page.keyboard.press('Enter');
    await page.getByText('The run was changed').waitFor();
    expect(await runs.get('run_1')).toMatchObject({
      status: 'queued',
      instructions: 'Be long.',
      failed_at: 1768478430,
      last_error: { code: 'server_error', message: 'It broke.' },
      metadata: { note: hostile },
    });
    await isFocused(page.getByRole('heading', { level: 2 }));
    await page.getByRole('button', { name: 'Revert to the scenario' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await runs.get('run_1'))?.instructions).toBe('Be brief.');

    // As JSON, by keys; what was not changed here is not sent.
    await page.getByText('JSON', { exact: true }).click();
    const json = page.getByLabel('Fields, as JSON');
    await json.fill((await json.inputValue()).replace('Be brief.', 'As JSON.'));
    await json.press('Control+Enter');
    await expect.poll(async () => (await runs.get('run_1'))?.instructions).toBe('As JSON.');
    await page.getByText('Form', { exact: true }).click();
    await field(page, 'instructions').fill('');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await expect.poll(async () => (await runs.get('run_1'))?.instructions).toBeNull();
  });

  test('of two tabs that edit a field, the second sees both values and chooses', async () => {
    const { page, server } = await openControlRoom({ scenario: twoRuns, hash: '#/data/runs/run_1' });
    const { runs } = server.records;
    const instructions = async () => (await runs.get('run_1'))?.instructions;
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    for (const [own, text] of [
      [page, 'first'],
      [tab, 'second'],
    ] as const)
      await field(own, 'instructions').fill(text);
    await field(tab, 'model').fill('gpt');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(instructions).toBe('first');
    await tab.bringToFront();
    await tab
      .getByRole('table', { name: 'Conflict' })
      .getByRole('row', { name: 'instructions second first' })
      .waitFor();
    await tab.getByRole('button', { name: 'Save' }).click();
    await tab.getByRole('alert').getByText('Nothing was saved').waitFor();
    expect(await instructions()).toBe('first');
    await expectFitForAll(tab, 'narrow light');
    await tab.getByRole('button', { name: 'Take theirs' }).press('Enter');
    expect(await field(tab, 'instructions').inputValue()).toBe('first');
    await field(tab, 'instructions').fill('third');
    await tab.getByRole('button', { name: 'Save' }).press('Enter');
    await expect.poll(instructions).toBe('third');
    expect((await runs.get('run_1'))?.model).toBe('gpt');

    await expect.poll(() => field(tab, 'instructions').inputValue()).toBe('third');
    await field(tab, 'instructions').fill('kept');
    await runs.update('run_1', { instructions: 'of others' });
    await tab.getByRole('button', { name: 'Keep mine' }).click();
    await runs.update('run_1', { model: 'of others' }); // another field is no conflict
    await tab.getByRole('button', { name: 'Save' }).click();
    await expect.poll(instructions).toBe('kept');
    expect((await runs.get('run_1'))?.model).toBe('of others');
    await tab.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await expect.poll(() => field(tab, 'instructions').inputValue()).toBe('kept');
    await field(tab, 'instructions').fill('lost?');
    await runs.delete('run_1');
    await tab.getByRole('alert').getByText('The record was deleted while you edited it').waitFor();
    expect(await field(tab, 'instructions').inputValue()).toBe('lost?');
    await tab.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => tab.getByRole('alert').count()).toBe(0);
    await tab.close();
  });

  test('sets a status with all that it implies, by mouse and by keys, and shows each field before and after', async () => {
    const { page, server } = await openControlRoom({ scenario: twoRuns, hash: '#/data/runs/run_1' });
    const { runs } = server.records;
    await page.getByText('Changes this field alone.').waitFor();
    await page.getByRole('button', { name: 'Complete' }).click();
    const table = page.getByRole('table', { name: 'What changed' });
    await table.getByRole('row', { name: 'status queued completed' }).waitFor();
    await table.getByRole('row', { name: /^completed_at null 2026-01-15 12:00:00/ }).waitFor();
    await expectFitForAll(page, 'narrow light');
    await page.getByRole('button', { name: 'Undo' }).click();
    await table.waitFor({ state: 'detached' });
    expect((await runs.get('run_1'))?.status).toBe('queued');
    await page.getByRole('button', { name: 'Other status' }).press('Enter');
    await page.getByRole('menuitem', { name: 'requires_action' }).press('Enter');
    await table.getByRole('row', { name: 'status queued requires_action' }).waitFor();
    await page.getByRole('button', { name: 'Advance to its end' }).press('Enter');
    await expect.poll(async () => (await runs.get('run_1'))?.status).not.toBe('requires_action');
    await page.getByRole('link', { name: 'Requests with this id' }).waitFor();
  });

  test('creates by form and by JSON, duplicates, reverts, deletes and copies', async () => {
    const { page, server } = await openControlRoom({ hash: '#/data/runs?thread=thread_empty' });
    const { runs, policies } = server.records;
    await page.getByText('No runs yet.').waitFor();
    await page.getByRole('button', { name: 'New run' }).press('Enter');
    const form = page.getByRole('form', { name: 'New run' });
    const own = (name: string) => form.getByLabel(name, { exact: true });
    await isFocused(own('thread_id'));
    expect(await own('thread_id').inputValue()).toBe('thread_empty');
    await own('id').fill('run_of_form');
    await own('status').fill('requires_action');
    await own('parallel_tool_calls').selectOption('false');
    await own('temperature').fill('warm');
    await own('last_error.code').fill('server_error');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText(/^temperature: expected a number.*but found "warm"/).waitFor();
    expect(await own('last_error.message').getAttribute('aria-invalid')).toBe('true');
    await isFocused(form.locator('[aria-invalid=true]').first());
    await expectFitForAll(page, 'wide dark');
    await own('temperature').fill('0.5');
    await own('last_error.message').fill('It broke.');
    await page.reload();
    await form.getByRole('button', { name: 'Create' }).press('Enter');
    await page.getByRole('heading', { name: 'Runs / run_of_form' }).waitFor();
    expect(await runs.get('run_of_form')).toMatchObject({
      thread_id: 'thread_empty',
      status: 'requires_action',
      parallel_tool_calls: false,
      temperature: 0.5,
      last_error: { code: 'server_error', message: 'It broke.' },
      object: 'thread.run', // what was left out is seeded
    });
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    await page.getByText('Copied').waitFor();
    const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toEqual(await runs.get('run_of_form'));
    await page.getByRole('button', { name: 'Duplicate' }).press('Enter');
    await page.getByText('The run was duplicated').waitFor();
    expect(await runs.count({ thread_id: 'thread_empty' })).toBe(2);
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('1 run', { exact: true }).waitFor();

    await open(page, 'policies');
    await page.getByRole('button', { name: 'New policy' }).click();
    await page.getByRole('form', { name: 'New policy' }).getByText('JSON', { exact: true }).click();
    const json = page.getByLabel('Fields, as JSON');
    await json.fill('{"value": 7, "unit": "rpd", "type": "requests"');
    await json.press('Control+Enter');
    await page.getByRole('alert').getByText('Invalid JSON at line 1').waitFor();
    await json.fill('{"value": 7, "unit": "rpd", "type": "requests"}');
    await json.press('Control+Enter');
    await page.getByText('The policy was created').waitFor();
    expect((await policies.list({ limit: 1 }))[0]).toMatchObject({ value: 7, unit: 'rpd', type: 'requests' });
  });

  test('plots the metrics of a job, of which a new checkpoint appears as the clock moves', async () => {
    const { page, server } = await openControlRoom({
      scenario: { jobs: { j: { checkpoints: 8, made: 3 } } },
      hash: '#/data/jobs/j',
    });
    await page.getByRole('img', { name: /^Loss over 3 steps/ }).waitFor();
    const lines = page.getByRole('img', { name: /^Loss/ }).locator('path.line');
    const [d = ''] = await lines.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('d') ?? ''));
    const points = d.split(/(?=[ML])/).map((part) => part.slice(1).split(' ').map(Number));
    const made = await server.records.checkpoints.list({ order: 'asc' });
    const byHeight = [0, 1, 2].sort((a, b) => (points[a]?.[1] ?? 0) - (points[b]?.[1] ?? 0));
    const loss = (at: number): number => made[at]?.metrics.train_loss ?? 0;
    expect(byHeight).toEqual([0, 1, 2].sort((a, b) => loss(b) - loss(a))); // a higher loss is higher up
    await server.clock.next();
    await page.getByRole('img', { name: /^Loss over 4 steps/ }).waitFor();
    await grid(page).getByRole('link').first().click();
    await page.getByRole('link', { name: 'j', exact: true }).waitFor();
  });

  test('renders a prompt as its variables are typed, marks what is missing, and renders the version that is picked', async () => {
    const { page } = await openControlRoom({ hash: '#/data/prompts/prompt_support' });
    const rendered = page.getByRole('region', { name: 'Rendered messages' });
    await rendered.locator('mark').getByText('company').waitFor();
    await page.getByText('Missing: 5').waitFor();
    await field(page, 'company').fill(hostile);
    await rendered.getByText(`You answer for the support of ${hostile}.`).waitFor();
    await page.getByText('Missing: 4').waitFor();
    await field(page, 'agent.name').pressSequentially('Ada'); // only the partial names it
    await rendered.getByText('Sign as Ada').waitFor();
    await field(page, 'orders').fill('[{"id": 7, "item": "Lamp"}]');
    await rendered.getByText('- 7: Lamp (').waitFor();
    await page.reload();
    await rendered.getByText('Sign as Ada').waitFor();
    await page.getByRole('radiogroup', { name: 'How variables are given' }).getByText('JSON').click();
    const json = page.getByLabel('Variables, as JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({
      company: hostile,
      agent: { name: 'Ada' },
      orders: [{ id: 7, item: 'Lamp' }],
    });
    await json.fill('[1]');
    await page.getByText('The variables must be an object').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await open(page, 'prompts/prompt_versions');
    await page.getByText('Template of version 2, as stored').waitFor();
    await field(page, 'text').fill('Hi');
    await page.getByRole('combobox', { name: 'Version' }).selectOption('1');
    await rendered.getByText('Summarise: Hi').waitFor();
    expect(page.url()).toContain('version=1');
  });

  test('is fit for all in each view, with long names, and policies are readable at 390 and 820 px', async () => {
    const long = 'W'.repeat(180);
    const { page } = await openControlRoom({
      scenario: {
        extends: 'default',
        assumptions: { 'run-states': 'any' },
        threads: { [long]: { records: [{ id: `run_${long}`, status: long, model: long }] } },
        batches: {
          records: [
            {
              id: 'batch_\u202Eevil',
              status: 'failed',
              request_counts: { total: 5, completed: 1, failed: 4 },
            },
          ],
        },
        prompts: {
          [long]: { messages: [{ role: long, content: `{{${long}}}{{#${long}1}}x{{/${long}1}}` }] },
        },
      },
      hash: '#/data/threads/thread_small',
    });
    const id = '11111111-1111-4111-8111-111111111111';
    const views = [
      ['threads/thread_small', '6 runs', 'narrow light'],
      ['runs?status=expired', 'of 264 runs', 'wide dark'],
      ['batches?status=failed', '1 of 5, 4 failed', 'narrow dark'],
      ['jobs/ftjob_demo', 'at step', 'wide light'],
      ['policies', '8 policies', 'narrow light'],
      [`policies/${id}`, 'Quotas are off', 'wide dark'],
      ['prompts/prompt_support', 'Missing: 5', 'narrow dark'],
      [`runs/run_${long}`, 'Timeline', 'narrow dark'],
      [`prompts/${long}`, 'Missing: 1', 'narrow light'],
    ] as const;
    for (const [view, text, sight] of views) {
      await open(page, view);
      await page.getByText(text).first().waitFor();
      await expectFitForAll(page, sight);
    }
    await open(page, 'policies');
    const limits = grid(page).getByText('600 requests a minute for each api_key, where workspace_id').first();
    for (const width of [390, 820]) {
      expect(await excessAt(page, width)).toBe(0);
      await limits.waitFor();
      const isCut = await limits.evaluate((node) => {
        const row = node.closest('[role=row]')?.getBoundingClientRect();
        const own = node.getBoundingClientRect();
        return row === undefined || own.bottom > row.bottom || own.right > row.right || own.width < 200;
      });
      expect(isCut, `at ${width} px`).toBe(false);
    }
  });
});
