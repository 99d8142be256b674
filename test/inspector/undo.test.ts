// What is done on the page can be taken back: the list of changes, and Undo.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { expectFitForAll, openInspector } from '../support/open-inspector.ts';

const scenario = {
  threads: { t: { runs: { queued: 1, completed: 2 } } },
  batches: 2,
};

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click();

describe.skipIf(!hasChromium)('changes', () => {
  test('are listed by record, with their fields, and each is reverted', async () => {
    const { page, server } = await openInspector({ scenario, hash: '#/scenario' });
    const { records, state } = server;
    const [run] = await records.runs.list();
    const [batch] = await records.batches.list();
    const [id = '', deleted = ''] = [run?.id, batch?.id];
    await records.runs.update(id, { max_prompt_tokens: 7, metadata: { note: 'a' } });
    await records.batches.delete(deleted);
    await records.batches.create({ id: 'batch_new' });
    const list = page.getByRole('list', { name: 'The differences' });
    const row = (name: string) => list.getByRole('listitem').filter({ hasText: name });
    await row(id)
      .getByText(`max_prompt_tokens: ${JSON.stringify(run?.max_prompt_tokens)} → 7`)
      .waitFor();
    await row(deleted).getByText('deleted', { exact: true }).waitFor();
    await row('batch_new').getByText('created', { exact: true }).waitFor();
    await expectFitForAll(page, 'narrow light');
    await page.getByRole('button', { name: `Revert ${id}` }).press('Enter');
    await row(id).waitFor({ state: 'detached' });
    expect(await records.runs.get(id)).toEqual(run);
    expect(await list.evaluate((node) => node === document.activeElement)).toBe(true);
    await undo(page);
    await row(id).getByText('max_prompt_tokens').waitFor();
    await page.getByRole('button', { name: `Revert ${deleted}` }).click();
    await row(deleted).waitFor({ state: 'detached' });
    expect(await records.batches.get(deleted)).toEqual(batch);
    await page.getByRole('button', { name: 'Delete batch_new' }).click();
    await row('batch_new').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await row('batch_new').waitFor();
    await page.getByRole('button', { name: `Revert ${id}` }).click();
    await page.getByRole('button', { name: 'Delete batch_new' }).click();
    await page.getByText('No changes:').waitFor();
    expect(await state.changes()).toEqual([]);
  });

  test('of a record are undone, and it moves with the clock again', async () => {
    const { page, server } = await openInspector({ scenario });
    const { records, state, clock } = server;
    const [run] = await records.runs.list({ status: 'queued' });
    await page.goto(`${server.url}/__admin/#/data/runs/${run?.id}`);
    const edit = async (text: string) => {
      const messages = await page.getByRole('button', { name: 'Undo' }).elementHandles();
      await page.getByRole('button', { name: 'Edit model' }).click();
      await page.getByLabel('New value of model').fill(text);
      await page.getByLabel('New value of model').press('Control+Enter');
      await expect.poll(async () => (await records.runs.get(run?.id ?? ''))?.model).toBe(text);
      for (const message of messages) await message.waitForElementState('hidden'); // the new one has taken its place
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    };
    await edit('First.');
    await edit('Second.');
    await undo(page);
    await expect.poll(async () => (await records.runs.get(run?.id ?? ''))?.model).toBe('First.');
    await page.getByRole('button', { name: 'Revert to the scenario' }).press('Enter');
    await expect.poll(() => state.changes()).toEqual([]);
    await page.getByText('The run was reverted').waitFor();
    await undo(page);
    await expect.poll(async () => (await records.runs.get(run?.id ?? ''))?.model).toBe('First.');
    await page.getByRole('button', { name: 'Revert to the scenario' }).press('Enter');
    await expect.poll(() => state.changes()).toEqual([]);
    await edit('Third.');
    await undo(page);
    await expect.poll(() => state.changes()).toEqual([]);
    await clock.advance('1h');
    expect((await records.runs.get(run?.id ?? ''))?.status).not.toBe('queued');
  });

  test('a deleted thread comes back with all that was written in it', async () => {
    const { page, server } = await openInspector({ scenario, hash: '#/data/threads/t' });
    const { records, state } = server;
    const [edited, gone] = await records.runs.list();
    await records.runs.update(edited?.id ?? '', { model: 'Mine.' });
    await records.runs.delete(gone?.id ?? '');
    await records.runs.create({ id: 'run_new', thread_id: 't' });
    const [before, changes] = [await records.runs.list(), await state.changes()];
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('The thread was deleted').waitFor();
    expect(await records.threads.list()).toEqual([]);
    await undo(page);
    await page.getByText('Undone').waitFor();
    expect(await records.runs.list()).toEqual(before);
    expect(await state.changes()).toEqual(changes);
    // One that was created on the page, too.
    await records.threads.create({ id: 'mine' });
    await records.runs.create({ id: 'run_mine', thread_id: 'mine' });
    await page.goto(`${server.url}/__admin/#/data/threads/mine`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The thread was deleted').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => records.runs.get('run_mine')).toBeDefined();
  });

  test('a reset and a loaded scenario are undone, with the counts of the faults', async () => {
    const { page, server } = await openInspector({ scenario: 'in-flight', hash: '#/scenario' });
    await server.faults.add('listBatches#9: 503');
    await fetch(`${server.baseUrl}/batches`);
    await server.clock.advance('1h');
    const read = async () => [
      await server.scenario.current(),
      await server.faults.list(),
      await server.state.export(),
    ];
    const before = await read();
    await page.getByRole('button', { name: 'Reset to the start' }).click();
    await page.getByText('The session was reset').waitFor();
    expect(await read()).not.toEqual(before);
    await undo(page);
    await expect.poll(read).toEqual(before);
    await page.getByRole('button', { name: 'Load empty' }).press('Enter');
    await page.getByText('empty is loaded.').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(read).toEqual(before);
  });

  test('of the clock and of the faults are undone', async () => {
    const { page, server } = await openInspector({ scenario, hash: '#/clock' });
    const { clock, faults } = server;
    await clock.run(60);
    await page.getByRole('button', { name: 'Freeze' }).click();
    await expect.poll(async () => (await clock.now()).speed).toBe(0);
    await undo(page);
    await expect.poll(async () => (await clock.now()).speed).toBe(60);
    await clock.freeze();
    const { now } = await clock.now();
    await page.getByRole('button', { name: '+ 1 h' }).press('Enter');
    await page.getByText('The clock was changed').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await clock.now()).now).toBe(now);

    await faults.add('listBatches#2: 503', '*: delay 1ms');
    await fetch(`${server.baseUrl}/batches`);
    const before = await faults.list();
    await page.goto(`${server.url}/__admin/#/faults`);
    await page.getByRole('button', { name: 'Remove listBatches#2: 503' }).click();
    await expect.poll(() => faults.list()).toHaveLength(1);
    await undo(page);
    await expect.poll(() => faults.list()).toEqual(before);
    await page.getByRole('button', { name: 'Remove all' }).press('Enter');
    await expect.poll(() => faults.list()).toEqual([]);
    await page.locator('#undo').waitFor(); // the message comes with the reply
    await page.keyboard.press('Control+z');
    await expect.poll(() => faults.list()).toEqual(before);
    await page.getByRole('button', { name: 'Edit listBatches#2: 503' }).press('Enter');
    await page.getByLabel('Edit the fault').fill('listBatches#2: 500');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await faults.list())[0]?.fault).toBe('listBatches#2: 500');
    await undo(page);
    await expect.poll(() => faults.list()).toEqual(before);
    await page.getByLabel('Add a fault').fill('*: reset');
    await page.keyboard.press('Enter');
    await expect.poll(() => faults.list()).toHaveLength(3);
    await undo(page);
    await expect.poll(() => faults.list()).toEqual(before);
  });

  test('are undone only while nobody else has changed the session since', async () => {
    const { page, server } = await openInspector({ scenario, hash: '#/faults' });
    const { clock, faults } = server;
    await faults.add('*: 503');
    await page.getByRole('button', { name: 'Remove *: 503' }).click();
    await page.locator('#undo').waitFor();
    await clock.advance('1h');
    await undo(page);
    await page.getByText('The session has changed since').waitFor();
    expect(await faults.list()).toEqual([]);
    await server.state.undo();
    await undo(page);
    await expect.poll(() => faults.list()).toHaveLength(1);
  });

  test('of a record that somebody else changed are refused, and the input is kept', async () => {
    const { page, server } = await openInspector({ scenario });
    const { runs } = server.records;
    const [run] = await runs.list({ limit: 1 });
    const id = run?.id ?? '';
    await page.goto(`${server.url}/__admin/#/data/runs/${id}`);
    await page.getByRole('button', { name: 'Edit model' }).click();
    const input = page.getByLabel('New value of model');
    await input.fill('Mine.');
    await runs.update(id, { metadata: { other: 'field' } });
    await page.getByText('other').waitFor();
    await runs.update(id, { model: 'Theirs.' });
    await input.press('Control+Enter');
    await page.getByText('Somebody changed this record while you edited it.').waitFor();
    expect(await input.inputValue()).toBe('Mine.');
    expect((await runs.get(id))?.model).toBe('Theirs.');
    await input.press('Control+Enter');
    await expect.poll(async () => (await runs.get(id))?.model).toBe('Mine.');
  });
});
