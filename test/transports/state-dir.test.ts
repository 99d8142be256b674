// Servers of one state directory: what one hands on, another one goes on with, and none holds what another one holds.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { volume } from '../support/settings.ts';
import { keys } from '../support/transports.ts';

const call = async ({ baseUrl }: GatewayServer, session?: string, path = '/batches?limit=2') => {
  const headers = { ...keys, ...(session && { 'x-mock-session': session }) };
  const reply = await fetch(baseUrl + path, { headers });
  const { status } = reply;
  const shown = Object.fromEntries(reply.headers);
  return { status, text: await reply.text(), headers: shown, world: shown['x-mock-world'] };
};

/** Calls until the session is at this server. */
const callUntilMoved = async (...to: Parameters<typeof call>) => {
  let reply = await call(...to);
  const again = async () => {
    if (reply.status === 503) reply = await call(...to);
    return reply.status;
  };
  await expect.poll(again).not.toBe(503);
  return reply;
};

const moving = { status: 503, headers: { 'retry-after': '1', 'x-should-retry': 'true' } };

const open = async (stateDir: string, options: ServerOptions = {}) => {
  const errors: string[] = [];
  const server = await openServer({
    stateDir,
    onStateError: ({ message }) => errors.push(message),
    ...options,
  });
  return { server, errors };
};

test('a server that is stopped and started again goes on with every session', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  const control = connect(first.url, { session: 'Checkout' });
  await control.records.batches.create({ id: 'mine' });
  await control.state.save();
  await control.faults.add('listBatches#3: 503');
  await call(first, 'Checkout');
  const { world, headers } = await call(first, 'Checkout');
  const own = await call(first);
  await first.close();
  expect(readdirSync(join(folder, 'servers'))).toEqual([]);
  expect(readdirSync(join(folder, 'sessions')).sort()).toEqual(['+checkout.json', '=1.json']);

  const { server, errors } = await open(folder, { scenario: 'empty' });
  const third = await call(server, 'Checkout');
  expect(third).toMatchObject({ status: 503, world, headers: { 'x-mock-fault': 'listBatches#3: 503' } });
  expect(third.headers).not.toHaveProperty('x-mock-world-new');
  expect(third.headers['x-request-id']).not.toBe(headers['x-request-id']);
  const next = connect(server.url, { session: 'Checkout' });
  expect(await next.requests.count()).toBe(3);
  expect((await next.records.batches.get('mine'))?.id).toBe('mine');
  await next.state.restore();
  expect((await next.scenario.current()).name).toBe('default');
  expect(await server.requests.count()).toBe(1);
  expect((await call(server)).world).toBe(own.world);
  expect(readdirSync(join(folder, 'sessions')).sort()).toEqual(['+checkout.owner', '=1.owner']);
  expect(errors).toEqual([]);
});

test('a default session that nobody used does not stand in the way of another scenario', async () => {
  const folder = makeFolder();
  await (await open(folder)).server.close();
  const { server } = await open(folder, { scenario: 'empty' });
  expect((await server.scenario.current()).name).toBe('empty');
});

test('a session moves to the server that is called, and is never in two of them', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  const { server: second } = await open(folder);
  const { world } = await call(first, 's');
  await connect(first.url, { session: 's' }).records.batches.create({ id: 'mine' });
  expect(await call(second, 's')).toMatchObject(moving);
  const moved = await callUntilMoved(second, 's');
  expect(moved).toMatchObject({ status: 200, world });
  expect(moved.text).toContain('"mine"');
  expect(await first.sessions.list()).toEqual(['default']);
  expect(await call(first, 's')).toMatchObject(moving);
  expect(await callUntilMoved(first, 's')).toMatchObject({ status: 200, world });
  expect(await second.sessions.list()).toEqual(['default']);
  expect(await connect(first.url, { session: 's' }).requests.count({ status: 200 })).toBe(3);
  expect(readdirSync(join(folder, 'wanted'))).toEqual([]);
});

test('a control waits for a session that moves to its server, and each of its calls is made once', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  const { server: second } = await open(folder);
  await connect(first.url, { session: 's' }).faults.add('listBatches#9: 503');
  const control = connect(second.url, { session: 's' });
  expect(await control.faults.add('listBatches#8: 503')).toHaveLength(1);
  expect(await control.faults.list()).toHaveLength(2);
  const other = connect(first.url, { session: 's' });
  await other.records.batches.create({ id: 'mine' });
  expect(await control.records.batches.get('mine')).toMatchObject({ id: 'mine' });
});

