import { describe, expect, test } from 'vitest';
import { effectKinds } from '../../src/faults/kinds.ts';
import { parseRule } from '../../src/faults/rule.ts';
import { readFault, writeFault } from '../../src/inspector/panels/faults-line.ts';
import { texts } from '../../src/inspector/texts.ts';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, expectFitForAll, openInspector } from '../support/open-inspector.ts';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';

const hostile = '<img src=x onerror=alert(1)>';

describe.skipIf(!hasChromium)('the panel of faults', () => {
  test('adds a fault that a client meets, counts its hits, and takes it out again', async () => {
    const { server, page } = await openInspector({ hash: '#/faults' });
    const ask = (): Promise<Response> =>
      fetch(`${server.baseUrl}/batches?limit=1`, { headers: clientHeaders });
    await page.getByText('No faults: every call gets its usual reply.').waitFor();
    await page.getByLabel('Add a fault').fill('listBatches#2-: 503');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: 'listBatches#2-: 503' });
    await row.waitFor();
    const counts = () => row.getByRole('cell').allTextContents();
    expect(await counts()).toEqual(['0', '0', 'OnEditRemove']);
    await expect.poll(() => page.getByLabel('Add a fault').inputValue()).toBe('');

    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(503);
    await expect.poll(counts).toEqual(['2', '1', 'OnEditRemove']);

    await page.getByRole('button', { name: 'Remove listBatches#2-: 503' }).press('Enter');
    await row.waitFor({ state: 'detached' });
    expect((await ask()).status).toBe(200);
    await expect.poll(focused).toBe('fault-line');

    async function focused(): Promise<string | undefined> {
      return await page.evaluate(() => document.activeElement?.id);
    }
  });

  test('goes on to the next one when one is removed, and removes all', async () => {
    const faults = ['listRuns: 503', 'listRuns#2: reset', '* share=10%: 429'];
    const { server, page } = await openInspector({ hash: '#/faults', scenario: { faults } });
    await page.getByRole('button', { name: 'Remove listRuns#2: reset' }).click();
    await expect.poll(async () => (await server.faults.list()).length).toBe(2);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Remove * share=10%: 429');
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('No faults: every call gets its usual reply.').waitFor();
    expect(await server.faults.list()).toEqual([]);
  });

  test('shows in full what is wrong with a line, at the field, and keeps what was typed', async () => {
    const { page } = await openInspector({ hash: '#/faults' });
    const input = page.getByLabel('Add a fault');
    await input.fill(`listRun: ${hostile}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.textContent()).toContain('Did you mean "listRuns"?');
    expect(await alert.textContent()).toContain(hostile);
    expect(await input.inputValue()).toBe(`listRun: ${hostile}`);
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectFitForAll(page, 'wide light');
    await input.fill('listRuns: 503');
    await alert.waitFor({ state: 'detached' });
  });

  test('takes the line from the URL, and an example when it is pressed', async () => {
    const { page } = await openInspector({
      hash: `#/faults?${new URLSearchParams({ line: '*: delay 1s' })}`,
    });
    const input = page.getByLabel('Add a fault');
    expect(await input.inputValue()).toBe('*: delay 1s');
    await page.getByRole('button', { name: 'listRuns: cursor-loop' }).click();
    expect(await input.inputValue()).toBe('listRuns: cursor-loop');
    await page.keyboard.press('Enter'); // the field has the focus
    await page.getByRole('row', { name: 'listRuns: cursor-loop' }).waitFor();
    await expect.poll(() => page.url()).not.toContain('line=');
  });

  test('the fields write the line, by the keyboard alone, and are filled from a line', async () => {
    const { server, page } = await openInspector({ hash: '#/faults' });
    const line = page.getByLabel('Add a fault');
    const form = page.getByRole('group', { name: 'The fault as fields' });
    const choice = (name: string) => form.getByRole('combobox', { name });
    const field = (name: string) => form.getByRole('textbox', { name, exact: true });
    await choice('Operation').focus();
    await page.keyboard.type('listRuns');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2-4');
    await field('Status').fill('429');
    await field('message').focus();
    await page.keyboard.type('Try again later');
    await page.getByText('Only some of these calls').click();
    await field('Share').fill('50%');
    await field('Query and headers').focus();
    await page.keyboard.type('query.limit=5 header.x-a=b');
    expect(await line.inputValue()).toBe(
      'listRuns#2-4 share=50% query.limit=5 header.x-a=b: 429 message="Try again later"',
    );
    await page.keyboard.press('Enter');
    await expect
      .poll(() => server.faults.list().then((faults) => faults.map(({ fault }) => fault)))
      .toEqual(['listRuns#2-4 query.limit=5 header.x-a=b share=50%: 429 message="Try again later"']);

    await line.fill('* times=2: reply 201 body={"a": [1]} header.x-b=c');
    expect(await choice('Operation').inputValue()).toBe('*');
    expect(await choice('Kind').inputValue()).toBe('reply');
    expect(await field('Status').inputValue()).toBe('201');
    expect(await field('body').inputValue()).toBe('{"a":[1]}');
    expect(await field('Headers of the reply').inputValue()).toBe('header.x-b=c');
    expect(await field('At most, times').inputValue()).toBe('2');
    await choice('Kind').selectOption('delay');
    expect(await line.inputValue()).toBe('* times=2: delay 2s');
    await line.fill('no colon');
    expect(await choice('Kind').isDisabled()).toBe(true);
    expect(await choice('Operation').isDisabled()).toBe(true);
    await line.fill('*: 503');
    await expectFitForAll(page, 'narrow dark');
  });

  test('edits a fault, turns it off and on, and says why it had no effect', async () => {
    const { server, page } = await openInspector({
      hash: '#/faults',
      scenario: { batches: 3, faults: ['listBatches#2: 503', 'listRuns: reset'] },
    });
    const lines = async () => (await server.faults.list()).map(({ fault }) => fault);
    await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders });
    const row = page.getByRole('row', { name: 'listBatches#2: 503' });
    await row.getByText('No effect yet: 1 call matched, but the fault starts at call 2.').waitFor();

    await page.getByRole('button', { name: 'Edit listBatches#2: 503' }).press('Enter');
    await page.getByRole('textbox', { name: 'Status' }).fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: 'listBatches#2: 500' }).waitFor();
    await expect.poll(lines).toEqual(['listBatches#2: 500', 'listRuns: reset']);

    await page.getByRole('switch', { name: 'On: listRuns: reset' }).press('Space');
    await page.getByText('Off: it changes no calls.').waitFor();
    expect((await server.faults.list())[1]).toMatchObject({ fault: 'listRuns: reset', off: true });
    await page.reload();
    const isOn = page.getByRole('switch', { name: 'On: listRuns: reset' });
    expect(await isOn.getAttribute('aria-checked')).toBe('false');
    await isOn.click();
    await expect.poll(() => isOn.getAttribute('aria-checked')).toBe('true');
    expect(await lines()).toEqual(['listBatches#2: 500', 'listRuns: reset']);
  });

  test('enforces quotas, shows their fill, and refills them', async () => {
    const scenario = { ...scenarioUnder(policy(1), policy(2, { value: 10 })), quotas: false };
    const { server, page } = await openInspector({ hash: '#/faults', scenario });
    const ask = (): Promise<Response> => fetch(`${server.baseUrl}/batches`, { headers: clientHeaders });
    const onOff = page.getByRole('switch', { name: 'Enforced' });
    await page.getByText('Policies are not enforced').waitFor();
    expect(await onOff.getAttribute('aria-checked')).toBe('false');
    await onOff.click();
    await expect.poll(() => onOff.getAttribute('aria-checked')).toBe('true');

    for (const status of [200, 200, 200, 429]) expect((await ask()).status).toBe(status);
    const { name } = (await server.records.policies.get(policyId(1))) ?? {};
    const meter = page.getByRole('meter', { name: name ?? policyId(1) });
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('3');
    await page.getByText('3 of 3 requests used: no more').waitFor();
    await page.getByText('3 of 10 requests used').waitFor();
    await page.getByText('Resets at 2026-01-15 12:01:00, in 1 min').first().waitFor();
    await expectFitForAll(page, 'narrow light');

    await page.getByRole('button', { name: 'Refill' }).click();
    await page.getByText('No calls have been counted yet in the current minute').waitFor();
    expect((await ask()).status).toBe(200);
    await onOff.press('Space');
    await expect.poll(() => server.quotas.isEnforced()).toBe(false);
  });

  test('shows hostile values as text', async () => {
    const line = `* header.x-note="${hostile}": 503 message="${hostile}"`;
    const { page } = await openInspector({
      hash: '#/faults',
      scenario: { faults: [line], batches: 3 },
    });
    await page.getByRole('rowheader').getByText(hostile).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});

test('the fields of each example write a line with the same meaning', () => {
  for (const group of texts.faultExamples)
    for (const { line } of group.examples) {
      const parts = readFault(line);
      expect(parts && parseRule(writeFault(parts))).toEqual(parseRule(line));
    }
});

test('every kind of fault has an example, and each example can be read', () => {
  const rules = texts.faultExamples.flatMap((group) => group.examples.map(({ line }) => parseRule(line)));
  expect(new Set(rules.map(({ effect }) => effect.kind))).toEqual(new Set(['error', ...effectKinds]));
});
