// The palette does what the buttons of the panels do.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  details,
  expectTargets,
  openControlRoom,
  runCommand,
} from '../support/open-control-room.ts';

describe.skipIf(!hasChromium)('the palette', () => {
  test('filters, resends and clears requests, and leads to their views', async () => {
    const { server, page } = await openControlRoom({ scenario: { batches: 3 }, hash: '#/requests' });
    for (const path of ['/batches?limit=1', '/batches?limit=0', '/prompts'])
      await fetch(`${server.baseUrl}${path}`, { headers: clientHeaders });
    const [first = '', refused = '', unmatched = ''] = ['batches?limit=1', 'batches?limit=0', 'prompts'].map(
      (path) => `GET /v1/${path}`,
    );
    await expectTargets(page, unmatched, refused, first);
    const run = (text: string, option: string) => runCommand(page, text, option);
    await run('unmatched', 'Show requests: Unmatched');
    await expectTargets(page, unmatched);
    await run('show all', 'Show all requests');
    await expectTargets(page, unmatched, refused, first);
    await run('limit=1', 'GET /v1/batches');
    await details(page).waitFor();
    await run('resend', 'Resend');
    await details(page).getByText('No difference.').first().waitFor();
    expect(await server.requests.count()).toBe(4);
    await run('make', 'Make this a fault');
    await page.waitForURL('**/#/faults?line=**');
    await run('walks', 'Show the walks');
    await page.getByRole('region', { name: 'listBatches, from request 1' }).waitFor();
    await run('clear', 'Clear the requests');
    await page.getByRole('button', { name: 'Clear the requests' }).click();
    await page.getByText('No client has fetched a list yet.').waitFor();
  });

  test('moves the clock, changes faults, records, states and assumptions, and loads scenarios', async () => {
    const { server, page } = await openControlRoom({ scenario: 'in-flight', hash: '#/assumptions' });
    const run = (text: string, option?: string | RegExp) => runCommand(page, text, option);
    const now = async () => (await server.clock.now()).now;
    const speed = async () => (await server.clock.now()).speed;
    await run('advance -1h30m', 'Advance the clock by -1h30m');
    await expect.poll(now).toBe('2026-01-15T10:30:00.000Z');
    await run('set 2026-01-15 12:00', 'Set the clock to 2026-01-15 12:00');
    await expect.poll(now).toBe('2026-01-15T12:00:00.000Z');
    const upcoming = await server.clock.upcoming();
    await run('Go to the next change');
    await expect.poll(now).toBe(upcoming);
    await run('run 600', 'Run the clock 600 times as fast');
    await expect.poll(speed).toBe(600);
    await run('Freeze the clock');
    await expect.poll(speed).toBe(0);

    const faults = async () => (await server.faults.list()).map(({ fault }) => fault);
    await run('add the fault listBatches times=1: 503');
    await run('fail next listBatches');
    await expect.poll(faults).toEqual(['listBatches times=1: 503', 'listBatches#1: 503']);
    await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders });
    await run('arm again listBatches times=1: 503', /Arm again/);
    await expect.poll(async () => (await server.faults.list())[0]?.calls).toBe(0);
    await run('turn off listBatches times=1: 503', /Turn off/);
    await expect.poll(async () => (await server.faults.list())[0]?.off).toBe(true);
    await run('edit listBatches#1: 503', /Edit/);
    await expect.poll(() => page.getByLabel('Line').inputValue()).toBe('listBatches#1: 503');
    await run('Remove all faults');
    await expect.poll(faults).toEqual([]);

    await run('load default', /^command Load default/);
    await page.getByText(/^default is loaded\./).waitFor();
    const isChanged = async () => (await server.state.changes()).length > 0;
    const id = (await server.records.batches.list())[0]?.id ?? '';
    await run(id, id);
    await page.waitForURL(`**/#/data/batches/${id}`);
    await page.getByRole('button', { name: 'Fail', exact: true }).waitFor();
    await run('fail', 'command Fail'); // a button of the panel
    await expect.poll(isChanged).toBe(true);
    await run('save before', 'Save the state as before');
    await page.getByText('The state was saved as before.').waitFor();
    await run(`revert ${id}`, `Revert ${id}`);
    await expect.poll(isChanged).toBe(false);
    await run('Undo the last change');
    await expect.poll(isChanged).toBe(true);
    await run('Reset to the start');
    await expect.poll(isChanged).toBe(false);
    await run('restore before', 'Restore before');
    await expect.poll(isChanged).toBe(true);
    await run('delete saved before', 'delete the saved state before');
    await page.getByRole('button', { name: 'Delete it' }).click();
    await expect.poll(() => server.state.list()).toEqual([]);
    await run('go back reset', /^command Go back to before \d+: reset$/);
    await run('go back batches', /^command Go back to before \d+: batches/);
    await expect.poll(isChanged).toBe(false);
    const choosing = page.waitForEvent('filechooser');
    await run('Load a file');
    await (await choosing).setFiles({ name: 'mine.json', mimeType: '', buffer: Buffer.from('{"seed":8}') });
    await page.getByText(/^mine is loaded\./).waitFor();

    await run('assume unknown-thread empty', /assume unknown-thread: /);
    await page.getByText(/Done: assume unknown-thread/).waitFor();
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await background();
    await run('light or dark', 'Light or dark');
    await expect.poll(background).not.toBe(before);
    await run('create session review', 'create the session review');
    await page.getByText('The session review was created.').waitFor();
    await run('delete session review', 'Delete review');
    await page.getByRole('button', { name: 'Delete review' }).click();
    await page.getByText('The session review was deleted.').waitFor();
    expect(await server.sessions.list()).toEqual(['default']);
    await server.sessions.create('other');
    await run('othe', /^session other$/);
    await page.waitForURL(`${server.url}/sessions/other/__admin/**`);
  });
});
