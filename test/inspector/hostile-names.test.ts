// Ids and names from outside that would look like others, or change how the text around them reads.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { makeFolder } from '../support/make-folder.ts';
import { clientHeaders, expectFitForAll, openInspector } from '../support/open-inspector.ts';
import { policyId } from '../support/quota-scenarios.ts';

/** Changes the order of what follows, is not seen, and looks like "é". */
const hostile = 'a\u202Eb\u200Bc-e\u0301-\u05D0';
const seen = 'aU+202EbU+200Bc-eU+0301-\u05D0';

const scenario = {
  threads: { [hostile]: { runs: { queued: 1 } } },
  batches: { records: [{ id: hostile, metadata: { [hostile]: hostile } }] },
  policies: { records: [{ id: policyId(1), name: hostile }] },
  faults: [`listBatches#9 header.x-note="${hostile}": 503`],
};

/** What of the page a person sees or hears, apart from what is typed. */
const readPage = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const attributes = [...document.querySelectorAll('[title], [aria-label]')].map(
      (node) => `${node.getAttribute('title')} ${node.getAttribute('aria-label')}`,
    );
    return [document.body.textContent, ...attributes].join('\n');
  });

/** Isolates of the page itself are allowed, where only text can be. */
const unseen = /\p{Cf}|\u0301/u;
const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '');

const expectNothingHidden = async (page: Page): Promise<void> => {
  const text = await readPage(page);
  expect(text).toContain(seen);
  expect(unseen.exec(withoutIsolates(text))?.[0]).toBeUndefined();
  // What is in the other direction is isolated.
  const bare = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.replaceAll(/\u2068[^\u2069]*\u2069/g, '') ?? '';
      if (text.includes('\u05D0') && !node.parentElement?.closest('bdi')) found.push(text);
    }
    return found;
  });
  expect(bare).toEqual([]);
};

const call = (server: GatewayServer, path: string): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers: { ...clientHeaders, 'x-note': encodeURIComponent(hostile) } });

describe.skipIf(!hasChromium)('hostile names', () => {
  test.each([
    ['records', '#/data/batches', 'List of batches'],
    ['a record', `#/data/batches/${encodeURIComponent(hostile)}`, 'Fields'],
    ['a policy', `#/data/policies/${policyId(1)}`, 'Fields'],
    ['threads', '#/data/threads', 'List of threads'],
    ['a thread', `#/data/threads/${encodeURIComponent(hostile)}`, 'List of runs'],
    ['faults', '#/faults', 'Faults'],
    ['the clock', '#/clock', 'Timeline'],
  ])('are shown as they are in the panel of %s', async (_, hash, label) => {
    const { page } = await openInspector({ scenario, hash });
    await page.getByLabel(label, { exact: true }).first().waitFor();
    await page.locator('bdi, [title*="U+202E"]').first().waitFor({ state: 'attached' });
    await expectNothingHidden(page);
    await expectFitForAll(page, 'narrow dark');
  });

  test('are shown as they are where a scenario file has one', async () => {
    const folder = makeFolder({
      [`${hostile}.yaml`]: `description: "${hostile}"
batches: 1
`,
    });
    const { page } = await openInspector({ scenarios: [folder], scenario: hostile, hash: '#/scenario' });
    await page.getByRole('link', { name: `scenario ${seen}` }).waitFor();
    await page.getByText(hostile).first().waitFor({ state: 'detached' });
    await expectNothingHidden(page);
    await page.goto(page.url().replace('#/scenario', '#/sessions'));
    await page.getByRole('list', { name: 'Sessions' }).waitFor();
    await expectNothingHidden(page);
    await expectFitForAll(page, 'narrow light');
  });

  test('are shown as they are in requests, their details and their diff', async () => {
    const { server, page } = await openInspector({ scenario, hash: '#/requests' });
    const thread = encodeURIComponent(hostile);
    await call(server, `/v1/threads/${thread}/runs?after=${thread}`);
    await call(server, `/v1/threads/${thread}/runs`);
    await page.getByRole('grid').getByRole('row').nth(2).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Body of the reply' }).waitFor();
    await page
      .getByText(/aU\+202Eb/)
      .first()
      .waitFor();
    await expectNothingHidden(page);
    await page.getByLabel('Compare with').selectOption({ index: 1 });
    await page.getByRole('region', { name: 'Differences of the replies' }).waitFor();
    await expectNothingHidden(page);
    await page.goto(`${server.url}/__admin/#/requests/walks`);
    await page.getByRole('heading', { name: 'listRuns of' }).first().waitFor();
    await expectNothingHidden(page);
  });

  test('are shown as they are in messages, errors, the list of changes, saved states and what is found', async () => {
    const { server, page } = await openInspector({ scenario, hash: '#/scenario' });
    await server.records.batches.update(hostile, { endpoint: hostile });
    await server.records.policies.delete(policyId(1));
    await page.getByRole('textbox', { name: 'Name' }).fill(hostile);
    await page.getByRole('button', { name: 'Save this state' }).click();
    await page.getByText(/^The state was saved as/).waitFor();
    await page.getByRole('list', { name: 'The differences' }).getByText('endpoint').waitFor();
    await expectNothingHidden(page);
    await page.getByRole('textbox', { name: 'Name' }).fill(`${hostile}x`);
    await page.getByRole('button', { name: /^Restore .*x/ }).click();
    await page.getByText('no such state was saved').waitFor();
    await expectNothingHidden(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('c-e');
    await page
      .getByRole('option', { name: /aU\+202Eb/ })
      .first()
      .waitFor();
    await expectNothingHidden(page);
  });
});
