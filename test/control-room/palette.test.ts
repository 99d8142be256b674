// The palette runs commands. Those that are buttons of a panel, too, share their code with it.
import { expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  details,
  expectTargets,
  openControlRoom,
  runCommand,
} from '../support/open-control-room.ts';

test.skipIf(!hasChromium)('the palette finds and does what the panels do', async () => {
  const { server, page } = await openControlRoom({
    scenario: { batches: { records: [{ id: 'batch_1', status: 'in_progress' }] } },
    hash: '#/requests',
  });
  const run = (text: string, option?: string | RegExp) => runCommand(page, text, option);
  for (const path of ['/batches?limit=1', '/batches?limit=0', '/prompts'])
    await fetch(`${server.baseUrl}${path}`, { headers: clientHeaders });
  const [first = '', refused = '', unmatched = ''] = ['batches?limit=1', 'batches?limit=0', 'prompts'].map(
    (path) => `GET /v1/${path}`,
  );
  await expectTargets(page, unmatched, refused, first);
  await run('no path', 'Show requests: No path');
  await expectTargets(page, unmatched);
  await run('show all', 'Show all requests');
  await expectTargets(page, unmatched, refused, first);
  await run('limit=1', 'GET /v1/batches');
  await details(page).waitFor();
  await run('resend', /resend$/); // of the open request
  await page.getByRole('dialog', { name: /^Try it from request/ }).waitFor();
  await page.keyboard.press('Escape');

  const now = async () => (await server.clock.now()).now;
  await run('set 2026-01-15 10:30', 'Set the clock to 2026-01-15 10:30');
  await expect.poll(now).toBe('2026-01-15T10:30:00.000Z');
  await run('run 600', 'Run the clock 600 times as fast');
  await expect.poll(async () => (await server.clock.now()).speed).toBe(600);
  await run('Freeze the clock');
  await expect.poll(async () => (await server.clock.now()).speed).toBe(0);

  const faults = async () => (await server.faults.list()).map(({ fault, off }) => [fault, off ?? false]);
  await run('add the fault listRuns: 503');
  await run('fail next listBatches');
  await run('turn off listRuns', /Turn off/);
  await expect.poll(faults).toEqual([
    ['listRuns: 503', true],
    ['listBatches#1: 503', false],
  ]);
  await run('Remove all faults');
  await expect.poll(faults).toEqual([]);

  const status = async () => (await server.records.batches.get('batch_1'))?.status;
  await run('batch_1', 'batch_1');
  await page.getByRole('button', { name: 'Fail batch_1' }).waitFor();
  await run('fail batch', /^command Fail batch_1$/); // a button of the panel
  await expect.poll(status).toBe('failed');
  await run('cancel batch_1', /^command Cancel batch_1$/); // as well without its page
  await expect.poll(status).toBe('cancelled');
  await run('new run', 'New run');
  await page.getByRole('region', { name: 'New run' }).waitFor();
  await run('copy the base', 'Copy the base URL');
  await page.getByText('Copied').waitFor();
  await server.state.undo();
  await expect.poll(status).toBe('failed');
  await run('save before', 'Save the state as before');
  await page.getByText('The state was saved as before.').waitFor();
  await run('Undo the last change');
  await expect.poll(status).toBe('in_progress');
  await run('load empty', /^command Load empty/);
  await expect.poll(status).toBeUndefined();
  await run('assume unknown-thread empty', /assume unknown-thread: /);
  await page.getByText(/Done: assume unknown-thread/).waitFor();
  await run('create session review', 'create the session review');
  await page.getByText('The session review was created.').waitFor();
  await run('revie', /^session review$/);
  await page.waitForURL(`${server.url}/sessions/review/__admin/**`);
});
