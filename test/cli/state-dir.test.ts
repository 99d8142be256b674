// Processes with a state directory: how they end, and what the next one continues with.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { volume } from '../support/settings.ts';
import { serveCli, spawnCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';
import { anyChanges, change } from '../support/worlds-changes.ts';
import { buildFolder } from '../support/write-built.ts';

interface Server {
  readonly baseUrl: string;
}

const call = async ({ baseUrl }: Server, session: string, path = '/batches?limit=2') => {
  const reply = await fetch(baseUrl + path, { headers: { ...keys, 'x-mock-session': session } });
  return {
    status: reply.status,
    text: await reply.text(),
    world: reply.headers.get('x-mock-world'),
    isNew: reply.headers.has('x-mock-world-new'),
  };
};

const serve = (folder: string, ...args: string[]) => serveCli('--quiet', '--state-dir', folder, ...args);
const controlOf = ({ baseUrl }: Server, session: string) => connect(new URL(baseUrl).origin, { session });

/** Waits until every change is written. */
const untilWritten = (folder: string) =>
  expect
    .poll(() => readdirSync(join(folder, 'sessions')).filter((file) => file.endsWith('.changed')))
    .toEqual([]);

test('a walk continues across restarts, and is reported as one', async () => {
  const folder = makeFolder();
  let server = await serve(folder);
  let after = '';
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const { text }: { text: string } = await call(server, 's', `/batches?limit=10&after=${after}`);
    after = JSON.parse(text).last_id;
    expect(await server.stop(signal)).toMatchObject({ code: 0, stderr: '' });
    server = await serve(folder);
  }
  for (let hasMore = true; hasMore; ) {
    const { text }: { text: string } = await call(server, 's', `/batches?limit=100&after=${after}`);
    ({ last_id: after, has_more: hasMore } = JSON.parse(text));
  }
  expect(await controlOf(server, 's').requests.walk('listBatches')).toMatchObject({
    exactlyOnce: true,
    stopped: true,
  });
});

test('a clock that runs continues from the time at which it was stored, whatever the next scenario is', async () => {
  const folder = makeFolder();
  const first = await serve(folder);
  await controlOf(first, 's').clock.run(60);
  const stopped = await controlOf(first, 's').clock.now();
  await first.stop();
  const second = await serve(folder, '--scenario', 'large');
  const running = await controlOf(second, 's').clock.now();
  expect(running.speed).toBe(60);
  expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(stopped.now));
});

test('a second server does not start; one that was killed has a successor, which knows what is lost', async () => {
  const folder = makeFolder();
  const first = await serve(folder);
  for (const name of ['written', 'changed']) await controlOf(first, name).clock.advance('1h');
  const before = await call(first, 'written');
  const second = spawnCli('--quiet', '--port', '0', '--state-dir', folder);
  const { code, stderr } = await second.ended;
  expect(code).toBe(2);
  expect(stderr).toContain('another server uses it. Stop that server, or choose another directory.');
  await untilWritten(folder);
  await controlOf(first, 'changed').clock.advance('1h');
  await controlOf(first, 'default').clock.advance('1h');
  await first.stop('SIGKILL');

  const next = await serve(folder);
  expect(await call(next, 'written')).toEqual(before);
  await expect(controlOf(next, 'written').requests.count()).rejects.toThrow('the server was killed');
  await controlOf(next, 'written').requests.clear();
  expect(await controlOf(next, 'written').requests.count()).toBe(0);
  expect(await call(next, 'changed')).toMatchObject({
    status: 410,
    text: expect.stringContaining('its server was killed before it wrote the last change'),
  });
  expect((await call(next, 'default')).isNew).toBe(true);
  expect((await next.stop()).stderr).toContain('The default session is lost and begins again');
  // What was lost stays lost, until it is made again.
  const last = await serve(folder);
  expect((await call(last, 'changed')).status).toBe(410);
  await controlOf(last, 'x').sessions.create('changed');
  expect((await call(last, 'changed')).status).toBe(200);
});

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

test('if the disk is full in the middle of a file, the file stays as it was', async () => {
  const folder = makeFolder();
  await (await serve(folder)).stop();
  const path = join(folder, 'sessions/default.json');
  const written = readFileSync(path, 'utf8');
  const code = `
    import { startServer } from ${JSON.stringify(pathToFileURL(join(buildFolder, 'server.js')).href)};
    process.on('SIGXFSZ', () => {}); // otherwise it ends the process
    const onStateError = ({ message }) => console.log(message);
    const server = await startServer({ stateDir: ${JSON.stringify(folder)}, onStateError });
    await server.records.batches.create({ id: 'large', metadata: { text: 'x'.repeat(100_000) } });
    await server.close();
  `;
  // A limit of the size of files, 20 or 40 kB: the system writes up to it, as on a full disk.
  const shell = 'ulimit -f 40; exec "$0" --input-type=module -e "$1"';
  const stdout = execFileSync('sh', ['-c', shell, process.execPath, code], { encoding: 'utf8' });
  expect(stdout).toContain('Failed to store the session "default": EFBIG');
  expect(readFileSync(path, 'utf8')).toBe(written);
  expect(statSync(path).mode & 0o777).toBe(0o600);
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

// Each kill takes the next server five seconds, until it knows that the lock is nobody's.
test('random changes and calls, ended in any way, continue with the same bytes or are reported as lost', {
  timeout: 600_000,
}, async () => {
  const chains = Array.from({ length: volume(4, 2) }, async (_, chain) => {
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
    for (const { uses, end, isWritten } of fc.sample(anySequence, { numRuns: volume(50, 3), seed: chain })) {
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

test('many sessions are stored, and continue', async () => {
  const folder = makeFolder();
  const first = await serve(folder);
  const sessions = Array.from({ length: volume(200, 40) }, (_, index) => `s${index}`);
  const worlds = [];
  for (const name of sessions) worlds.push((await call(first, name)).world);
  expect((await first.stop()).code).toBe(0);
  const second = await serve(folder);
  for (const [at, name] of sessions.entries()) expect((await call(second, name)).world).toBe(worlds[at]);
});
