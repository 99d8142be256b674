// The panel of records: browsing, editing, plots and prompts.
import type { Locator, Page, Response } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, excessAt, expectFitForAll, openInspector } from '../support/open-inspector.ts';

const hostile = '<img src=x onerror=alert(1)>';

const fieldOf = (page: Page, name: string): Locator =>
  page.locator('.data-field', { has: page.getByText(name, { exact: true }) });

const edit = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  return page.getByLabel(`New value of ${name}`);
};

const runsOf = async ({ baseUrl }: GatewayServer, thread: string) => {
  const response = await fetch(`${baseUrl}/threads/${thread}/runs`, {
    headers: { ...clientHeaders, 'openai-beta': 'assistants=v2' },
  });
  return ((await response.json()) as { data: Record<string, unknown>[] }).data;
};

const oneRun = (values: object) => ({ threads: { t: { records: [{ id: 'run_1', ...values }] } } });

const isWithoutAlerts = async (page: Page): Promise<void> => {
  expect(await page.locator('img').count()).toBe(0);
};

describe.skipIf(!hasChromium)('the panel of records', () => {
  test('leads from the threads to the runs of one, and to a run', async () => {
    const { page } = await openInspector({ hash: '#/data' });
    const tabs = page.getByRole('navigation', { name: 'Kinds of record' });
    await tabs.getByRole('link', { name: 'Threads 3' }).waitFor();
    await page.getByRole('link', { name: 'thread_small', exact: true }).click();
    await page.getByText('6 runs', { exact: true }).waitFor();
    expect(page.url()).toContain('#/data/threads/thread_small');
    await page.getByRole('grid').getByRole('link').first().click();
    await page.getByText('created_at', { exact: true }).waitFor();
    // What was pressed has gone: the focus is at the heading of what came.
    const heading = page.getByRole('heading', { level: 2, name: 'Runs / run_' });
    expect(await heading.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.getByRole('link', { name: 'Thread thread_small' }).click();
    await page.getByText('6 runs', { exact: true }).waitFor();
  });

  test('filters by state and by a part of the id, and keeps that in the URL', async () => {
    const { page, server } = await openInspector({ hash: '#/data/runs?thread=thread_demo' });
    await page.getByText('257 runs', { exact: true }).waitFor();
    await page.getByLabel('State').selectOption('failed');
    await page.getByText(/^\d+ of 257 runs$/).waitFor();
    expect(page.url()).toContain('status=failed');
    const states = await page.getByRole('grid').locator('.badge').allTextContents();
    const failed = (await connect(server.url).records.runs.list({ thread_id: 'thread_demo' })).filter(
      ({ status }) => status === 'failed',
    );
    expect(states).toEqual(failed.map(() => 'failed'));
    const id = failed[0]?.id ?? '';
    await page.getByLabel('Id, or a part of it').fill(id.slice(4, 12));
    await page.getByText('1 of 257 runs').waitFor();
    await page.reload();
    await page.getByText('1 of 257 runs').waitFor();
    await page.getByLabel('State').selectOption('');
    await page.getByLabel('Id, or a part of it').fill('run_nobody');
    await page.getByText('No matches.').waitFor();
    await page.getByLabel('Id, or a part of it').press('Enter');
    await page.getByRole('alert').getByText('No run has the id "run_nobody".').waitFor();
  });

  test('shows a hundred thousand runs, loads only those around the visible ones, and finds each', async () => {
    const { page, server } = await openInspector({ scenario: 'large', hash: '#/data/runs' });
    const control = connect(server.url);
    const total = await control.records.runs.count();
    await page.getByText(`${total.toLocaleString('en')} runs`, { exact: true }).waitFor();
    const grid = page.getByRole('grid', { name: 'List of runs' });
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(total + 1));
    const pages: Promise<unknown[]>[] = [];
    const collect = (response: Response): void => {
      if (response.url().includes('/records/runs/list')) pages.push(response.json());
    };
    page.on('response', collect);
    // By keyboard: the oldest, the one before it, and back to the newest.
    const [oldest, other] = await control.records.runs.list({ order: 'asc', limit: 2 });
    const isActive = (id = '') => grid.locator('.grid-row.active', { hasText: id }).waitFor();
    await grid.focus();
    await page.keyboard.press('End');
    await isActive(oldest?.id);
    await page.keyboard.press('ArrowUp');
    await isActive(other?.id);
    await page.keyboard.press('Home');
    const [newest] = await control.records.runs.list({ limit: 1 });
    await isActive(newest?.id);
    // By mouse: anywhere.
    await grid.evaluate((node) => node.scrollTo(0, 50_000 * 34));
    const [far] = await control.records.runs.list({ offset: 50_005, limit: 1 });
    await grid.getByRole('link', { name: far?.id ?? '', exact: true }).waitFor();
    page.off('response', collect); // a page that is left has no bodies any more
    const sizes = (await Promise.all(pages)).map(({ length }) => length);
    expect(sizes).not.toEqual([]);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
    // All of them can be searched, and chosen by their state.
    await page.getByLabel('State').selectOption('failed');
    const failed = (await control.records.runs.count({ status: 'failed' })).toLocaleString('en');
    await page.getByText(`${failed} of ${total.toLocaleString('en')} runs`).waitFor();
    await page.getByLabel('State').selectOption('');
    await page.getByLabel('Id, or a part of it').fill(other?.id.slice(4, 20) ?? '');
    await page.getByText(`1 of ${total.toLocaleString('en')} runs`).waitFor();
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Runs / ${other?.id}` }).waitFor();
    await page.getByRole('button', { name: 'Edit status' }).waitFor();
  });

  test('sorts by a column, by mouse and by keyboard, of a long list only by what is known of all', async () => {
    const model = (id: string, name: string) => ({ id, thread_id: 't', model: name });
    const { page, server } = await openInspector({
      scenario: {
        threads: { t: { records: [model('run_1', 'b'), model('run_2', 'a'), model('run_3', 'c')] } },
      },
      hash: '#/data/runs',
    });
    const grid = page.getByRole('grid', { name: 'List of runs' });
    const ids = () => grid.getByRole('link', { name: /^run_/ }).allTextContents();
    const head = (name: string) => grid.getByRole('columnheader', { name });
    await head('Model').getByRole('button').click();
    await expect.poll(ids).toEqual(['run_2', 'run_1', 'run_3']);
    await head('Model').getByRole('button').press('Enter');
    await expect.poll(ids).toEqual(['run_3', 'run_1', 'run_2']);
    expect(await head('Model').getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await expect.poll(ids).toEqual(['run_3', 'run_1', 'run_2']);
    await expectFitForAll(page, 'wide light');
    await server.scenario.load('large');
    await page.goto(`${server.url}/__admin/#/data/runs?sort=id`);
    const [first] = await server.records.runs.list({ sort: 'id', order: 'asc', limit: 1 });
    await grid.getByRole('link', { name: first?.id ?? '', exact: true }).waitFor();
    expect(await head('Model').getByRole('button').count()).toBe(0);
  });

  test('changes or deletes several at once, and undoes that at once, by mouse and by keyboard', async () => {
    const { page, server } = await openInspector({
      scenario: { threads: { t: { runs: { queued: 3 } } } },
      hash: '#/data/runs',
    });
    const { runs } = server.records;
    const before = await runs.list();
    const [one, two, three] = before.map(({ id }) => id);
    await runs.update(two ?? '', { instructions: 'Mine.' });
    const edited = await runs.list();
    const states = async () => (await runs.list()).map(({ status }) => status);
    await page.getByRole('checkbox', { name: `Choose ${one}` }).click();
    await page.getByRole('checkbox', { name: `Choose ${two}` }).click();
    await page.getByText('2 runs chosen').waitFor();
    await page.getByLabel('New state').selectOption('failed');
    await expectFitForAll(page, 'narrow light');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText('The state of 2 runs was set').waitFor();
    expect(await states()).toEqual(['failed', 'failed', 'queued']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => runs.list()).toEqual(edited);
    // By keyboard: the second and third of the list.
    await page.getByRole('grid').focus();
    for (const key of ['Home', 'ArrowDown', 'Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    expect(await page.getByRole('checkbox', { name: `Choose ${three}` }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Delete these' }).press('Enter');
    await page.getByText('Deleted: 2 runs').waitFor();
    expect((await runs.list()).map(({ id }) => id)).toEqual([one]);
    await page.keyboard.press('Control+z');
    await expect.poll(() => runs.list()).toEqual(edited);
    await page.getByRole('checkbox', { name: 'Choose all' }).press('Space');
    await page.getByText('3 runs chosen').waitFor();
    await page.getByRole('button', { name: 'Choose none' }).click();
    await expect.poll(() => page.getByText('runs chosen').count()).toBe(0);
  });

  test('shows what of an id is not seen, and lets no id look like another', async () => {
    const ids = ['batch_\u202Eevil', 'batch_a\u200Bb', 'batch_e\u0301', 'batch_\u00E9'];
    const { page } = await openInspector({
      scenario: { batches: { records: ids.map((id) => ({ id })) } },
      hash: '#/data/batches',
    });
    const grid = page.getByRole('grid');
    for (const name of ['batch_U+202Eevil', 'batch_aU+200Bb', 'batch_eU+0301', 'batch_\u00E9'])
      await grid.getByRole('link', { name, exact: true }).waitFor();
    await expectFitForAll(page, 'wide dark');
    await grid.getByRole('link', { name: 'batch_U+202Eevil' }).click();
    await page.getByRole('heading', { name: 'Batches / batch_U+202Eevil' }).waitFor();
  });

  test('keeps its place in a list while records come in above', async () => {
    const { page, server } = await openInspector({ hash: '#/data/runs?thread=thread_demo' });
    await page.getByText('257 runs', { exact: true }).waitFor();
    const grid = page.getByRole('grid', { name: 'List of runs' });
    await grid.evaluate((node) => node.scrollTo(0, 120 * 34));
    const [run] = await connect(server.url).records.runs.list({
      thread_id: 'thread_demo',
      offset: 121,
      limit: 1,
    });
    const link = grid.getByRole('link', { name: run?.id ?? '', exact: true });
    await link.waitFor();
    const before = await link.boundingBox();
    await server.records.runs.create({ thread_id: 'thread_demo' });
    await page.getByText('258 runs', { exact: true }).waitFor();
    await expect.poll(async () => (await link.boundingBox())?.y).toBe(before?.y);
  });

  test('says how many requests of a batch failed', async () => {
    const { page } = await openInspector({
      scenario: {
        batches: {
          records: [
            {
              id: 'batch_none',
              status: 'completed',
              request_counts: { total: 1341, completed: 0, failed: 1341 },
            },
            { id: 'batch_all', status: 'completed', request_counts: { total: 5, completed: 5, failed: 0 } },
          ],
        },
      },
      hash: '#/data/batches',
    });
    await page.getByRole('gridcell', { name: '0 of 1341, 1341 failed' }).waitFor();
    await page.getByRole('gridcell', { name: '5 of 5', exact: true }).waitFor();
  });

  test('a run that is edited on the page is the one that clients get', async () => {
    const { page, server } = await openInspector({
      scenario: oneRun({ status: 'queued', max_prompt_tokens: 5, parallel_tool_calls: true }),
      hash: '#/data/runs/run_1',
    });
    await (await edit(page, 'status')).selectOption('failed');
    await page.getByRole('button', { name: 'Save' }).click();
    await fieldOf(page, 'status').getByText('failed').waitFor();
    const button = page.getByRole('button', { name: 'Edit status' });
    await expect.poll(() => button.evaluate((node) => node === document.activeElement)).toBe(true);

    const metadata = await edit(page, 'metadata');
    await metadata.fill(`{"note": "${hostile}"}`);
    await metadata.press('Control+Enter');
    await fieldOf(page, 'metadata').getByText(hostile).waitFor();

    await (await edit(page, 'failed_at')).fill('2026-01-15 12:00:30');
    await page.getByText('2026-01-15 12:00:30 = 1768478430.').waitFor();
    await page.keyboard.press('Enter');
    await fieldOf(page, 'failed_at').getByText('1768478430').waitFor();

    await (await edit(page, 'max_prompt_tokens')).fill('');
    await page.keyboard.press('Enter');
    await fieldOf(page, 'max_prompt_tokens').getByText('null').waitFor();

    await (await edit(page, 'parallel_tool_calls')).selectOption('false');
    await page.getByRole('button', { name: 'Save' }).click();
    await fieldOf(page, 'parallel_tool_calls').getByText('false').waitFor();

    expect((await runsOf(server, 't'))[0]).toMatchObject({
      status: 'failed',
      metadata: { note: hostile },
      failed_at: 1768478430,
      max_prompt_tokens: null,
      parallel_tool_calls: false,
    });
    await isWithoutAlerts(page);
  });

  test('a field is edited once its form is known', async () => {
    let tell = (): void => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const { page } = await openInspector({
      scenario: oneRun({ instructions: 'Be brief.' }),
      hash: '#/data/runs/run_1',
      prepare: (page) =>
        page.route('**/openapi.json', async (route) => {
          await told;
          await route.continue();
        }),
    });
    await fieldOf(page, 'instructions').getByText('Be brief.').waitFor();
    expect(await page.getByRole('button', { name: /^Edit / }).count()).toBe(0);
    tell();
    expect(await (await edit(page, 'instructions')).inputValue()).toBe('Be brief.'); // and not as JSON
  });

  test('what the server refuses is told at the field, and the old value stays', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const { page, server } = await openInspector({ hash: `#/data/policies/${id}` });
    await page
      .getByText(
        '600 requests a minute for each api_key, where workspace_id is 5e1f0c5a-7d54-4c2b-9a54-0d6f7d1c2b11',
      )
      .waitFor();
    await page.getByText('Quotas are off').waitFor();
    const value = await edit(page, 'value');
    await value.fill('none');
    await value.press('Enter');
    await fieldOf(page, 'value')
      .getByRole('alert')
      .getByText(`Failed to update the policy "${id}": value: expected a number, but found "none".`)
      .waitFor();
    await value.press('Escape');
    await fieldOf(page, 'value').getByText('600', { exact: true }).waitFor();
    expect((await connect(server.url).records.policies.get(id))?.value).toBe(600);

    const unit = await edit(page, 'unit');
    expect(await unit.locator('option').allTextContents()).toEqual(['rpm', 'rph', 'rpd']);
    await unit.selectOption('rph');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('600 requests an hour for each api_key').waitFor();

    const conditions = await edit(page, 'conditions');
    await conditions.fill('[{]');
    await page.getByRole('button', { name: 'Save' }).click();
    await fieldOf(page, 'conditions').getByRole('alert').getByText('Invalid JSON').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit conditions' }).waitFor();
  });

  test('what was being written is kept when others delete its record, and is told of', async () => {
    const { page, server } = await openInspector({
      scenario: oneRun({ instructions: 'Be brief.' }),
      hash: '#/data/runs/run_1',
    });
    const field = await edit(page, 'instructions');
    await field.fill('Be long.');
    await server.records.runs.delete('run_1');
    await page.getByRole('alert').getByText('The record was deleted while you edited it').waitFor();
    expect(await field.inputValue()).toBe('Be long.');
    expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
    await expectFitForAll(page, 'wide dark');
    await page.getByRole('button', { name: 'Save' }).click();
    await fieldOf(page, 'instructions').getByRole('alert').waitFor();
    expect(await field.inputValue()).toBe('Be long.');
    await field.press('Escape');
    await page.getByText('There is no run with this id at the current time of the world.').waitFor();
    await fieldOf(page, 'instructions').waitFor({ state: 'detached' });
    const heading = page.getByRole('heading', { name: 'Runs / run_1' });
    await expect.poll(() => heading.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  test('a step of the clock changes the state of the run that is open', async () => {
    const { page, server } = await openInspector({
      scenario: { threads: { t: { runs: { queued: 1 } } } },
    });
    const control = connect(server.url);
    const [run] = await control.records.runs.list();
    await page.goto(`${server.url}/__admin/#/data/runs/${run?.id}`);
    await fieldOf(page, 'status').getByText('queued').waitFor();
    await control.clock.next();
    const { status = '' } = (await control.records.runs.get(run?.id ?? '')) ?? {};
    expect(status).not.toBe('queued');
    await fieldOf(page, 'status').getByText(status).waitFor();
    // A clock that runs tells nothing by itself.
    await control.clock.run(100_000);
    await fieldOf(page, 'status').getByText(status).waitFor({ state: 'detached' });
  });

  test('makes a record, copies and deletes it, after asking once', async () => {
    const { page, server } = await openInspector({ hash: '#/data/runs?thread=thread_empty' });
    const control = connect(server.url);
    await page.getByText('No runs yet.').waitFor();
    await page.getByRole('button', { name: 'New run' }).press('Enter');
    await page.getByRole('button', { name: 'Write it as JSON' }).click();
    const fields = page.getByLabel('Fields, as JSON');
    expect(await fields.inputValue()).toContain('"thread_id": "thread_empty"');
    await fields.fill('{"thread_id": "thread_empty", "statuss": "queued"}');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').getByText('Did you mean "status"?').waitFor();
    await fields.fill('{"id": "run_mine", "thread_id": "thread_empty", "status": "queued"}');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Runs / run_mine' }).waitFor();
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    await page.getByText('Copied').waitFor();
    const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toEqual(await control.records.runs.get('run_mine'));
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('No runs yet.').waitFor();
    expect(await control.records.runs.get('run_mine')).toBeUndefined();
    const heading = page.getByRole('heading', { level: 2 });
    expect(await heading.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  test('makes a record by a form, by the mouse: the required field first, choices, numbers, times and groups', async () => {
    const { page, server } = await openInspector({ hash: '#/data/runs?thread=thread_empty' });
    await page.getByRole('button', { name: 'New run' }).click();
    const form = page.getByRole('form', { name: 'New run' });
    const field = (name: string) => form.getByLabel(name, { exact: true });
    const owner = form.getByLabel('thread_id');
    expect(await owner.inputValue()).toBe('thread_empty');
    expect(await owner.evaluate((node) => node === document.activeElement)).toBe(true);
    await field('id').fill('run_of_form');
    await form.getByRole('combobox', { name: 'status', exact: true }).selectOption('requires_action');
    await form.getByRole('combobox', { name: 'parallel_tool_calls' }).selectOption('false');
    await field('temperature').fill('warm');
    await form.getByLabel('expires_at').fill('2026-01-15 13:00:00');
    await form.getByText('2026-01-15 13:00:00 = 1768482000.').waitFor();
    await form.getByRole('group', { name: 'last_error' }).getByLabel('code').fill('server_error');
    await form.getByLabel('metadata').fill('{');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    // What the page sees itself, then what the server refuses: each at its field, the first one focused.
    await form
      .getByRole('alert')
      .getByText(/^metadata: Invalid JSON/)
      .waitFor();
    await form.getByLabel('metadata').fill('{"ticket": "4711"}');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    const message = form.getByRole('group', { name: 'last_error' }).getByLabel('message');
    await expect.poll(() => message.getAttribute('aria-invalid')).toBe('true');
    expect(await field('temperature').getAttribute('aria-invalid')).toBe('true');
    const described = async (input: Locator): Promise<string> =>
      page.locator(`[id="${await input.getAttribute('aria-describedby')}"]`).innerText();
    expect(await described(message)).toBe('last_error.message: missing: expected a string');
    expect(await described(field('temperature'))).toMatch(
      /^temperature: expected a number.*, but found "warm"/,
    );
    expect(await form.getByRole('alert').count()).toBe(2);
    expect(
      await form
        .locator('[aria-invalid=true]')
        .first()
        .evaluate((node) => node === document.activeElement),
    ).toBe(true);
    await expectFitForAll(page, 'narrow dark');
    await expectFitForAll(page, 'wide light');
    await field('temperature').fill('0.5');
    await message.fill('It broke.');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Runs / run_of_form' }).waitFor();
    expect(await server.records.runs.get('run_of_form')).toMatchObject({
      thread_id: 'thread_empty',
      status: 'requires_action',
      parallel_tool_calls: false,
      temperature: 0.5,
      expires_at: 1768482000,
      last_error: { code: 'server_error', message: 'It broke.' },
      metadata: { ticket: '4711' },
      object: 'thread.run', // what was left out is seeded
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('There is no run with this id').waitFor();
  });

  test('makes a record by a form, by the keyboard alone, and switches to JSON and back', async () => {
    const { page, server } = await openInspector({ hash: '#/data/policies' });
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole('button', { name: 'New policy' }).press('Enter');
    const form = page.getByRole('form', { name: 'New policy' });
    await form.waitFor();
    await press('Tab', 't', 'Tab', 'r'); // the type tokens, the unit rpm
    await press('Tab');
    await page.keyboard.type('250');
    await form.getByRole('button', { name: 'Write it as JSON' }).press('Enter');
    const json = form.getByLabel('Fields, as JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({ type: 'tokens', unit: 'rpm', value: 250 });
    expect(await json.evaluate((node) => node === document.activeElement)).toBe(true);
    const back = form.getByRole('button', { name: 'Fill in a form' });
    const alert = form.getByRole('alert');
    for (const [text, problem] of [
      ['{', 'Invalid JSON'],
      ['[]', 'A record must be a JSON object.'],
      ['{"name": null, "value": 7, "odd": 1}', 'The form has no place for these values: name, odd.'],
    ] as const) {
      await json.fill(text);
      await back.press('Enter');
      await alert.getByText(problem).waitFor();
    }
    await json.fill('{"value": 7, "unit": "rpd", "conditions": [], "type": "requests"}');
    await back.press('Enter');
    await alert.waitFor({ state: 'detached' });
    expect(await form.getByLabel('value', { exact: true }).inputValue()).toBe('7');
    expect(await form.getByLabel('conditions').inputValue()).toBe('[]');
    await form.getByLabel('value', { exact: true }).press('Enter');
    await page.getByText('The policy was created').waitFor();
    const [made] = await server.records.policies.list({ limit: 1 });
    expect(made).toMatchObject({ value: 7, unit: 'rpd', type: 'requests', conditions: [] });

    await page.goto(`${server.url}/__admin/#/data/threads`);
    await page.getByRole('button', { name: 'New thread' }).press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('New thread');
  });

  test('edits a nested object field by field, by mouse and by keyboard, or as JSON', async () => {
    const { page, server } = await openInspector({
      scenario: oneRun({ truncation_strategy: { type: 'auto', last_messages: null }, last_error: null }),
      hash: '#/data/runs/run_1',
    });
    const read = () => server.records.runs.get('run_1');
    const group = await edit(page, 'last_error');
    const code = group.getByLabel('code');
    expect(await code.evaluate((node) => node === document.activeElement)).toBe(true);
    await code.fill('server_error');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await group.getByRole('alert').getByText('last_error.message: missing: expected a string').waitFor();
    expect(await group.getByLabel('message').getAttribute('aria-invalid')).toBe('true');
    await expectFitForAll(page, 'narrow dark');
    await group.getByLabel('message').fill('It broke.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await fieldOf(page, 'last_error').getByText('It broke.').waitFor();
    expect(await read()).toMatchObject({ last_error: { code: 'server_error', message: 'It broke.' } });

    // Emptied by the keyboard alone, it is null again.
    await page.getByRole('button', { name: 'Edit last_error' }).press('Enter');
    await code.waitFor();
    for (const key of ['Control+a', 'Delete', 'Tab', 'Control+a', 'Delete', 'Control+Enter'])
      await page.keyboard.press(key);
    await expect.poll(read).toMatchObject({ last_error: null });

    const strategy = await edit(page, 'truncation_strategy');
    expect(await strategy.getByLabel('type').inputValue()).toBe('auto');
    await strategy.getByLabel('last_messages').fill('4');
    await page.getByRole('button', { name: 'Write it as JSON' }).press('Enter');
    const json = page.getByRole('textbox', { name: 'New value of truncation_strategy' });
    expect(JSON.parse(await json.inputValue())).toEqual({ type: 'auto', last_messages: 4 });
    expect(await json.evaluate((node) => node === document.activeElement)).toBe(true);
    await json.press('Control+Enter');
    await expect.poll(read).toMatchObject({ truncation_strategy: { type: 'auto', last_messages: 4 } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(read).toMatchObject({ truncation_strategy: { type: 'auto', last_messages: null } });
  });

  test('say what a number is where a narrow list has no heads', async () => {
    const { page } = await openInspector({ hash: '#/data/checkpoints?job=ftjob_demo' });
    const title = page.locator('.grid-rows').getByText('train_loss').first();
    await title.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 390, height: 900 });
    await title.waitFor();
  });

  test('hold all of a record in its row where a list is narrow', async () => {
    const { page } = await openInspector({ hash: '#/data/runs', width: 390 });
    const row = page.locator('.grid-rows .grid-row').first();
    await row.waitFor();
    const cut = await row.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      const boxes = [...node.children].map((cell) => cell.getBoundingClientRect());
      return boxes.filter((box) => box.top < top || box.bottom > bottom).length;
    });
    expect(cut).toBe(0);
  });

  test('plots the metrics of a job, and a checkpoint appears as the clock moves on', async () => {
    const { page, server } = await openInspector({
      scenario: { jobs: { j: { checkpoints: 8, made: 3 } } },
      hash: '#/data/jobs/j',
    });
    const control = connect(server.url);
    const pointsOf = async (chart: RegExp): Promise<number[][][]> => {
      const lines = page.getByRole('img', { name: chart }).locator('path.line');
      const paths = await lines.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('d') ?? ''));
      return paths.map((path) => path.split(/(?=[ML])/).map((part) => part.slice(1).split(' ').map(Number)));
    };
    await page.getByRole('img', { name: /^Loss over 3 steps/ }).waitFor();
    const [train = []] = await pointsOf(/^Loss/);
    const made = await control.records.checkpoints.list({ order: 'asc' });
    expect(train).toHaveLength(3);
    // Evenly spaced steps; a higher loss is higher up.
    const [a = [], b = [], c = []] = train;
    expect((c[0] ?? 0) - (b[0] ?? 0)).toBeCloseTo((b[0] ?? 0) - (a[0] ?? 0), 0);
    const losses = made.map(({ metrics }) => metrics.train_loss ?? 0);
    const byHeight = train.map(([, y = 0], at) => ({ y, at })).sort((one, other) => one.y - other.y);
    const byLoss = losses.map((loss, at) => ({ loss, at })).sort((one, other) => other.loss - one.loss);
    expect(byHeight.map(({ at }) => at)).toEqual(byLoss.map(({ at }) => at));
    const rows = page.getByRole('region', { name: 'Metrics as a table' }).locator('tbody tr');
    expect(await rows.count()).toBe(3);
    expect(await rows.last().locator('td').first().textContent()).toBe(String(losses[0]));

    await control.clock.next();
    await page.getByRole('img', { name: /^Loss over 4 steps/ }).waitFor();
    expect((await pointsOf(/^Mean token accuracy/))[0]).toHaveLength(4);
    expect(await rows.count()).toBe(4);
    await rows.first().getByRole('link').click();
    await page.getByRole('link', { name: 'Job j' }).waitFor();
  });

  test('renders a prompt as its variables are typed, and marks what is missing', async () => {
    const { page } = await openInspector({ hash: '#/data/prompts/prompt_support' });
    const rendered = page.getByRole('region', { name: 'Rendered messages' });
    await rendered.locator('mark').getByText('company').waitFor();
    await page.getByText('Missing: 5').waitFor();
    await page.getByLabel('company').fill(hostile);
    await rendered.getByText(`You answer for the support of ${hostile}.`).waitFor();
    await page.getByText('Missing: 4').waitFor();
    // One that only the partial names.
    await page.getByRole('button', { name: 'Add + agent.name' }).click();
    const added = page.getByLabel('agent.name');
    await expect.poll(() => added.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.type('Ada');
    await rendered.getByText('Sign as Ada').waitFor();
    await page.getByLabel('orders').fill('[{"id": 7, "item": "Lamp"}]');
    await rendered.getByText('- 7: Lamp (').waitFor();
    await rendered.locator('mark').getByText('status').waitFor();
    // It is in the URL, as JSON in the other form, and survives.
    await page.reload();
    await rendered.getByText('Sign as Ada').waitFor();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const json = page.getByLabel('Variables, as JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({
      company: hostile,
      agent: { name: 'Ada' },
      orders: [{ id: 7, item: 'Lamp' }],
    });
    await json.fill('[1]');
    await page.getByText('The variables must be an object').first().waitFor();
    await isWithoutAlerts(page);
  });

  test('renders the version that is picked', async () => {
    const { page } = await openInspector({ hash: '#/data/prompts/prompt_versions' });
    await page.getByText('Template of version 2, as stored').waitFor();
    await page.getByLabel('text').fill('Hi');
    await page.getByRole('combobox', { name: 'Version' }).selectOption('1');
    await page.getByText('Template of version 1, as stored').waitFor();
    await page.getByRole('region', { name: 'Rendered messages' }).getByText('Summarise: Hi').waitFor();
    expect(page.url()).toContain('version=1');
    await page.getByText('Summarise: {{text}}', { exact: true }).waitFor();
  });

  test('shows a prompt that cannot be rendered as such', async () => {
    const { page } = await openInspector({
      scenario: 'prompt-library',
      hash: '#/data/prompts/prompt_recursive',
    });
    await page.getByRole('alert').getByText('A partial includes itself').waitFor();
    await page.goto(`${page.url().split('#')[0]}#/data/prompts/prompt_own_properties`);
    const rendered = page.getByRole('region', { name: 'Rendered messages' });
    await rendered.locator('mark').getByText('constructor').waitFor();
    await page.getByLabel('constructor').fill('own');
    await rendered.getByText('<own').waitFor();
  });

  test('shows hostile values as text', async () => {
    const { page, server } = await openInspector({
      scenario: {
        assumptions: { 'run-states': 'any' },
        threads: {
          [hostile]: { records: [{ id: hostile, status: hostile, metadata: { [hostile]: hostile } }] },
        },
        prompts: { [hostile]: { messages: [{ role: hostile, content: `${hostile}{{x}}` }] } },
      },
      hash: `#/data/threads/${encodeURIComponent(hostile)}`,
    });
    const open = (...rest: string[]) =>
      page.goto(`${server.url}/__admin/#/data/${rest.map(encodeURIComponent).join('/')}`);
    await page.getByRole('grid').getByRole('link', { name: hostile }).waitFor();
    await isWithoutAlerts(page);
    await open('runs', hostile);
    await fieldOf(page, 'metadata').getByText(hostile).waitFor();
    await isWithoutAlerts(page);
    await open('prompts', hostile);
    await page.getByRole('region', { name: 'Rendered messages' }).getByText(hostile).first().waitFor();
    await isWithoutAlerts(page);
  });

  test('tells of what there is not', async () => {
    const { page } = await openInspector({ hash: '#/data/runs/run_nobody', scenario: 'empty' });
    await page.getByText('There is no run with this id at the current time of the world.').waitFor();
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByText('No runs yet.').waitFor();
    await page.goto(`${page.url().split('#')[0]}#/data/dragons`);
    await page.getByText('Unknown kind of record “dragons”.').waitFor();
  });

  test('is fit for all in each view', async () => {
    const { page, server } = await openInspector();
    const views = [
      ['threads/thread_small', '6 runs', 'narrow light'],
      ['runs?status=expired', 'of 263 runs', 'wide dark'],
      ['batches?status=failed', 'of 130 batches', 'narrow dark'],
      ['jobs/ftjob_demo', 'at step', 'wide light'],
      ['policies', '8 policies', 'narrow light'],
      ['policies/11111111-1111-4111-8111-111111111111', 'Quotas are off', 'wide dark'],
      ['prompts/prompt_support', 'Missing: 5', 'narrow dark'],
    ] as const;
    for (const [view, text, sight] of views) {
      await page.goto(`${server.url}/__admin/#/data/${view}`);
      await page.getByText(text).first().waitFor();
      await expectFitForAll(page, sight);
    }
  });

  test('long names and great numbers make no view wider than its window', async () => {
    const long = 'W'.repeat(180);
    const id = '11111111-1111-4111-8111-111111111111';
    const { page, server } = await openInspector({
      scenario: {
        extends: 'default',
        assumptions: { 'run-states': 'any', 'batch-states': 'any' },
        threads: { [long]: { records: [{ id: `run_${long}`, status: long, model: long }] } },
        batches: { records: [{ id: `batch_${long}`, status: long, endpoint: long }] },
        jobs: { [long]: { checkpoints: 2 } },
        prompts: {
          [long]: { messages: [{ role: long, content: `{{${long}}}{{#${long}1}}x{{/${long}1}}` }] },
        },
      },
    });
    await server.records.policies.update(id, {
      value: 1e308,
      conditions: [{ key: `metadata.${long}`, value: long }],
      group_by: [{ key: `metadata.${long}` }],
    });
    const [checkpoint] = await server.records.checkpoints.list({ fine_tuning_job_id: long });
    const views = [
      ['clock', long],
      [`data/runs/run_${long}`, 'thread_id'],
      [`data/batches/batch_${long}`, 'endpoint'],
      [`data/jobs/${long}`, 'at step'],
      [`data/checkpoints/${checkpoint?.id}`, 'step_number'],
      ['data/policies', '1e+308 requests'],
      [`data/policies/${id}`, '1e+308 requests'],
      [`data/prompts/${long}`, 'Missing: 1'],
      [`data/threads/${long}`, '1 run'],
    ] as const;
    const found: string[] = [];
    for (const [view, text] of views) {
      await page.goto(`${server.url}/__admin/#/${view}`);
      await page.getByText(text).first().waitFor();
      for (const width of [375, 1280]) {
        const excess = await excessAt(page, width);
        if (excess > 0) found.push(`${view.slice(0, 20)} at ${width} px: ${excess} px too wide`);
      }
    }
    expect(found).toEqual([]);
  });

  test('a form that is open is fit for all', async () => {
    const { page } = await openInspector({
      scenario: oneRun({ tools: [], instructions: 'Be brief.' }),
      hash: '#/data/runs/run_1',
    });
    await (await edit(page, 'instructions')).fill('x');
    await (await edit(page, 'tools')).fill('{');
    await fieldOf(page, 'tools').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await expectFitForAll(page, 'narrow dark');
  });
});
