// What testers do first, from beginning to end: once by the mouse, once by the keyboard alone. Walks, copied commands,
// files and the clock have theirs in the tests of their panels.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, expectFitForAll, openInspector, rowsOf } from '../support/open-inspector.ts';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';

const call = (server: GatewayServer, path: string): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers: clientHeaders });

const byMouse = {
  press: (what: Locator) => what.click(),
  openRow: (page: Page) => rowsOf(page).first().click(),
  write: (field: Locator, text: string) => field.fill(text),
  choose: async (field: Locator, option: string) => void (await field.selectOption(option)),
};

const byKeyboard: typeof byMouse = {
  press: async (what) => {
    await what.focus();
    await what.page().keyboard.press('Enter');
  },
  openRow: async (page) => {
    await rowsOf(page).first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
  },
  write: async (field, text) => {
    await field.focus();
    await field.press('Control+a');
    await field.page().keyboard.type(text);
  },
  choose: async (field, option) => {
    await field.locator('option', { hasText: option }).first().waitFor({ state: 'attached' });
    await field.focus();
    await field.page().keyboard.type(option);
  },
};

describe.skipIf(!hasChromium).each([
  ['mouse', byMouse],
  ['keyboard', byKeyboard],
] as const)('by the %s', (name, { press, openRow, write, choose }) => {
  test('the request with the 429 is found, and from there its policy', async () => {
    const { server, page } = await openInspector({
      scenario: scenarioUnder(policy(1, { name: 'Two a minute', value: 2 })),
    });
    for (let at = 0; at < 30; at += 1) {
      if (at === 3) await server.quotas.lift();
      await call(server, `/v1/batches?limit=${at + 1}`);
    }
    await write(page.getByLabel('Search'), '429');
    await page.getByText('1 of 30 requests').waitFor();
    await openRow(page);
    await page.getByText('Refused by the policy Two a minute').first().waitFor();
    await press(page.getByRole('link', { name: 'Two a minute' }).first());
    await page.waitForURL(`**/#/data/policies/${policyId(1)}`);
    await page.getByRole('heading', { name: policyId(1) }).waitFor();
  });

  test('a run is found by its id from any panel', async () => {
    const { server, page } = await openInspector({ hash: '#/clock' });
    const [run] = await server.records.runs.list({ thread_id: 'thread_demo', limit: 1 });
    const id = run?.id ?? '';
    for (const panel of ['Requests', 'Scenario', 'Clock', 'Data', 'Faults', 'Sessions', 'Assumptions']) {
      const panels = page.getByRole('navigation', { name: 'Panels' });
      await press(panels.getByRole('link', { name: panel, exact: true }));
      await page.getByRole('heading', { name: panel, level: 1 }).waitFor();
      if (name === 'mouse') await page.getByRole('button', { name: 'Find Ctrl K' }).click();
      else await page.keyboard.press('Control+k');
      await write(page.getByRole('combobox', { name: 'Find' }), id.slice(4, 14));
      const found = page.getByRole('option', { name: id });
      await found.waitFor();
      if (name === 'mouse') await found.click();
      else await page.keyboard.press('Enter');
      await page.waitForURL(`**/#/data/runs/${id}`);
    }
  });

  test('a run is edited and deleted, and both are undone', async () => {
    const { server, page } = await openInspector({ hash: '#/data/runs' });
    const [before] = await server.records.runs.list({ sort: 'id', limit: 1 });
    const id = before?.id ?? '';
    const read = () => server.records.runs.get(id);
    await page.goto(`${server.url}/__admin/#/data/runs/${id}`);
    await press(page.getByRole('button', { name: 'Edit model' }));
    await write(page.getByLabel('New value of model'), 'large-1');
    await press(page.getByRole('button', { name: 'Save', exact: true }));
    await expect.poll(async () => (await read())?.model).toBe('large-1');
    await press(page.getByRole('button', { name: 'Undo' }));
    await expect.poll(read).toEqual(before);
    await page.getByText('Undone').waitFor(); // the button of the message is gone, and with it the focus
    await press(page.getByRole('button', { name: 'Delete', exact: true }));
    await expect.poll(read).toBeUndefined();
    await press(page.getByRole('button', { name: 'Undo' }));
    await expect.poll(read).toEqual(before);
    expect(await server.state.changes()).toEqual([]);
  });

  test('a request is sent again as it is, and its two replies are compared', async () => {
    const { server, page } = await openInspector();
    await call(server, '/v1/batches?limit=2');
    await openRow(page);
    await server.faults.add('listBatches: 503');
    await press(page.getByRole('button', { name: 'Resend', exact: true }));
    const diff = page.getByRole('region', { name: 'Differences of the replies' });
    await expect.poll(() => diff.locator('del').first().textContent()).toBe('200');
    expect(await diff.locator('ins').first().textContent()).toBe('503');
    expect((await server.requests.list()).map(({ path, status }) => [path, status])).toEqual([
      ['/v1/batches', 200],
      ['/v1/batches', 503],
    ]);
    await expectFitForAll(page, 'narrow light');
  });

  test('two sessions are compared', async () => {
    const { server, page } = await openInspector({ scenario: { batches: 3 } });
    await call(server, '/v1/batches?limit=1');
    await call(server, '/v1/batches?limit=2');
    await call(server, '/sessions/other/v1/batches?limit=1');
    await press(page.getByRole('link', { name: 'Compare sessions' }));
    await choose(page.getByLabel('Compare this session with'), 'other');
    const diff = page.getByRole('region', { name: 'Requests', exact: true });
    await expect.poll(() => diff.locator('del').allTextContents()).toEqual(['GET /v1/batches?limit=2 → 200']);
    expect(await diff.locator('ins').count()).toBe(0);
    await expectFitForAll(page, 'wide dark');
  });
});