test('a control whose wait is ended does not wait for its session to move', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  const { server: second } = await open(folder);
  await connect(first.url, { session: 's' }).faults.add('listBatches: delay 30s');
  const held = new AbortController();
  const slow = fetch(`${first.url}/sessions/s/v1/batches`, { headers: keys, signal: held.signal });
  await connect(first.url, { session: 's' }).requests.wait({});
  const ended = new AbortController();
  const waiting = connect(second.url, { session: 's' }).requests.wait({}, { signal: ended.signal });
  setTimeout(() => ended.abort(new Error('enough')), 100);
  await expect(waiting).rejects.toThrow('enough');
  held.abort();
  await expect(slow).rejects.toThrow();
});

test('each server has a default session of its own, which it finds again', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  const { server: second } = await open(folder);
  await call(first);
  const { world } = await call(second);
  await second.close();
  expect((await call((await open(folder)).server)).world).toBe(world);
});

test('a call under way is answered, and the session has its entry', async () => {
  const folder = makeFolder();
  const { server } = await open(folder);
  await connect(server.url, { session: 'slow' }).faults.add('listBatches: delay 900ms');
  const slow = call(server, 'slow');
  await connect(server.url, { session: 'slow' }).requests.wait();
  await server.close();
  expect(await slow).toMatchObject({ status: 200 });
  const { server: next } = await open(folder);
  const [entry] = await connect(next.url, { session: 'slow' }).requests.list();
  expect(entry?.duration).toBeGreaterThanOrEqual(900);
});

test('the sessions of a server that died are lost, and say so, until they are created again', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'sessions'), { recursive: true });
  writeFileSync(join(folder, 'sessions/a.owner'), 'dead');
  writeFileSync(join(folder, 'sessions/b.owner'), 'dead');
  const { server } = await open(folder);
  expect(await call(server, 'a')).toMatchObject({ status: 410 });
  expect(await call(server, 'a')).toMatchObject({ status: 410 });
  await expect(connect(server.url, { session: 'a' }).clock.now()).rejects.toThrow('ended without storing it');
  await server.sessions.create('a');
  expect(await call(server, 'a')).toMatchObject({ status: 200 });
  await connect(server.url, { session: 'b' }).sessions.create('b');
  expect(await call(server, 'b')).toMatchObject({ status: 200 });
  expect(readdirSync(join(folder, 'sessions')).sort()).toEqual(['=1.owner', 'a.owner', 'b.owner']);
});

test('a server that was found dead loses its sessions before it answers again', async () => {
  const folder = makeFolder();
  const { server, errors } = await open(folder);
  await call(server, 's');
  const own = await call(server);
  const [id = ''] = readdirSync(join(folder, 'servers'));
  rmSync(join(folder, 'servers', id));
  await expect.poll(() => errors).not.toEqual([]);
  expect(errors[0]).toContain('found this one dead');
  expect(await call(server, 's')).toMatchObject({ status: 410 });
  expect((await call(server)).world).toBe(own.world);
});

test('a claim without an id counts for ten seconds: its server ended, or lost power, while it wrote it', async () => {
  const folder = makeFolder({
    'sessions/new.owner': '',
    'sessions/old.owner': '',
    'sessions/sought.owner': 'dead',
  });
  writeFileSync(join(folder, 'sessions/sought.lock'), '');
  const { server } = await open(folder);
  const before = Date.now() / 1000 - 20;
  for (const file of ['old.owner', 'sought.lock']) utimesSync(join(folder, 'sessions', file), before, before);
  expect(await call(server, 'new')).toMatchObject({ status: 503 });
  expect(await call(server, 'old')).toMatchObject({ status: 410 });
  expect(await call(server, 'sought')).toMatchObject({ status: 410 });
  await connect(server.url, { session: 'old' }).sessions.create('old');
  expect(await call(server, 'old')).toMatchObject({ status: 200 });
});

