// The panel of faults, as a person uses it.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  expectFitForAll,
  focused,
  openControlRoom,
  press,
  ways,
} from '../support/open-control-room.ts';
import { ownCalls } from '../support/own-calls.ts';

const hostile = '<img src=x onerror=alert(1)>';

describe.skipIf(!hasChromium)('the panel of faults', () => {
  test.each(ways('mouse'))(
    'adds a fault, sees it used up, restarts it, edits, duplicates, switches off, removes, by %s',
    async (by) => {
      const { server, page } = await openControlRoom({ hash: '#/faults', scenario: { batches: 3 } });
      const call = async () => (await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders })).status;
      const line = page.getByLabel('Line');
      const item = (text: string) =>
        page.getByRole('list', { name: 'Faults' }).getByRole('listitem').filter({ hasText: text });
      const pressButton = (name: string) => press(by, page.getByRole('button', { name, exact: true }));
      const lines = async () => (await server.faults.list()).map(({ fault }) => fault);
      const none = page.getByText('No faults: every call gets its usual reply.');
      await none.waitFor();
      await line.press('Enter'); // nothing is added before an effect is chosen
      await line.press('Enter');
      expect(await lines()).toEqual([]);
      await page.getByLabel('Effect').selectOption('answer 503');
      expect(await line.inputValue()).toBe('*: 503');
      await line.fill('* times=1: 503');
      await pressButton('Add');
      const first = item('* times=1: 503');
      await first.getByText('No effect yet: no call matched.').waitFor();
      await expect.poll(() => line.inputValue()).toBe('');
      await expect.poll(() => page.url()).not.toContain('line=');

      expect([await call(), await call()]).toEqual([503, 200]);
      await first.getByText('used up').waitFor();
      await first.getByText('2 calls, 1 hit').waitFor();
      await page.getByRole('region', { name: 'What is not normal' }).waitFor({ state: 'detached' });
      await expectFitForAll(page);
      await pressButton('Use again * times=1: 503');
      await first.getByText('0 calls, 0 hits').waitFor();
      expect(await call()).toBe(503);

      await pressButton('Edit * times=1: 503');
      await pressButton('Cancel');
      await page.getByRole('heading', { name: 'Add a fault' }).waitFor();
      await pressButton('Edit * times=1: 503');
      await page.getByLabel('Effect').selectOption('answer 500');
      await page.reload(); // a half-typed edit survives it
      await page.getByRole('heading', { name: 'Edit the fault' }).waitFor();
      expect(await line.inputValue()).toBe('* times=1: 500');
      await pressButton('Save');
      const edited = item('* times=1: 500');
      await edited.waitFor();
      await pressButton('Duplicate * times=1: 500');
      await page.getByLabel('Operation').selectOption('listRuns');
      await pressButton('Add');
      await item('listRuns times=1: 500').waitFor();
      expect(await lines()).toEqual(['* times=1: 500', 'listRuns times=1: 500']);

      if (by === 'keys') await page.getByLabel('On: * times=1: 500').press('Space');
      else await edited.locator('label').first().click(); // the input itself is below its track
      await edited.getByText('off', { exact: true }).waitFor();
      expect(await call()).toBe(200);
      await pressButton('Undo');
      await expect.poll(call).toBe(500);
      await pressButton('Remove * times=1: 500');
      await expect.poll(lines).toEqual(['listRuns times=1: 500']);
      await expect.poll(() => focused(page, 'ariaLabel')).toBe('Remove listRuns times=1: 500'); // what was pressed has gone
      await pressButton('Remove all');
      await none.waitFor();
    },
  );

  test('the sentence writes the line and is filled from it, by keys; recipes fill both', async () => {
    const { server, page } = await openControlRoom({
      hash: '#/faults',
      calls: ownCalls,
      scenario: { threads: { thread_a: { runs: 1 } } },
    });
    const line = page.getByLabel('Line');
    const sentence = page.getByRole('group', { name: 'The fault as a sentence' });
    const slot = (name: string) => sentence.getByRole('combobox', { name });
    const lines = async () => (await server.faults.list()).map(({ fault }) => fault);
    await sentence.getByRole('option', { name: 'findBatch' }).waitFor({ state: 'attached' }); // a call of the user's own
    await slot('Operation').focus();
    await page.keyboard.type('listRuns');
    await sentence.getByRole('option', { name: 'of thread_a' }).waitFor({ state: 'attached' });
    await slot('Of which').selectOption('of thread_a');
    await slot('Which calls').selectOption('every 5th call');
    await slot('Effect').selectOption('answer 503');
    expect(await line.inputValue()).toBe('listRuns path=/v1/threads/thread_a/runs every=5: 503');
    await line.press('Enter');
    await expect.poll(lines).toEqual(['listRuns path=/v1/threads/thread_a/runs every=5: 503']);
    await expect.poll(() => slot('Effect').inputValue()).toBe(''); // the next one is not armed

    await page.getByRole('button', { name: 'Slow by 3 s' }).press('Enter');
    expect(await line.inputValue()).toBe('listBatches: delay 3s');
    expect(await slot('Effect').inputValue()).toBe('delay 3s');
    await line.fill(`listRun: ${hostile}`);
    expect(await slot('Effect').inputValue()).toBe(hostile);
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('Did you mean "listRuns"?').waitFor();
    expect(await alert.textContent()).toContain(hostile);
    expect(await line.getAttribute('aria-invalid')).toBe('true');
    expect(await line.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectFitForAll(page);
    await line.fill('');
    await alert.waitFor({ state: 'detached' });
  });
});
