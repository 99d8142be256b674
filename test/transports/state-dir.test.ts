// A server that keeps its sessions in a state directory. Servers that are killed: test/cli/state-dir.test.ts.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { version } from 'virtual:shipped';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { StateDir } from '../../src/service/server/state/state-dir.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const call = async ({ baseUrl }: GatewayServer, session?: string, path = '/batches?limit=2') => {
  const headers = { ...keys, ...(session && { 'x-mock-session': session }) };
  const reply = await fetch(baseUrl + path, { headers });
  const shown = Object.fromEntries(reply.headers);
  return { status: reply.status, text: await reply.text(), headers: shown, world: shown['x-mock-world'] };
};

const open = async (stateDir: string, options: ServerOptions = {}) => {
  const errors: string[] = [];
  const server = await openServer({
    stateDir,
    onStateError: ({ message }) => errors.push(message),
    ...options,
  });
  return { server, errors };
};

/** Returns the directory of a server that was stopped after a call in each of these sessions. */
const storeSessions = async (...names: string[]): Promise<string> => {
  const folder = makeFolder();
  const { server } = await open(folder);
  for (const name of names) await call(server, name);
  await server.close();
  return folder;
};

const filesOf = (folder: string): string[] => readdirSync(join(folder, 'sessions')).sort();

test('a server that is stopped and started again continues with every session', async () => {
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
  expect(filesOf(folder)).toEqual(['+checkout.journal', '+checkout.json', 'default.journal', 'default.json']);
  for (const file of filesOf(folder))
    expect(statSync(join(folder, 'sessions', file)).mode & 0o777).toBe(0o600);

  const { server, errors } = await open(folder, { scenario: 'empty' });
  expect(await server.sessions.list()).toEqual(['Checkout', 'default']);
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
  expect(errors).toEqual([]);
});

test('a change is marked before its reply, and written soon; a call that only reads changes nothing', async () => {
  const folder = makeFolder();
  const { server } = await open(folder);
  const marks = () => filesOf(folder).filter((file) => file.endsWith('.changed'));
  const names = ['fault', 'faulted', 'limited', 'saved'];
  const [fault, faulted, limited, saved] = names.map((session) => connect(server.url, { session }));
  await faulted?.faults.add('listBatches#2: 503');
  await limited?.quotas.enforce();
  for (const name of names) await call(server, name);
  await expect.poll(marks).toEqual([]);
  await call(server, 'saved');
  expect(marks()).toEqual([]);
  const changes = [
    () => fault?.faults.add('listBatches#2: 503'),
    () => call(server, 'faulted'), // the fault counts it
    () => call(server, 'limited', '/threads/thread_demo/runs'), // the quota counts it
    () => saved?.state.save(),
  ];
  for (const [at, change] of changes.entries()) {
    await change();
    expect(marks()).toContain(`${names[at]}.changed`);
  }
  await expect.poll(() => filesOf(folder)).toEqual(['default', ...names].map((name) => `${name}.json`));
});

test('beyond maxSessions, sessions go to their files and come back, with their requests', async () => {
  const folder = makeFolder();
  const { server } = await open(folder, { maxSessions: 3 });
  const names = Array.from({ length: 6 }, (_, index) => `s${index}`);
  const worlds = [];
  for (const name of names) {
    await connect(server.url, { session: name }).clock.advance('1h');
    worlds.push((await call(server, name)).world);
  }
  for (const [at, name] of names.entries()) {
    const { world, headers } = await call(server, name);
    expect([world, headers['x-mock-world-new']]).toEqual([worlds[at], undefined]);
    expect(await connect(server.url, { session: name }).requests.count()).toBe(2);
  }
  expect(await server.sessions.list()).toHaveLength(7);
  const copy = connect(server.url, { session: 'copy' });
  await copy.sessions.create('copy', { session: 's0' }); // which is not in memory
  expect((await copy.clock.now()).now).toBe('2026-01-15T13:00:00.000Z');
});

