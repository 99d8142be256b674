import { expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, details, expectFitForAll, openControlRoom } from '../support/open-control-room.ts';

const ask = (server: GatewayServer, after = '', limit = 3) =>
  fetch(`${server.baseUrl}/batches?limit=${limit}&after=${after}`, { headers: clientHeaders }).catch(
    () => undefined,
  );

test.skipIf(!hasChromium)(
  'a walk is one strip with a part for each page, which leads to its request and back',
  async () => {
    const { server, page } = await openControlRoom({
      scenario: { batches: 130, faults: ['listBatches#3: reset'] },
    });
    const ids = (await server.records.batches.list()).map(({ id }) => id);
    const cursors = ['', ids[19], ids[39], ids[39], ids[59], ids[79], ids[99], ids[119]];
    for (const after of cursors) await ask(server, after, 20);
    await page.getByRole('radio', { name: 'List' }).focus();
    await page.keyboard.press('ArrowRight');
    const walk = page.getByRole('region', { name: 'listBatches, from request 1' });
    await walk.getByText('130 of 130, 7 pages, each once').waitFor();
    await walk.getByText('It stopped at the last page.').waitFor();
    const parts = await walk.getByRole('link').evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(parts.slice(0, 4)).toEqual([
      'Request 1: 20 seen, first page',
      `Request 2: 20 seen, after ${ids[19]}`,
      `Request 3: reset, no records, listBatches#3: reset, after ${ids[39]}`,
      `Request 4: 20 seen, after ${ids[39]}`,
    ]);
    await expectFitForAll(page);
    await walk.getByRole('link', { name: /^Request 3/ }).click();
    await details(page).getByText('listBatches#3: reset').first().waitFor();
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Show its walk' }).focus();
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe(parts[2]);
    await page.keyboard.press('Enter'); // and to the request again
    await details(page).getByText('listBatches#3: reset').first().waitFor();
  },
);

test.skipIf(!hasChromium)(
  'a walk marks records that were missed, repeated or created meanwhile, also in forced colours',
  async () => {
    const { server, page } = await openControlRoom({ scenario: { batches: 9 }, hash: '#/requests/walks' });
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
    await walk.getByText('8 of 9, 3 pages, 1 missed, 1 repeated').waitFor();
    const parts = await walk.locator('.walk-strip > *').evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(parts).toEqual([
      'Request 1: 3 seen, first page',
      `Request 2: 2 seen, 1 repeated, after ${ids[1]}`,
      `Request 3: 3 seen, after ${ids[5]}`,
      '1 missed, 1 created meanwhile',
    ]);
    await page.emulateMedia({ forcedColors: 'active' });
    const looks = await walk
      .locator('.walk-strip i')
      .evaluateAll((all) =>
        all.map((one) => `${getComputedStyle(one).background} ${getComputedStyle(one).boxShadow}`),
      );
    expect(new Set(looks).size).toBe(4);
    await page.emulateMedia({ forcedColors: null });
    await walk.getByText(`missed: ${ids[5]}`).waitFor();
    await walk.getByText(`repeated: ${ids[2]}`).waitFor();
    await expectFitForAll(page);
    await walk.getByRole('link', { name: id, exact: true }).click();
    await page.waitForURL(`**/#/data/batches/${id}`);
  },
);
