// Slow, since after each kill the next server needs five seconds, until it knows that the lock is nobody's.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { call, controlOf, type Server, serve, untilWritten } from '../support/state-dir-servers.ts';
import { anyChanges, change } from '../support/worlds-changes.ts';

test('a server that was stopped while another took over changes no file', async () => {
  const folder = makeFolder();
  const first = await serve(folder);
  await controlOf(first, 's').clock.advance('1h');
  first.child.kill('SIGSTOP');
  const second = await serve(folder);
  await controlOf(second, 'x').sessions.create('s');
  await controlOf(second, 's').clock.advance('2h');
  await untilWritten(folder);
  const path = join(folder, 'sessions/s.json');
  const written = readFileSync(path, 'utf8');
  first.child.kill('SIGCONT');
  await controlOf(first, 's').clock.advance('5h');
  expect((await call(first, 'new')).status).toBe(503);
  expect((await first.stop()).stderr).toContain('Another server has taken the state directory');
  expect(readFileSync(path, 'utf8')).toBe(written);
  expect(readdirSync(join(folder, 'sessions'))).not.toContain('new.changed');
  expect(existsSync(join(folder, 'lock'))).toBe(true);
});

const names = ['default', 'a', 'b', 'c'];
const paths = ['/batches?limit=5', '/threads/thread_a/runs?limit=5', '/threads/thread_new/runs', '/x'];

const use = async (server: Server, name: string, steps: Parameters<typeof change>[1]): Promise<void> => {
  const control = controlOf(server, name);
  if ((await control.faults.list()).length === 0)
    await control.faults.add(
      'listBatches#2: 500',
      'listRuns share=30%: 503',
      'listBatches times=3: empty-page',
    );
  await change(control, steps);
  for (const path of paths) await call(server, name, path);
};

const beginAgain = async (server: Server, name: string): Promise<void> => {
  const control = controlOf(server, name);
  if (name !== 'default') return controlOf(server, 'x').sessions.create(name);
  await control.reset();
  await control.state.delete(); // a reset keeps what was saved
};

const readAll = async (server: Server, name: string) => {
  const replies = [];
  for (const path of paths) {
    const { status, text } = await call(server, name, path);
    replies.push([status, text]);
  }
  // The number of requests alone is no change: after a kill, ids of requests may come again.
  const { requests: _, ...state } = await controlOf(server, name).state.export();
  return [...replies, state];
};

test('random changes and calls, ended in any way, continue with the same bytes or are reported as lost', {
  timeout: 600_000,
}, async () => {
  const chains = Array.from({ length: 4 }, async (_, chain) => {
    const folder = makeFolder({ 'small.json': JSON.stringify(smallScenario) });
    const open = () => serve(join(folder, 'state'), '--scenario', join(folder, 'small.json'));
    const alone = await openServer({ scenario: smallScenario });
    let server = await open();
    const anySequence = fc.record({
      uses: fc.array(fc.tuple(fc.constantFrom(...names), anyChanges), { maxLength: 4 }),
      end: fc.constantFrom('SIGTERM', 'SIGHUP', 'SIGKILL'),
      isWritten: fc.boolean(),
    });
    const seen = { same: 0, lost: 0 };
    for (const { uses, end, isWritten } of fc.sample(anySequence, { numRuns: 50, seed: chain })) {
      for (const [name, steps] of uses) for (const one of [server, alone]) await use(one, name, steps);
      if (isWritten) await untilWritten(join(folder, 'state'));
      await server.stop(end);
      server = await open();
      for (const name of names) {
        const { status, isNew } = await call(server, name, '/y');
        await call(alone, name, '/y');
        const isLost = status === 410 || (name === 'default' && isNew);
        if (isLost) {
          expect([end, isWritten]).toEqual(['SIGKILL', false]);
          seen.lost += 1;
          for (const one of [server, alone]) await beginAgain(one, name);
        } else seen.same += 1;
        expect(await readAll(server, name)).toEqual(await readAll(alone, name));
      }
    }
    return seen;
  });
  const seen = await Promise.all(chains);
  expect(seen.reduce((sum, { same }) => sum + same, 0)).toBeGreaterThan(10);
});