test('a server that was found dead leaves the stored default session of another one alone', async () => {
  const folder = makeFolder();
  const { server, errors } = await open(folder);
  const [id = ''] = readdirSync(join(folder, 'servers'));
  const { server: other } = await open(folder);
  const { world } = await call(other);
  await other.close();
  rmSync(join(folder, 'servers', id));
  await expect.poll(() => errors).not.toEqual([]);
  const { server: next } = await open(folder);
  expect((await call(next)).world).toBe(world);
  expect((await call(server)).world).not.toBe(world);
});

test('a server that was found dead keeps no session that another one has created since', async () => {
  const folder = makeFolder();
  const { server: dead, errors } = await open(folder);
  const [id = ''] = readdirSync(join(folder, 'servers'));
  const { server } = await open(folder);
  await call(dead, 's');
  rmSync(join(folder, 'servers', id));
  const control = connect(server.url, { session: 's' });
  await control.sessions.create('s');
  await control.faults.add('listBatches: delay 10m');
  const held = new AbortController(); // so that it does not hand the session on
  const slow = fetch(`${server.url}/sessions/s/v1/batches`, { headers: keys, signal: held.signal });
  await control.requests.wait();
  const { world } = await call(server, 's', '/x');
  writeFileSync(join(folder, 'wanted/s'), '');
  await expect.poll(() => errors).not.toEqual([]);
  expect(await call(dead, 's', '/x')).toMatchObject({ status: 503 });
  expect((await call(server, 's', '/x')).world).toBe(world);
  held.abort();
  await expect(slow).rejects.toThrow();
});

test('a session that began while the directory could not be used is stored once it can be', async () => {
  const folder = makeFolder();
  const { server } = await open(folder);
  const sessions = join(folder, 'sessions');
  renameSync(sessions, `${sessions}-moved`);
  const { world } = await call(server, 's');
  renameSync(`${sessions}-moved`, sessions);
  await server.close();
  const { server: next } = await open(folder);
  expect((await call(next, 's')).world).toBe(world);
});

test('a server needs no more room on the disk to show that it is alive', async () => {
  const folder = makeFolder();
  await open(folder);
  const [id = ''] = readdirSync(join(folder, 'servers'));
  expect(statSync(join(folder, 'servers', id)).size).toBe(1);
});

test('what is not a file is no session: it is reported and kept', async () => {
  const folder = makeFolder({ 'sessions/s.json/file': '', 'servers/folder/file': '' });
  const { server, errors } = await open(folder);
  expect(await call(server, 's')).toMatchObject({ status: 410 });
  expect(errors).toEqual([expect.stringContaining('The session "s" is lost: its file is damaged.')]);
  expect(existsSync(join(folder, 'sessions/s.broken/file'))).toBe(true);
});

test('a file that was renamed to another session is not that session', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  await call(first, 's');
  await first.close();
  renameSync(join(folder, 'sessions/s.json'), join(folder, 'sessions/t.json'));
  const { server, errors } = await open(folder);
  expect(await call(server, 't')).toMatchObject({ status: 410 });
  expect(errors).toEqual([expect.stringContaining('its file is that of the session "s"')]);
});

test('what is damaged is reported and kept, and its session is lost', async () => {
  const folder = makeFolder({ 'sessions/s.json': 'foreign' });
  const { server, errors } = await open(folder);
  expect(await call(server, 's')).toMatchObject({ status: 410 });
  expect(errors).toEqual([expect.stringContaining('The session "s" is lost: its file is damaged.')]);
  expect(readFileSync(join(folder, 'sessions/s.broken'), 'utf8')).toBe('foreign');
});

test('a directory that cannot be used any more is reported, and serving goes on', async () => {
  const folder = join(makeFolder(), 'state');
  const { server, errors } = await open(folder);
  const { world } = await call(server, 'before');
  await call(server);
  renameSync(folder, `${folder}-moved`);
  writeFileSync(folder, '');
  expect(await call(server, 'before')).toMatchObject({ status: 200, world });
  expect(await call(server, 'new')).toMatchObject({ status: 200 });
  expect(errors).toContainEqual(expect.stringContaining('Failed to hold the session "new"'));
  await server.close();
  for (const name of ['before', 'new'])
    expect(errors).toContainEqual(expect.stringContaining(`Failed to store the session "${name}": ENOTDIR`));
  expect(errors).toContainEqual(expect.stringContaining('Failed to store the default session'));
});