test('a call under way is answered, and is in the journal; waits and event streams end', async () => {
  const folder = makeFolder();
  const { server } = await open(folder);
  const control = connect(server.url, { session: 'slow' });
  await control.faults.add('listBatches: delay 300ms');
  const slow = call(server, 'slow');
  await control.requests.wait({}, { until: 'arrival' });
  const waiting = fetch(`${server.url}/sessions/slow/__admin/requests/wait?count=9`);
  const stream = await fetch(`${server.adminUrl}/events`);
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.close();
  expect(await stream.text()).toContain(': gateway-mock');
  expect(await slow).toMatchObject({ status: 200 });
  const refused = await waiting;
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  const { server: next } = await open(folder);
  const [entry] = await connect(next.url, { session: 'slow' }).requests.list();
  expect(entry).toMatchObject({ status: 200, duration: expect.any(Number) });
});

test('a reload by watch reaches stored sessions, but not lost ones', async () => {
  const folder = makeFolder({ 'scenarios/mine.yaml': 'seed: 1\n', 'state/sessions/lost.changed': '' });
  const reloads: unknown[] = [];
  const { server } = await open(join(folder, 'state'), {
    scenario: join(folder, 'scenarios/mine.yaml'),
    maxSessions: 2,
    watch: true,
    onReload: (error) => reloads.push(error),
  });
  const worlds = [(await call(server, 'a')).world, (await call(server, 'b')).world];
  writeFileSync(join(folder, 'scenarios/mine.yaml'), 'seed: 2\n');
  await expect.poll(() => reloads).toEqual([undefined]);
  for (const [at, name] of ['a', 'b'].entries()) {
    expect((await connect(server.url, { session: name }).scenario.current()).seed).toBe(2);
    expect((await call(server, name)).world).not.toBe(worlds[at]);
  }
  expect((await call(server, 'lost')).status).toBe(410);
});

test.each<[title: string, spoil: (sessions: string) => void, reason: string]>([
  ['is foreign', (sessions) => writeFileSync(join(sessions, 's.json'), 'foreign'), 'its file is damaged'],
  [
    'is that of another session',
    (sessions) => renameSync(join(sessions, 'other.json'), join(sessions, 's.json')),
    'its file is that of the session \\"other\\"',
  ],
  ['has a damaged journal', (sessions) => writeFileSync(join(sessions, 's.journal'), 'foreign'), ''],
])('a session whose file %s is lost until it is made again', async (_, spoil, reason) => {
  const folder = await storeSessions('s', 'other');
  spoil(join(folder, 'sessions'));
  const { server } = await open(folder);
  const message = expect.stringContaining(`The session \\"s\\" is lost: ${reason}`);
  for (let calls = 1; calls <= 2; calls += 1)
    expect(await call(server, 's')).toMatchObject({ status: 410, text: message });
  await connect(server.url, { session: 's' }).sessions.create('s');
  expect((await call(server, 's')).status).toBe(200);
});

test('the journal of a session whose other file was removed is not that of its successor', async () => {
  const folder = await storeSessions('s');
  rmSync(join(folder, 'sessions/s.json'));
  const { server } = await open(folder);
  expect((await call(server, 's')).headers['x-mock-world-new']).toBe('yes');
  expect(filesOf(folder)).not.toContain('s.journal');
});

test('a default session whose file is damaged begins again, and says so', async () => {
  const folder = makeFolder({ 'sessions/other.txt': '', 'sessions/a b.json': '', 'sessions/.json': '' });
  symlinkSync('nothing', join(folder, 'sessions/link'));
  mkdirSync(join(folder, 'sessions/default.json'));
  const { server, errors } = await open(folder);
  const message = 'The default session is lost and begins again: its file is damaged';
  expect(errors).toEqual([expect.stringContaining(message)]);
  expect(existsSync(join(folder, 'sessions/default.lost'))).toBe(true);
  expect((await call(server)).headers['x-mock-world-new']).toBe('yes');
  expect((await call(server)).headers).not.toHaveProperty('x-mock-world-new');
  expect(await server.sessions.list()).toEqual(['default']); // the other files are those of no session
});

