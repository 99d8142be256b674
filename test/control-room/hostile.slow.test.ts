// Ids, names and texts from outside: no script of theirs runs, none changes how the text around it reads, and nothing overflows.
// Slow since it opens each view; the tests of the panels check the same in a few places.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { makeFolder } from '../support/make-folder.ts';
import {
  clientHeaders,
  details,
  expectFitForAll,
  openControlRoom,
  rowsOf,
} from '../support/open-control-room.ts';
import { policy, policyId } from '../support/quota-scenarios.ts';

/** Changes the order of what follows. */
const bidi = 'a\u202Eb\u200Bc-e\u0301-\u05D0';
const markup = '<img src=x onerror=alert(1)>"\'><script>alert(2)</script>{{constructor}}';
const long = 'x'.repeat(300);
/** All of it in one. */
const hostile = `${bidi} ${markup} ${long}`;

/** Of the narrowest window. */
const width = 390;

const runId = `run_${markup}${long}`.slice(0, 200);

const counts = { total: 5, completed: 1, failed: 4 };

const scenario = {
  description: hostile,
  threads: {
    [bidi]: {
      records: [{ id: runId, instructions: hostile, metadata: { [bidi]: hostile.slice(0, 500) } }],
    },
  },
  batches: {
    records: [
      {
        id: bidi,
        endpoint: hostile,
        status: 'failed',
        request_counts: counts,
        metadata: { [bidi]: hostile.slice(0, 500) },
      },
    ],
  },
  jobs: { [`job_${bidi}`]: { records: [{ id: bidi, fine_tuned_model_checkpoint: hostile }] } },
  prompts: {
    [bidi]: { messages: [{ role: 'user', content: `{{name}} ${hostile}` }], parameters: { model: hostile } },
  },
  policies: { records: [policy(1, { name: `${bidi} ${markup}${long}`.slice(0, 255) })] },
  faults: [`listBatches#9 header.x-note="${bidi}": 503 message="${bidi}"`],
  quotas: true,
};

/** What of the page a person sees or hears, apart from what is typed; and what of it is in the other direction and not isolated. */
const readPage = (page: Page) =>
  page.evaluate(() => {
    const texts = [document.title];
    const bare: string[] = [];
    for (const node of document.querySelectorAll('[title], [aria-label]'))
      texts.push(`${node.getAttribute('title')} ${node.getAttribute('aria-label')}`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      if (node.parentElement?.closest('textarea, style, script')) continue;
      texts.push(text);
      const isIsolated =
        node.parentElement?.closest('bdi') ?? /^[^\u05D0]*$|\u2068[^\u2069]*\u05D0/.test(text);
      if (!isIsolated) bare.push(text);
    }
    return { text: texts.join(''), bare };
  });

/** The view shows a hostile text as it is, and is no wider than the narrowest window. The test fails if a script runs. */
const expectHarmless = async (page: Page, shown = bidi): Promise<void> => {
  await expect.poll(async () => (await readPage(page)).text).toContain(shown);
  const { bare } = await readPage(page);
  const found = {
    view: page.url(),
    bare,
    elements: await page.locator('img, main script').count(),
    excess: await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  };
  expect(found).toEqual({ view: page.url(), bare: [], elements: 0, excess: 0 });
};

/** Opens the control room of a scenario that has such a name itself. */
const openHostile = (hash: string) =>
  openControlRoom({
    scenarios: [makeFolder({ [`${bidi}.json`]: JSON.stringify(scenario) })],
    scenario: bidi as 'default', // a name of the folder
    hash,
    width,
  });

describe.skipIf(!hasChromium)('hostile texts', () => {
  test('of all records are harmless in each panel, form, message, error and the palette', async () => {
    const { server, page } = await openHostile('#/scenario');
    const encoded = encodeURIComponent(bidi);
    const view = async (hash: string, shown?: string): Promise<void> => {
      await page.goto(`${server.url}/__admin/${hash}`);
      await expectHarmless(page, shown);
      await expectFitForAll(page);
    };
    for (const [kind, id, shown] of [
      ['threads', encoded],
      ['runs', encodeURIComponent(runId)],
      ['batches', encoded, '1 of 5, 4 failed'],
      ['jobs', encodeURIComponent(`job_${bidi}`)],
      ['checkpoints', encoded],
      ['prompts', encoded],
      ['policies', policyId(1), policyId(1)], // its name is in a field
    ]) {
      if (kind !== 'runs' && kind !== 'checkpoints') await view(`#/data/${kind}`);
      await view(`#/data/${kind}/${id}`, shown);
    }
    await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders });
    await view('#/faults');
    await view('#/clock');
    await view(`#/clock?q=${encoded}none`);

    await server.records.batches.update(bidi, { endpoint: `${hostile}!` });
    await server.records.policies.delete(policyId(1));
    await server.state.save(bidi);
    await view('#/sessions');
    await view('#/scenario');
    await page.getByRole('heading', { name: bidi }).first().waitFor();
    await page.getByRole('textbox', { name: 'Name of the state' }).fill(bidi);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Replace it' }).waitFor();
    await expectHarmless(page);
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText(/^The state was saved as/).waitFor();
    await expectHarmless(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('c-e');
    await page.getByRole('option', { name: bidi }).first().waitFor();
    await expectHarmless(page);
    await page.keyboard.press('Escape');
    await page.goto(`${server.url}/__admin/#/faults`);
    await page.getByLabel('Line').fill(`${bidi}: 503 ${long}`);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').first().waitFor();
    await expectHarmless(page);
  });

  test('of paths, headers and bodies are harmless in requests, their details, reasons, curl and walks', async () => {
    const { server, page } = await openHostile('#/requests');
    const encoded = encodeURIComponent(bidi);
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}${path}`, {
        ...init,
        headers: {
          ...clientHeaders,
          'x-note': encodeURIComponent(hostile),
          'x-markup': markup,
          'user-agent': `${markup}${long}`,
        },
      });
    await call(`/v1/threads/${encoded}/runs?after=${encoded}`);
    await call(`/v1/threads/${encoded}/runs?limit=1`);
    await call(`/v1/prompts/${encoded}/render`, {
      method: 'POST',
      body: JSON.stringify({ variables: { name: hostile } }),
    });
    await call(`/v1/${encodeURIComponent(hostile)}?q=${encodeURIComponent(hostile)}`);
    await call('/v1/batches', { method: 'POST', body: hostile });
    await expect.poll(() => rowsOf(page).count()).toBe(5);
    await expectHarmless(page, '%E2%80%AE');
    for (const { ordinal } of await server.requests.list()) {
      await page.goto(`${server.url}/__admin/#/requests/${ordinal}`);
      await details(page).getByRole('button', { name: 'Copy as curl' }).waitFor();
      await expectHarmless(page, '%E2%80%AE');
    }
    await page.goto(`${server.url}/__admin/#/walks`);
    await page.getByText('listRuns').first().waitFor();
    await expectHarmless(page);
  });
});
