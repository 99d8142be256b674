import { describe, expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, details, expectFitForAll, openInspector } from '../support/open-inspector.ts';

const ask = (server: GatewayServer, after = '') =>
  fetch(`${server.baseUrl}/batches?limit=3&after=${after}`, { headers: clientHeaders }).catch(
    () => undefined,
  );

describe.skipIf(!hasChromium)('the walks over lists', () => {
  test('show page 3 that was reset, and lead to its request and back, by mouse and by keyboard', async () => {
    const { server, page } = await openInspector({
      scenario: { batches: 9, faults: ['listBatches#3: reset'] },
    });
    const ids = (await server.records.batches.list()).map(({ id }) => id);
    for (const after of ['', ids[2], ids[5], ids[5]]) await ask(server, after);
    await page.getByRole('link', { name: 'Walks' }).focus();
    await page.keyboard.press('Enter');
    const walk = page.getByRole('region', { name: 'listBatches' });
    await walk.getByText('each record once').waitFor();
    const pages = walk.getByRole('listitem');
    const strips = () => pages.getByRole('img').evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(await strips()).toEqual(['3 seen', '3 seen', 'no records', '3 seen']);
    const third = pages.nth(2);
    await third.getByText('reset', { exact: true }).waitFor();
    expect(await third.getByText('fault').getAttribute('title')).toBe('listBatches#3: reset');
    expect(await third.getByRole('link', { name: ids[5] ?? '' }).getAttribute('href')).toContain(ids[5]);
    await walk.getByText('It stopped at the last page.').waitFor();
    await expectFitForAll(page, 'narrow light');
    await third.getByRole('link', { name: 'Request 3' }).click();
    const request = details(page);
    await request.getByText('listBatches#3: reset').first().waitFor();
    await request.getByRole('link', { name: 'Show its walk' }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Request 3: 0 records');
    await page.keyboard.press('Enter'); // and to the request again
    await request.getByText('listBatches#3: reset').first().waitFor();
  });

  test('mark records that were missed, repeated or created meanwhile', async () => {
    const { server, page } = await openInspector({ scenario: { batches: 9 }, hash: '#/requests/walks' });
    await page.getByText('No client has fetched a list yet.').waitFor();
    const ids = (await server.records.batches.list()).map(({ id }) => id);
    await ask(server);
    await ask(server, ids[1]);
    await server.clock.advance('1h');
    const { id } = await server.records.batches.create({});
    await ask(server, ids[5]);
    await ask(server); // another walk over the same list
    await page.getByRole('region', { name: 'listBatches, from request 4' }).waitFor();
    const walk = page.getByRole('region', { name: 'listBatches, from request 1' });
    await walk.getByText('1 missed').first().waitFor();
    const strips = await walk.getByRole('img').evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(strips).toEqual(['3 seen', '1 repeated, 2 seen', '3 seen', '1 missed, 1 created meanwhile']);
    await walk.getByText(`missed: ${ids[5]}`).waitFor();
    await walk.getByText(`repeated: ${ids[2]}`).waitFor();
    await expectFitForAll(page, 'wide dark');
    await walk.getByRole('link', { name: id }).click();
    await page.getByRole('heading', { name: id }).waitFor();
  });
});