test('a server does not start with a directory that it cannot use', async () => {
  const file = join(makeFolder({ file: '' }), 'file');
  await expect(openServer({ stateDir: file })).rejects.toThrow(
    `Failed to use the state directory "${file}": `,
  );
});

test('a session that is deleted is not in the store any more, wherever it was', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  const { world } = await call(first, 'a');
  await call(first, 'b');
  await first.sessions.delete('b');
  await first.close();
  const { server } = await open(folder);
  expect(await server.sessions.delete('a')).toBe(true);
  expect(await server.sessions.delete('b')).toBe(false);
  const again = await call(server, 'a');
  expect(again.headers['x-mock-world-new']).toBe('yes');
  expect(again.world).not.toBe(world);
});

test('a call without a key begins no session, and leaves no file', async () => {
  const folder = makeFolder();
  const { server } = await open(folder);
  const reply = await fetch(`${server.baseUrl}/batches`, { headers: { 'x-mock-session': 's' } });
  expect(reply.status).toBe(401);
  expect(existsSync(join(folder, 'sessions/s.owner'))).toBe(false);
});

test('a server without a port leaves the state directory as it was', async () => {
  const folder = makeFolder();
  const { server } = await open(makeFolder());
  await expect(openServer({ stateDir: folder, port: Number(new URL(server.url).port) })).rejects.toThrow(
    'in use',
  );
  expect(readdirSync(join(folder, 'servers'))).toEqual([]);
  expect(readdirSync(join(folder, 'sessions'))).toEqual([]);
});

test('what nobody has touched for a week is removed at a start', async () => {
  const folder = makeFolder({
    'sessions/old.json': 'x',
    'sessions/new.lost': 'x',
    'sessions/gone.owner': 'dead',
  });
  const week = 7 * 24 * 3600;
  for (const file of ['old.json', 'gone.owner']) {
    const path = join(folder, 'sessions', file);
    const time = statSync(path).mtimeMs / 1000 - week - 60;
    utimesSync(path, time, time);
  }
  await open(folder);
  await expect.poll(() => readdirSync(join(folder, 'sessions')).sort()).toEqual(['=1.owner', 'new.lost']);
});

test('sessions that move between servers that are stopped and started answer as in one server', async () => {
  const folder = makeFolder();
  const names = Array.from({ length: 12 }, (_, index) => `session-${index}`);
  const alone = await openServer();
  const servers = [(await open(folder)).server, (await open(folder)).server, (await open(folder)).server];
  const random = fc.sample(fc.nat(), { numRuns: volume(240, 80), seed: 1 });
  const replies = new Map<string, unknown[]>(names.map((name) => [name, []]));
  const expected = new Map<string, unknown[]>(names.map((name) => [name, []]));
  const cursors = new Map<string, string>();
  const shortened = (all: unknown[] = []) => all.map((one) => JSON.stringify(one).slice(-200));
  const shown = ({ status, text, headers }: Awaited<ReturnType<typeof call>>) => [
    status,
    text,
    headers['x-request-id'],
  ];
  for (const [step, number] of random.entries()) {
    const name = names[number % names.length] ?? '';
    const at = (number >> 4) % 3;
    if (step % 20 === 19) {
      await servers[at]?.close();
      servers[at] = (await open(folder)).server;
    }
    // Most calls go where those before them went, as by a hash.
    const server = servers[step % 10 === 0 ? at : names.indexOf(name) % 3];
    if (server === undefined) throw new Error('There is no server.');
    const path = `/threads/thread_demo/runs?limit=3&after=${cursors.get(name) ?? ''}`;
    const reply = await callUntilMoved(server, name, path);
    replies.get(name)?.push(shown(reply));
    expected.get(name)?.push(shown(await call(alone, name, path)));
    cursors.set(name, JSON.parse(reply.text).last_id ?? '');
  }
  for (const name of names) expect(shortened(replies.get(name))).toEqual(shortened(expected.get(name)));
  for (const name of names) {
    const [last] = servers;
    if (last === undefined || replies.get(name)?.length === 0) continue;
    await callUntilMoved(last, name, '/batches');
    await call(alone, name, '/batches');
    const [there, here] = [connect(last.url, { session: name }), connect(alone.url, { session: name })];
    const walk = await there.requests.walk('listRuns');
    expect(walk).toEqual(await here.requests.walk('listRuns'));
    expect(await there.requests.count()).toBe(await here.requests.count());
  }
});