test('the stored journal of a session stays until the session is in memory', async () => {
  const folder = await storeSessions('s');
  const store = await StateDir.open(folder, version, () => {});
  onTestFinished(() => store.close());
  const stored = store.read('s');
  expect(stored?.journal).toBeDefined();
  expect(store.read('s')).toEqual(stored);
  store.noteResumed('s');
  expect(store.read('s')).toEqual({ ...stored, journal: undefined });
});

test('a session that cannot be written does not keep the others from being written', async () => {
  const folder = makeFolder();
  const { server, errors } = await open(folder);
  await call(server, 'a');
  await expect.poll(filesOf.bind(undefined, folder)).toContain('a.json');
  rmSync(join(folder, 'sessions/a.json'));
  mkdirSync(join(folder, 'sessions/a.json/folder'), { recursive: true });
  for (const session of ['a', 'b']) await connect(server.url, { session }).clock.advance('1h');
  await expect.poll(filesOf.bind(undefined, folder), { timeout: 10_000 }).toContain('b.json');
  expect(errors).toContainEqual(expect.stringContaining('Failed to store the session "a": EISDIR'));
  expect(filesOf(folder)).toContain('a.changed');
});

test('a default session that was lost is announced by the next server, if nobody has called this one', async () => {
  const folder = makeFolder({ 'sessions/default.changed': '' });
  await (await open(folder)).server.close();
  const { server: second } = await open(folder);
  expect((await call(second)).headers['x-mock-world-new']).toBe('yes');
  await expect.poll(filesOf.bind(undefined, folder)).toEqual(['default.json']);
  await second.close();
  const { server } = await open(folder);
  expect((await call(server)).headers).not.toHaveProperty('x-mock-world-new');
});

test('a server that was closed changes no file, and may be closed again', async () => {
  const folder = makeFolder();
  const { server, errors } = await open(folder);
  await server.close();
  const files = filesOf(folder);
  await expect(server.clock.advance('1h')).rejects.toThrow('the gateway was closed');
  await expect(server.sessions.create('s')).rejects.toThrow('the gateway was closed');
  await server.close();
  expect([filesOf(folder), errors]).toEqual([files, []]);
});

test('a server whose directory was taken by another one changes no file of it', async () => {
  const folder = makeFolder({ 'sessions/stored.json': '' });
  const { server, errors } = await open(folder);
  await call(server, 's');
  await expect.poll(filesOf.bind(undefined, folder)).toContain('s.json');
  writeFileSync(join(folder, 'server'), 'another server');
  const files = filesOf(folder);
  await connect(server.url, { session: 's' }).clock.advance('1h');
  await server.sessions.create('t');
  await server.sessions.delete('s');
  expect((await call(server, 'stored')).status).toBe(503);
  await server.close();
  expect(filesOf(folder)).toEqual(files);
  expect(existsSync(join(folder, 'lock'))).toBe(true);
  expect(errors).toContainEqual(expect.stringContaining('Another server has taken the state directory'));
});

test('a wait goes on while its session is not in memory', async () => {
  const { server } = await open(makeFolder(), { maxSessions: 2 });
  const waiting = connect(server.url, { session: 'waiting' }).requests.wait();
  await expect.poll(() => server.sessions.list()).toContain('waiting');
  await call(server, 'other');
  await call(server, 'waiting');
  expect(await waiting).toHaveLength(1);
});

