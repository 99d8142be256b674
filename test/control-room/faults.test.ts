// The panel of faults and quotas, as a person uses it.
import { describe, expect, test } from 'vitest';
import { examples } from '../../src/control-room/panels/faults/examples.ts';
import { readFault, writeFault } from '../../src/control-room/panels/faults/fault-line.ts';
import { conditionNames, effectKinds } from '../../src/faults/kinds.ts';
import { parseRule } from '../../src/faults/rule.ts';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, expectFitForAll, openControlRoom } from '../support/open-control-room.ts';
import { ownCalls } from '../support/own-calls.ts';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';

const hostile = '<img src=x onerror=alert(1)>';

describe.skipIf(!hasChromium)('the panel of faults', () => {
  test('by mouse: adds an example, sees it used up, arms it again, edits, duplicates, switches off, removes', async () => {
    const { server, page } = await openControlRoom({ hash: '#/faults', scenario: { batches: 3 } });
    const call = async () => (await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders })).status;
    const line = page.getByLabel('Line');
    const item = (text: string) =>
      page.getByRole('list', { name: 'Faults' }).getByRole('listitem').filter({ hasText: text });
    const lines = async () => (await server.faults.list()).map(({ fault }) => fault);
    await page.getByText('No faults: every call gets its usual reply.').waitFor();
    await page.getByRole('button', { name: '* times=2: 503' }).click();
    expect(await line.inputValue()).toBe('* times=2: 503');
    await page.getByRole('textbox', { name: 'Only if' }).fill('times=1');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await item('* times=1: 503').getByText('No effect yet: no call matched.').waitFor();
    await expect.poll(() => line.inputValue()).toBe('');
    await expect.poll(() => page.url()).not.toContain('line=');

    expect([await call(), await call()]).toEqual([503, 200]);
    await item('* times=1: 503').getByText('used up').waitFor();
    await item('* times=1: 503').getByText('2 calls, 1 hit').waitFor();
    await expectFitForAll(page);
    await page.getByRole('button', { name: 'Arm again * times=1: 503' }).click();
    await item('* times=1: 503').getByText('0 calls, 0 hits').waitFor();
    expect(await call()).toBe(503);

    await page.getByRole('button', { name: 'Edit * times=1: 503' }).click();
    await page.getByRole('textbox', { name: 'Status and options' }).fill('500');
    await page.reload(); // a half-typed edit survives it
    await page.getByRole('heading', { name: 'Edit the fault' }).waitFor();
    expect(await line.inputValue()).toBe('* times=1: 500');
    await page.getByRole('button', { name: 'Save' }).click();
    await item('* times=1: 500').waitFor();

    await page.getByRole('button', { name: 'Duplicate * times=1: 500' }).click();
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('listRuns');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await item('listRuns times=1: 500').waitFor();
    expect(await lines()).toEqual(['* times=1: 500', 'listRuns times=1: 500']);

    await item('* times=1: 500').locator('label').first().click(); // the input itself is below its track
    await item('* times=1: 500').getByText('It changes no calls.').first().waitFor();
    expect(await call()).toBe(200);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(call).toBe(500);

    await page.getByRole('button', { name: 'Remove * times=1: 500' }).click();
    await expect.poll(lines).toEqual(['listRuns times=1: 500']);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('No faults: every call gets its usual reply.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await item('listRuns times=1: 500').waitFor();
  });

  test('by keys: the fields write the line and are filled from it, and the palette has each command', async () => {
    const { server, page } = await openControlRoom({ hash: '#/faults', calls: ownCalls });
    const line = page.getByLabel('Line');
    const form = page.getByRole('group', { name: 'The fault as fields' });
    const field = (name: string) => form.getByRole('textbox', { name, exact: true });
    const lines = async () => (await server.faults.list()).map(({ fault }) => fault);
    await form.getByRole('combobox', { name: 'Operation' }).focus();
    await form.getByRole('option', { name: 'retrieveBatch' }).waitFor({ state: 'attached' }); // a call of the user's own
    await page.keyboard.type('listRuns');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2-4');
    await page.keyboard.press('Tab');
    await page.keyboard.type('share=50% query.limit=5 header.x-a=b');
    await field('Status and options').fill('429');
    await field('Status and options').press('End');
    await page.keyboard.type(' message="Try again later"');
    expect(await line.inputValue()).toBe(
      'listRuns#2-4 share=50% query.limit=5 header.x-a=b: 429 message="Try again later"',
    );
    await page.keyboard.press('Enter');
    await expect
      .poll(lines)
      .toEqual(['listRuns#2-4 query.limit=5 header.x-a=b share=50%: 429 message="Try again later"']);

    await line.fill('* times=2: reply 201 body={"a": [1]} header.x-b=c');
    expect(await form.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('reply');
    expect(await field('Status and options').inputValue()).toBe('201 body={"a": [1]} header.x-b=c');
    await form.getByRole('combobox', { name: 'Kind' }).selectOption('delay');
    expect(await line.inputValue()).toBe('* times=2: delay 2s');
    await line.fill(`listRun: ${hostile}`);
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('Did you mean "listRuns"?').waitFor();
    expect(await alert.textContent()).toContain(hostile);
    expect(await line.getAttribute('aria-invalid')).toBe('true');
    expect(await line.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectFitForAll(page);
    await line.fill('');
    await alert.waitFor({ state: 'detached' });

    const run = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run' }).fill(text);
      await page.getByRole('option', { name: text }).first().waitFor();
      await page.keyboard.press('Enter');
    };
    await run('Remove all faults');
    await expect.poll(lines).toEqual([]);
    await run('add the fault listBatches times=1: 503');
    await run('fail next listBatches');
    await expect.poll(lines).toEqual(['listBatches times=1: 503', 'listBatches#1: 503']);
    await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders });
    await run('arm again listBatches times=1: 503');
    await expect.poll(async () => (await server.faults.list())[0]?.calls).toBe(0);
    await run('turn off listBatches times=1: 503');
    await expect.poll(async () => (await server.faults.list())[0]?.off).toBe(true);
    await run('edit listBatches#1: 503');
    await expect.poll(() => line.inputValue()).toBe('listBatches#1: 503');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByLabel('On: listBatches times=1: 503').press('Space');
    await expect.poll(async () => (await server.faults.list())[0]?.off).toBeUndefined();
    await page.getByRole('button', { name: 'Remove listBatches times=1: 503' }).press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Remove listBatches#1: 503');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Faults');
    expect(await lines()).toEqual([]);
  });

  test('enforces quotas, shows how much is used, refills them, and shows that they are off', async () => {
    const records = [policy(1, { name: hostile }), policy(2, { value: 10 })];
    const { server, page } = await openControlRoom({
      hash: '#/faults',
      scenario: { ...scenarioUnder(...records), quotas: false },
    });
    const call = async () => (await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders })).status;
    const enforced = page.getByRole('switch', { name: 'Enforced' });
    await page.getByText('Off: policies are not enforced').waitFor();
    await enforced.press('Space');
    await expect.poll(() => server.quotas.isEnforced()).toBe(true);
    await page.getByText('No calls have been counted yet').waitFor();
    expect([await call(), await call(), await call(), await call()]).toEqual([200, 200, 200, 429]);
    const quotas = page.getByRole('list', { name: 'Quotas' });
    await quotas.getByText('3 of 3 requests used: no more').waitFor();
    await quotas.getByText('3 of 10 requests used').waitFor();
    await quotas.getByText('Resets at 2026-01-15 12:01:00, in 1 min').first().waitFor();
    const bar = quotas.getByRole('progressbar', { name: `Policy ${hostile}` });
    expect(await bar.getAttribute('aria-valuenow')).toBe('100');
    expect(await quotas.getByRole('link', { name: hostile }).getAttribute('href')).toContain(policyId(1));
    await expectFitForAll(page);

    await enforced.click();
    await quotas.getByText('3 of 3 requests used, not enforced').waitFor();
    await page.getByText('Off: policies are not enforced').waitFor();
    expect(await call()).toBe(200);
    await page.getByRole('button', { name: 'Undo' }).click();
    await quotas.getByText('3 of 3 requests used: no more').waitFor();
    await page.getByRole('button', { name: 'Refill' }).press('Enter');
    await page.getByText('No calls have been counted yet').waitFor();
    expect(await call()).toBe(200);
  });
});

const exampleLines = Object.values(examples).flatMap(Object.keys);

test('the fields of each example write a line with the same meaning', () => {
  for (const line of exampleLines) {
    const parts = readFault(line);
    expect(parseRule(writeFault(parts))).toEqual(parseRule(line));
  }
});

test('every kind of fault and every condition has an example', () => {
  const kinds = exampleLines.map((line) => parseRule(line).effect.kind);
  expect(new Set(kinds)).toEqual(new Set(['error', ...effectKinds]));
  for (const name of conditionNames) expect(exampleLines.join('\n')).toContain(` ${name}=`);
});
