// The panel of the scenario, as a person uses it: what is loaded, what has changed, and how to go back.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { makeFolder } from '../support/make-folder.ts';
import {
  clientHeaders,
  expectFitForAll,
  openControlRoom,
  press,
  ways,
} from '../support/open-control-room.ts';

const hostile = '<img src=x onerror=alert(1)>';
const scenario = { threads: { t: { runs: { queued: 1, completed: 2 } } }, batches: 2 };

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const rowsOf = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('listitem');
const row = (page: Page, list: string, text: string) => rowsOf(page, list).filter({ hasText: text });

describe.skipIf(!hasChromium)('the panel of the scenario', () => {
  test.each(ways('keys'))(
    'finds and loads another one, resets it, and takes both back with the counts of the faults, by %s',
    async (by) => {
      const { server, page } = await openControlRoom({ hash: '#/scenario' });
      await server.faults.add('listBatches#9: 503');
      await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders });
      const read = async () => [
        await server.scenario.current(),
        await server.faults.list(),
        await server.state.export(),
      ];
      const before = await read();
      await page.getByRole('heading', { name: 'default', exact: true }).first().waitFor();
      await page.getByText('Seed 42').waitFor();
      await page.getByLabel('Search', { exact: true }).fill('many active runs');
      await expect.poll(() => rowsOf(page, 'Scenarios').count()).toBe(1);
      await row(page, 'Scenarios', 'in-flight').getByText('152 runs, 42 batches, 5 checkpoints').waitFor();
      await expectFitForAll(page);
      await press(by, button(page, 'Load in-flight'));
      await page.getByText('in-flight is loaded. The list of requests was cleared.').waitFor();
      await row(page, 'Scenarios', 'in-flight').getByText('loaded').waitFor();
      expect(await server.scenario.current()).toMatchObject({ name: 'in-flight' });
      await page.keyboard.press('Control+z');
      await expect.poll(read).toEqual(before);

      await press(by, button(page, 'Reset: back to its start'));
      await page.getByText(/^Reset to the start\./).waitFor();
      await page.getByText('at its start').waitFor();
      expect(await server.faults.list()).toEqual([]);
      await page.keyboard.press('Control+z');
      await expect.poll(read).toEqual(before);

      await page.getByLabel('Search', { exact: true }).fill('');
      await page.getByRole('checkbox', { name: /^time/ }).press('Space');
      await expect.poll(() => rowsOf(page, 'Scenarios').count()).toBe(3);
      await server.sessions.create('live'); // of which no event tells
      await press(by, button(page, 'Load in a new session: live'));
      await page.waitForURL(`${server.url}/sessions/live-2/__admin/**`);
      expect((await server.session('live-2').scenario.current()).name).toBe('live');
    },
  );

  test.each(ways('mouse'))('shows what has changed, and goes back in the history, by %s', async (by) => {
    const { page, server } = await openControlRoom({ scenario, hash: '#/scenario' });
    const { records, state, clock } = server;
    await page.getByText('at its start').waitFor();
    const [run] = await records.runs.list();
    const [batch] = await records.batches.list();
    const [id = '', deleted = ''] = [run?.id, batch?.id];
    await records.runs.update(id, { max_prompt_tokens: 7, metadata: { note: hostile } });
    await records.batches.delete(deleted);
    await records.batches.create({ id: 'batch_new' });
    await clock.advance('1m');
    const change = (text: string) => row(page, 'The differences', text);
    await press(by, button(page, /^Show all \d+: The differences/));
    await change(`${id}].max_prompt_tokens`).getByText('→ 7').waitFor();
    await change(deleted).getByText('→ nothing').waitFor();
    await change('batch_new').getByText('nothing →').waitFor();
    expect(await change('clock.now').innerText()).toMatch(/12:00:00.*12:01:00/s);
    await press(by, button(page, 'Show less: The differences'));
    await expect.poll(() => rowsOf(page, 'The differences').count()).toBe(4);
    await expectFitForAll(page);
    await press(by, button(page, 'Load empty'));
    await page.locator('[data-undo]').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone').waitFor();
    await press(by, button(page, 'Load empty'));
    await page.locator('[data-undo]').waitFor();
    await clock.advance('1h'); // somebody else changes the session meanwhile
    await page.keyboard.press('Control+z');
    await page.getByText('The session has changed since').waitFor();

    await press(by, button(page, 'Last changes'));
    const newest = rowsOf(page, 'Changes, the newest first').first();
    await newest.getByText('1h').waitFor(); // until then, each line still moves down
    await press(by, button(page, /^Go back to before \d+: Runs changed/));
    await page.getByText('at its start').waitFor();
    expect(await state.changes()).toEqual([]);
    expect(await state.history()).toEqual({ changes: [], dropped: 0 });
    for (let count = 1; count <= 22; count += 1) await clock.advance('1s');
    await page.getByText('2 older changes can no longer be undone.').waitFor();
    await expect.poll(() => rowsOf(page, 'Changes, the newest first').count()).toBe(20);
  });

  test.each(ways('mouse'))(
    'saves states, returns to them, asks before one is lost, and tells them apart by their fingerprints, by %s',
    async (by) => {
      const { server, page } = await openControlRoom({ hash: '#/scenario' });
      await page.getByText(await server.state.fingerprint()).waitFor();
      await server.clock.advance('1h');
      const fingerprint = await server.state.fingerprint();
      await page.getByText(fingerprint).waitFor();
      await press(by, button(page, 'Copy the fingerprint'));
      await page.getByText('Copied').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fingerprint);
      const name = page.getByLabel('Name of the state');
      const save = async (): Promise<void> => {
        await name.fill('an hour on');
        await page.keyboard.press('Enter');
      };
      await save();
      await page.getByText('The state was saved as an hour on.').waitFor();
      await row(page, 'Scenarios', 'default, at 2026-01-15 13:00:00').waitFor();
      await server.clock.advance('1d');
      await press(by, button(page, 'Restore an hour on'));
      await page.getByText(/^The state an hour on was restored\./).waitFor();
      expect(await server.clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });
      expect(await server.state.fingerprint()).toBe(fingerprint);
      await save();
      await press(by, button(page, 'Replace it')); // it asks first
      await expect.poll(() => name.inputValue()).toBe('');
      await press(by, button(page, 'Delete the saved state an hour on'));
      await expectFitForAll(page);
      await press(by, button(page, 'Delete it'));
      await row(page, 'Scenarios', 'default, at 2026-01-15 13:00:00').waitFor({ state: 'detached' });
    },
  );

  test('downloads the state, which the page loads', async () => {
    const { server, page } = await openControlRoom({ scenario: 'in-flight', hash: '#/scenario' });
    await server.clock.advance('5m');
    await server.records.batches.create({ status: 'failed', metadata: { note: hostile } });
    const folder = makeFolder();
    const download = async (press: () => Promise<void>): Promise<string> => {
      const downloading = page.waitForEvent('download');
      await press();
      const file = await downloading;
      await file.saveAs(join(folder, file.suggestedFilename()));
      return file.suggestedFilename();
    };
    for (const format of ['YAML', 'JSON'])
      expect(
        await download(async () => {
          await button(page, 'Download').press('Enter');
          await page.getByRole('menuitem', { name: `As ${format}` }).click();
        }),
      ).toBe(`in-flight-2026-01-15.${format.toLowerCase()}`);

    const fingerprint = await server.state.fingerprint();
    await server.scenario.load('empty');
    const choosing = page.waitForEvent('filechooser');
    await button(page, 'Load a file').click();
    await (await choosing).setFiles(join(folder, 'in-flight-2026-01-15.json'));
    await page.getByText(/^in-flight-2026-01-15 is loaded\./).waitFor();
    expect(await server.state.fingerprint()).toBe(fingerprint);
  });

  test('loads a file under its name, and shows its errors with their lines', async () => {
    const { server, page } = await openControlRoom({ hash: '#/scenario' });
    const give = async (name: string, text: string): Promise<void> => {
      const choosing = page.waitForEvent('filechooser');
      await button(page, 'Load a file').press('Enter');
      await (await choosing).setFiles({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(text),
      });
    };
    const alert = page.getByRole('alert');
    await give('mine.yaml', 'seed: 7\nbatches:\n  complete: 1\n');
    await alert.getByText('mine.yaml:3:3 batches.complete: unknown key. Did you mean "completed"?').waitFor();
    await expectFitForAll(page);
    expect(await server.scenario.current()).toMatchObject({ name: 'default' });
    await give('mine.yaml', `description: "${hostile}"\nseed: 7 # as in the report\n`);
    await page.getByText(/^mine is loaded\./).waitFor();
    await page.getByText(hostile).first().waitFor();
    await page.getByText('Seed 7').waitFor();
    expect(await alert.count()).toBe(0);
    await button(page, 'Undo').click();
    await expect.poll(() => server.scenario.current()).toMatchObject({ name: 'default', seed: 42 });
  });
});