test('a directory that disappears is reported as that, and serving goes on', async () => {
  const folder = join(makeFolder(), 'state');
  const { server, errors } = await open(folder);
  const { world } = await call(server, 'before');
  rmSync(folder, { recursive: true });
  await connect(server.url, { session: 'before' }).clock.advance('1h');
  expect(await call(server, 'before')).toMatchObject({ status: 200, world });
  await server.close();
  const reason = `The state directory "${folder}" has disappeared.`;
  expect(errors).toContain(`Failed to mark the session "before": ${reason}`);
  expect(errors).toContain(`Failed to store the session "default": ${reason}`);
});

test('a session that cannot be stored stays in memory beside the others', async () => {
  const folder = makeFolder();
  const { server, errors } = await open(folder, { maxSessions: 2 });
  const { world } = await call(server, 'a');
  const path = join(folder, 'sessions/a.json');
  rmSync(path, { force: true });
  mkdirSync(join(path, 'folder'), { recursive: true });
  expect((await call(server, 'b')).status).toBe(200);
  expect((await call(server, 'a')).world).toBe(world);
  expect(errors).toContainEqual(expect.stringContaining('Failed to store the session "a": EISDIR'));
  rmSync(path, { recursive: true });
  expect((await call(server, 'c')).status).toBe(200);
  expect((await call(server, 'a')).world).toBe(world);
});

test('a session that cannot be read now does not begin again', async () => {
  const folder = makeFolder();
  const { server, errors } = await open(folder, { maxSessions: 2 });
  const { world } = await call(server, 'a');
  await call(server, 'b');
  const sessions = join(folder, 'sessions');
  renameSync(sessions, `${sessions}-moved`);
  writeFileSync(sessions, '');
  expect(await call(server, 'a')).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(errors).toContainEqual(expect.stringContaining('Failed to read the session "a": ENOTDIR'));
  rmSync(sessions);
  renameSync(`${sessions}-moved`, sessions);
  expect((await call(server, 'a')).world).toBe(world);
});

test('a session that is deleted is not in the store any more, wherever it was', async () => {
  const folder = makeFolder();
  const { server: first } = await open(folder);
  const { world } = await call(first, 'a');
  await first.session('b').clock.advance('1s'); // marks it as changed
  await first.sessions.delete('b');
  await first.close();
  const { server } = await open(folder);
  expect(await server.sessions.delete('a')).toBe(true);
  expect(await server.sessions.delete('b')).toBe(false);
  expect((await call(server, 'b')).status).toBe(200);
  const again = await call(server, 'a');
  expect(again.headers['x-mock-world-new']).toBe('yes');
  expect(again.world).not.toBe(world);
});

test('a server that cannot start leaves the stored sessions as they were', async () => {
  const folder = await storeSessions('s');
  const port = Number(new URL((await openServer()).url).port);
  await expect(openServer({ stateDir: folder, port })).rejects.toThrow('in use');
  const file = join(folder, 'sessions/s.json');
  const message = `Failed to use the state directory "${file}": ENOTDIR`;
  await expect(openServer({ stateDir: file })).rejects.toThrow(message);
  expect(await (await open(folder)).server.session('s').requests.count()).toBe(1);
});

test('what nobody has used for 30 days is removed at a start, and a message says how much', async () => {
  const folder = makeFolder({
    'sessions/old.json': 'x',
    'sessions/new.json': 'x',
    'sessions/new.journal': 'x',
  });
  for (const [file, beyond] of [
    ['old.json', 60],
    ['new.json', 60],
    ['new.journal', -60],
  ] as const) {
    const path = join(folder, 'sessions', file);
    const time = statSync(path).mtimeMs / 1000 - 30 * 24 * 3600 - beyond;
    utimesSync(path, time, time);
  }
  const { server, errors } = await open(folder);
  expect(errors).toEqual(['Removed sessions from the state directory: 1, unused for 30 days.']);
  expect(readFileSync(join(folder, 'sessions/new.json'), 'utf8')).toBe('x');
  expect(await server.sessions.list()).toEqual(['new', 'default']);
});
