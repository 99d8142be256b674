// What a server sees of it: test/transports/state-dir.test.ts.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { entryOf } from '../../../../test/support/journal-entry.ts';
import { makeFolder } from '../../../../test/support/make-folder.ts';
import { loadScenario } from '../../../core/scenario/load.ts';
import { Sessions } from '../../control/sessions.ts';
import { StateDir } from './state-dir.ts';

const open = async (maxSessions = 10) => {
  const folder = makeFolder();
  const directory = await StateDir.open(folder, '1.0.0', () => {});
  onTestFinished(() => directory.close());
  const sessions = new Sessions(loadScenario({}), { maxSessions, journal: 1 }, directory);
  return { folder, directory, sessions };
};

test('while sessions are written at the end, the process does its other work, such as updating the lock', async () => {
  const { directory, sessions } = await open();
  for (const name of ['a', 'b']) sessions.create(name);
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const turns = new Set<number>();
  vi.spyOn(directory, 'put').mockImplementation(() => turns.add(turn).size > 0);
  await directory.close(sessions.inMemory.values());
  clearImmediate(counting);
  expect(turns.size).toBe(3);
});

test('a session that cannot be written is tried again each second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { folder, sessions } = await open();
  const { session } = sessions.open('a');
  mkdirSync(join(folder, 'sessions/a.json/folder'), { recursive: true }); // no file can have its name
  const tries = vi.spyOn(session.state.faults, 'toScenario');
  vi.advanceTimersByTime(999);
  const before = tries.mock.calls.length;
  vi.advanceTimersByTime(3000);
  expect([before, tries.mock.calls.length]).toEqual([1, 4]);
});

test("masked values are compared after a restart, and stand in no file; the key of their digests is its owner's alone", async () => {
  const { folder, directory, sessions } = await open(2);
  const secret = 'sk-0123456789';
  const { session } = sessions.open('a');
  const body = new TextEncoder().encode(`{"password":"${secret}"}`);
  session.journal.add(entryOf({ headers: () => ({ authorization: secret }), body }));
  await directory.close(sessions.inMemory.values());
  const files = ['key', 'sessions/a.journal'].map((file) => join(folder, file));
  expect(files.map((file) => readFileSync(file, 'utf8')).join()).not.toContain(secret);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600);

  const next = await StateDir.open(folder, '1.0.0', () => {});
  onTestFinished(() => next.close());
  const { journal } = new Sessions(loadScenario({}), { maxSessions: 2, journal: 1 }, next).open('a').session;
  const count = (value: string) =>
    journal.list({ headers: { authorization: value }, body: { password: value } }).length;
  expect([count(secret), count('another')]).toEqual([1, 0]);
});

test('a session that is created again has nothing of the stored one', async () => {
  const { folder, sessions } = await open(2);
  for (const name of ['a', 'b']) sessions.open(name); // the second one leaves no room for the first one
  const hasJournal = () => existsSync(join(folder, 'sessions/a.journal'));
  expect(hasJournal()).toBe(true);
  sessions.create('a');
  expect(hasJournal()).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'a directory in which nothing can be made is refused at once',
  async () => {
    const opened = StateDir.open('/proc/gateway-mock/state', '1.0.0', () => {});
    await expect(opened).rejects.toThrow(
      /^Failed to use the state directory "\/proc\/gateway-mock\/state": ENOENT.*Choose a directory that can be written\.$/,
    );
  },
);
