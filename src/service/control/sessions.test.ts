// The sessions of one gateway, past every transport. What a client sees of them: test/transports/sessions.test.ts.
import { describe, expect, test } from 'vitest';
import { entryWith } from '../../../test/support/journal-entry.ts';
import { setLimit } from '../../../test/support/set-limit.ts';
import { loadScenario } from '../../core/scenario/load.ts';
import { Sessions } from './sessions.ts';

const start = loadScenario({ batches: 1 });
const other = loadScenario({ batches: 2 });

const open = (maxSessions = 3) => {
  const sessions = new Sessions(start, { maxSessions, journal: 10 });
  const events: string[] = [];
  const unsubscribe = sessions.events.subscribe((session, event) => {
    events.push(`${session} ${'what' in event ? event.what : event.type}`);
  });
  return { sessions, events, unsubscribe };
};

test('a subscriber is notified of every change, until it unsubscribes', () => {
  const { sessions, events, unsubscribe } = open();
  sessions.create('a');
  sessions.delete('a');
  sessions.delete('a'); // there is none
  sessions.delete('default'); // it stays
  sessions.open('b');
  sessions.restart(other);
  expect(events).toEqual(['a made', 'a deleted', 'default reloaded', 'b reloaded']);
  unsubscribe();
  sessions.create('c');
  expect(events).toHaveLength(4);
});

describe('beyond the most that are kept', () => {
  test('the least recently used goes, but never the default one or the newest', () => {
    const { sessions, events } = open();
    sessions.open('a');
    sessions.open('b');
    sessions.open('a'); // so that b was used before it
    sessions.open('c');
    expect(sessions.names().sort()).toEqual(['a', 'c', 'default']);
    expect(events).toEqual(['b removed']);
    const tight = open(1).sessions;
    tight.open('a');
    expect(tight.names().sort()).toEqual(['a', 'default']);
    tight.open('b');
    expect(tight.names().sort()).toEqual(['b', 'default']);
  });

  test('its name is refused until it is made again', () => {
    const { sessions } = open(2);
    sessions.open('a');
    sessions.open('b');
    expect(() => sessions.open('a')).toThrow('The session "a" was removed: at most 2 sessions are kept');
    expect(sessions.resume('a')).toMatchObject({
      refusal: { status: 410, param: 'x-mock-session' },
    });
    expect(sessions.resume('b')).toBeUndefined();
    sessions.create('a');
    expect([sessions.resume('a'), sessions.open('a').isNew]).toEqual([undefined, false]);
    expect(() => sessions.open('b')).toThrow('was removed');
    expect(sessions.delete('b')).toBe(false);
    expect(sessions.open('b').isNew).toBe(true); // deleted, it is forgotten
  });

  test('so many names of those removed are remembered, the last ones', () => {
    setLimit('removedSessions', 2);
    const { sessions } = open(2);
    for (const name of ['a', 'b', 'c', 'd']) sessions.open(name);
    expect(['a', 'b', 'c', 'd'].map((name) => sessions.resume(name)?.refusal.status)).toEqual([
      undefined,
      410,
      410,
      undefined,
    ]);
  });
});

test.each<[string, (sessions: Sessions) => unknown]>([
  ['deleted', (sessions) => sessions.delete('a')],
  ['created again', (sessions) => sessions.create('a')],
  ['reloaded', (sessions) => sessions.restart(other)],
  ['removed', (sessions) => sessions.create('b')],
])('the requests of a session that was %s take no memory', (_how, end) => {
  const { sessions } = open(2);
  sessions.open('a').session.journal.add(entryWith('', 'a reply'));
  expect(sessions.memory.used).toBeGreaterThan(0);
  end(sessions);
  expect(sessions.memory.used).toBe(0);
});
