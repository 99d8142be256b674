// Processes that share a state directory.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import { makeFolder } from '../support/make-folder.ts';
import { type ServingCli, serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

const call = async ({ baseUrl }: ServingCli, session: string, path = '/batches?limit=2') => {
  const reply = await fetch(baseUrl + path, { headers: { ...keys, 'x-mock-session': session } });
  return {
    status: reply.status,
    text: await reply.text(),
    id: reply.headers.get('x-request-id'),
    world: reply.headers.get('x-mock-world'),
  };
};

const serve = (folder: string, ...args: string[]) => serveCli('--quiet', '--state-dir', folder, ...args);
const controlOf = ({ baseUrl }: ServingCli, session: string) => connect(new URL(baseUrl).origin, { session });

test('stop and start lose nothing: bytes, ids, walk, saved states and a clock that runs', async () => {
  const folder = makeFolder();
  const [solo, first] = await Promise.all([serveCli('--quiet'), serve(folder)]);
  const seen = [];
  for (const server of [solo, first]) {
    const control = controlOf(server, 's');
    await control.records.batches.create({ id: 'mine' });
    await control.state.save();
    seen.push(await call(server, 's'));
  }
  await controlOf(first, 'runs').clock.run(60);
  const stopped = await controlOf(first, 'runs').clock.now();
  expect(await first.stop()).toMatchObject({ code: 0, stderr: '' });

  const second = await serve(folder, '--scenario', 'large');
  for (const server of [solo, second]) {
    const after: string = JSON.parse(seen[0]?.text ?? '').last_id;
    seen.push(await call(server, 's', `/batches?limit=100&after=${after}`));
    await controlOf(server, 's').state.restore();
    seen.push(await call(server, 's'));
  }
  const [before, own, ...later] = seen;
  expect({ ...own, world: '' }).toEqual({ ...before, world: '' });
  expect(later.slice(2).map((one) => ({ ...one, world: '' }))).toEqual(
    later.slice(0, 2).map((one) => ({ ...one, world: '' })),
  );
  expect(new Set([own, ...later.slice(2)].map((one) => one?.world)).size).toBe(1);
  const running = await controlOf(second, 'runs').clock.now();
  expect(running.speed).toBe(60);
  expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(stopped.now));
});

test('a walk goes on across a restart, and is reported as one', async () => {
  const folder = makeFolder();
  let server = await serve(folder);
  let after = '';
  for (let page = 1; page <= 20; page += 1) {
    const { text }: { text: string } = await call(server, 's', `/batches?limit=50&after=${after}`);
    const { last_id, has_more } = JSON.parse(text);
    if (!has_more) break;
    after = last_id;
    await server.stop();
    server = await serve(folder);
  }
  expect(await controlOf(server, 's').requests.walk('listBatches')).toMatchObject({
    exactlyOnce: true,
    stopped: true,
  });
});

test('SIGTERM lets a delayed call end, and another server waits for its session', async () => {
  const folder = makeFolder();
  const [first, second] = await Promise.all([serve(folder), serve(folder)]);
  await controlOf(first, 's').faults.add('listBatches: delay 1500ms');
  const slow = call(first, 's');
  await controlOf(first, 's').requests.wait();
  expect((await call(second, 's', '/x')).status).toBe(503);
  const stopped = first.stop();
  expect((await slow).status).toBe(200);
  expect(await stopped).toMatchObject({ code: 0, stderr: '' });
  expect(await call(second, 's', '/x')).toMatchObject({ status: 404, world: (await slow).world });
  expect(await controlOf(second, 's').requests.count()).toBe(2);
});

// Again where the machine was too busy to call within that while, which is 2.5 s.
test('a server that others can replace answers calls after SIGTERM until none has come for a while, and says that it stops', {
  retry: 3,
}, async () => {
  const folder = makeFolder();
  const [first] = await Promise.all([serve(folder), serve(folder)]);
  const { world } = await call(first, 's');
  const stopped = first.stop();
  const ready = () => fetch(new URL('/readyz', first.baseUrl)).then(({ status }) => status);
  await expect.poll(ready).toBe(503);
  for (let calls = 1; calls <= 20; calls += 1)
    expect(await call(first, 's')).toMatchObject({ status: 200, world });
  expect(await ready()).toBe(503); // which is no call
  expect(await stopped).toMatchObject({ code: 0, stderr: '' });
});

test('the sessions of a process that was killed are lost after ten seconds, and say so', async () => {
  const folder = makeFolder();
  const [first, second] = await Promise.all([serve(folder), serve(folder)]);
  await call(first, 's');
  await first.stop('SIGKILL');
  const statuses = new Set<number>();
  await vi.waitUntil(
    async () => {
      const { status } = await call(second, 's');
      statuses.add(status);
      return status === 410;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect([...statuses]).toEqual([503, 410]);
  await controlOf(second, 's').sessions.create('s');
  expect((await call(second, 's')).status).toBe(200);
});

test('a process that stood still for longer answers none of the sessions that it lost', async () => {
  const folder = makeFolder();
  const [first, second] = await Promise.all([serve(folder), serve(folder)]);
  const { world } = await call(first, 's');
  first.child.kill('SIGSTOP');
  await vi.waitUntil(async () => (await call(second, 's')).status === 410, {
    timeout: 30_000,
    interval: 200,
  });
  await controlOf(second, 's').sessions.create('s');
  const pending = call(first, 's');
  first.child.kill('SIGCONT');
  expect((await pending).status).toBe(503);
  expect((await call(second, 's')).world).not.toBe(world);
  await first.stop();
  expect((await first.ended).stderr).toContain('Another server found this one dead');
});

test('what cannot be stored is reported by its name and reason, and the exit code is 1', async () => {
  const folder = join(makeFolder(), 'state');
  const server = await serve(folder);
  await call(server, 'checkout');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect((await call(server, 'checkout')).status).toBe(200);
  const { code, stderr } = await server.stop();
  expect(stderr).toContain('gateway-mock: Failed to store the session "checkout": ENOTDIR');
  expect(code).toBe(1);
});

test('named pipes in the directory keep no server waiting', async () => {
  const folder = makeFolder({ 'sessions/other.owner': 'dead' });
  const server = await serve(folder);
  for (const file of ['sessions/s.json', 'servers/0123456789ab'])
    execFileSync('mkfifo', [join(folder, file)]);
  await new Promise((resolve) => setTimeout(resolve, 1500)); // it has looked at the other servers
  expect((await call(server, 's')).status).toBe(410);
  expect((await call(server, 'other')).status).toBe(410);
});

test('a directory that cannot be used ends the start', async () => {
  const file = join(makeFolder({ file: '' }), 'file');
  await expect(serve(file)).rejects.toThrow('Failed to use the state directory');
});

test('five hundred sessions are stored, and found again', async () => {
  const folder = makeFolder();
  const first = await serve(folder);
  const names = Array.from({ length: 500 }, (_, index) => `s${index}`);
  const worlds = [];
  for (const name of names) worlds.push((await call(first, name)).world);
  const { duration, code } = await first.stop();
  expect(code).toBe(0);
  expect(duration).toBeLessThan(25_000); // what Kubernetes gives a process, by default, is 30 s
  expect(readdirSync(join(folder, 'sessions'))).toHaveLength(500);
  const second = await serve(folder);
  for (const [at, name] of names.entries()) expect((await call(second, name)).world).toBe(worlds[at]);
});
