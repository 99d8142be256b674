import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  details,
  expectFitForAll,
  openControlRoom,
  rowsOf,
} from '../support/open-control-room.ts';

const call = (server: GatewayServer, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: { 'content-type': 'application/json', ...clientHeaders },
  });

const changesIn = async (page: Page, label: string) => {
  const diff = page.getByRole('region', { name: label });
  return {
    gone: await diff.locator('del').allTextContents(),
    added: await diff.locator('ins').allTextContents(),
  };
};

const replies = 'Differences of the replies';

describe.skipIf(!hasChromium)('requests are compared', () => {
  test('a request is sent again, and its new reply is shown as a diff, by mouse', async () => {
    const { server, page } = await openControlRoom({
      session: 'mine',
      scenario: { batches: 3, keys: { valid: ['key-of-a-test-1234'], virtual: ['virtual'] } },
    });
    await call(server, '/sessions/mine/v1/batches?limit=2');
    await rowsOf(page).first().click();
    await server.session('mine').faults.add('listBatches: 503');
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await page.getByRole('region', { name: replies }).waitFor();
    const { gone, added } = await changesIn(page, replies);
    expect(gone[0]).toBe('200');
    expect(added[0]).toBe('503');
    const sent = await server.session('mine').requests.list();
    expect(sent.map(({ status, path }) => [status, path])).toEqual([
      [200, '/v1/batches'],
      [503, '/v1/batches'],
    ]);
    await expectFitForAll(page);
    await details(page).getByRole('link', { name: 'request 2' }).click();
    await details(page).getByText('listBatches: 503').first().waitFor();
    await server.session('mine').faults.clear();
    await server.session('mine').faults.add('*: reset');
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await page.getByRole('region', { name: replies }).waitFor(); // the browser has tried it again
    expect((await changesIn(page, replies)).added[0]).toBe('No reply was sent.');
  });

  test('a request is changed and sent again, by keyboard', async () => {
    const { server, page } = await openControlRoom();
    await call(server, '/v1/prompts/prompt_welcome/render', {
      method: 'POST',
      body: '{"variables":{"name":"Ada"}}',
    });
    await rowsOf(page).first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Change and resend' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Body', { exact: true }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"variables":{"name":"Grace"}}');
    await expectFitForAll(page);
    await page.reload(); // what is half typed stays
    expect(await page.getByLabel('Body', { exact: true }).inputValue()).toContain('Grace');
    await page.getByRole('button', { name: 'Send', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: replies }).waitFor();
    const { gone, added } = await changesIn(page, replies);
    expect(gone.join()).toContain('Ada');
    expect(added.join()).toContain('Grace');
    expect((await changesIn(page, 'Differences of the requests')).added.join()).toContain('Grace');
    expect((await server.requests.list()).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('two requests are chosen, and those that answer the same have no difference', async () => {
    const { server, page } = await openControlRoom();
    for (const limit of [1, 2, 2]) await call(server, `/v1/batches?limit=${limit}`);
    await rowsOf(page).nth(2).waitFor();
    await rowsOf(page).first().click();
    const choice = details(page).getByLabel('Compare with');
    await choice.selectOption({ label: '2: GET /v1/batches?limit=2 200' });
    await details(page).getByText('No difference.').first().waitFor();
    await page.goBack();
    await choice.focus();
    await page.keyboard.press('End'); // the oldest
    await page.getByRole('region', { name: replies }).waitFor();
    expect((await changesIn(page, 'Differences of the requests')).added).toEqual(['GET /v1/batches?limit=1']);
    await page.reload();
    await page.getByRole('region', { name: replies }).waitFor();
  });

  test('two sessions are compared by their requests and by what changed in them', async () => {
    const { server, page } = await openControlRoom({ hash: '#/requests', scenario: { batches: 3 } });
    for (const path of ['/v1/batches?limit=1', '/v1/batches?limit=2', '/v1/batches?limit=3'])
      for (const session of ['', '/sessions/other']) {
        if (session !== '' && path.endsWith('2')) continue;
        await call(server, session + path);
      }
    const [batch] = await server.session('other').records.batches.list();
    await server.session('other').records.batches.delete(batch?.id ?? '');
    await page.getByText('Compare sessions').click();
    await page.getByLabel('Compare this session with').selectOption('other');
    await page.getByRole('region', { name: 'Requests', exact: true }).waitFor();
    expect(await changesIn(page, 'Requests')).toEqual({ gone: ['GET /v1/batches?limit=2 → 200'], added: [] });
    const changes = await changesIn(page, 'Changes since the start');
    expect(changes.added.join()).toContain(batch?.id);
    expect(page.url()).toContain('with=other');
    await expectFitForAll(page);
  });
});
