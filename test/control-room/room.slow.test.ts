// What of the control room takes long and seldom fails: many tabs, and long lists.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { clientHeaders, openControlRoom, rowsOf, setVisible } from '../support/open-control-room.ts';
import { openServer } from '../support/open-gateway.ts';

describe.skipIf(!hasChromium)('the control room', () => {
  test('leaves the browser free with eight tabs: a hidden one closes its stream and catches up when it is shown', async () => {
    const { server, page } = await openControlRoom({ hash: '#/assumptions', isOwnPage: true });
    let last = page;
    for (let tabs = 1; tabs < 8; tabs += 1) {
      await setVisible(last, 'hidden');
      last = await page.context().newPage();
      await last.goto(page.url());
      await last.getByRole('status').getByText('Connected').waitFor();
    }
    await server.clock.advance('1h');
    await last.getByText('2026-01-15 13:00:00').waitFor();
    expect(await page.getByText('2026-01-15 12:00:00').count()).toBe(1);
    expect(await page.getByText('The server does not answer.').count()).toBe(0);
    await setVisible(page, 'visible');
    await page.getByText('2026-01-15 13:00:00').waitFor();
  });

  test('stays small with thousands of requests, and keeps its place while more come', async () => {
    const server = await openServer({ journal: 5000 });
    const send = async (count: number, name: string): Promise<void> => {
      for (let at = 0; at < count; at += 1)
        await fetch(`${server.baseUrl}/batches?limit=1&${name}=${at}`, { headers: clientHeaders });
    };
    await send(4950, 'old');
    const { page } = await openControlRoom({ server });
    const grid = page.getByRole('grid');
    await page.getByText('4,950 requests').waitFor();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('4951');
    expect(await rowsOf(page).count()).toBeLessThan(60);
    await grid.press('End');
    await rowsOf(page).getByText('old=0', { exact: false }).waitFor();
    for (let step = 0; step < 30; step += 1) await page.keyboard.press('ArrowUp');
    const top = () =>
      page.evaluate(() => document.elementFromPoint(600, 600)?.closest('[role=row]')?.textContent);
    const before = await top();
    await send(50, 'new');
    await page.getByText('5,000 requests').waitFor();
    await expect.poll(top).toBe(before);

    const [oldest] = await server.requests.list({}, { bodies: false });
    await page.goto(`${server.url}/__admin/#/requests/${oldest?.ordinal}`);
    await page.reload();
    const selected = page.locator('[role=row][aria-selected="true"]');
    await selected.waitFor();
    const isInView = async () => {
      const [row, box] = [await selected.boundingBox(), await grid.boundingBox()];
      return row && box && row.y >= box.y && row.y + row.height <= box.y + box.height;
    };
    await expect.poll(isInView).toBe(true);
  });
});
