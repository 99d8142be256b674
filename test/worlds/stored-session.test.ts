// A session that is written out and read again, in another gateway, continues as if nothing had happened.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, toJsonText } from '../../src/core/util/json.ts';
import { hash } from '../../src/core/world/hash.ts';
import {
  type SessionStore,
  type StoredSession,
  toStoredState,
} from '../../src/service/control/session-store.ts';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { defineCall } from '../../src/service/gateway/own-calls.ts';
import { parseValue, writeValue } from '../../src/service/server/state/files.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openGateway, type SentCall } from '../support/open-gateway.ts';
import { callsOf, smallScenario } from '../support/read-world.ts';
import { volume } from '../support/settings.ts';
import { anyChanges, change, everyChange } from '../support/worlds-changes.ts';

const open = (store?: SessionStore, options: GatewayOptions = { scenario: smallScenario }) => {
  const { gateway, commandContextOf, send: sendTo } = openGateway(options, undefined, store);
  const send = (path: string, headers: SentCall['headers'] = {}, body?: object) =>
    sendTo({ path, session: 's', headers, body });
  return { gateway, commandContextOf, send, control: gateway.session('s') };
};

type Opened = ReturnType<typeof open>;

const digest = (value: string): string => String(hash(value));

/** The session as it is stored. */
const storedOf = ({ commandContextOf }: Opened): StoredSession => {
  const session = commandContextOf('s').open();
  return { ...toStoredState(session), journal: { ...session.journal.toStored(digest), digest } };
};

/** A store with one session. */
const storeOf = (stored: StoredSession): SessionStore => ({
  read: (name) => (name === stored.name ? stored : undefined),
  noteResumed: () => {},
  noteBegun: () => {},
  storeSoon: () => {},
  put: () => true,
  remove: () => false,
  clear: () => {},
  names: () => [],
});

/** Continues with the session in another gateway, by way of JSON. */
const moveOn = (opened: Opened, options?: GatewayOptions): Opened => {
  const stored = parseJson(toJsonText(storedOf(opened))) as StoredSession; // as it was written
  const journal = stored.journal && { ...stored.journal, digest };
  return open(storeOf({ ...stored, journal }), options);
};

test('a fault of an own call that this server does not have stays, and hits nothing', async () => {
  const calls = [
    defineCall({ id: 'callOfAnotherServer', method: 'GET', path: '/other', handle: () => ({}) }),
  ];
  const first = open(undefined, { scenario: smallScenario, calls });
  await first.control.faults.add('callOfAnotherServer: 503');
  const second = moveOn(first);
  expect(second.send('/batches').status).toBe(200);
  expect((await second.control.faults.list()).map(({ fault, hits }) => [fault, hits])).toEqual([
    ['callOfAnotherServer: 503', 0],
  ]);
  await expect(second.control.faults.add('callOfAnotherServe: 503')).rejects.toThrow(
    /unknown operation "callOfAnotherServe"/i,
  );
});

test('the id of a removed fault is not used again', async () => {
  const first = open();
  await first.control.faults.add('listBatches: 503');
  await first.control.faults.clear();
  expect(await moveOn(first).control.faults.add('listBatches: 503')).toMatchObject([{ id: 'fault_2' }]);
});

/** All that a session answers, to clients and to its control; without the identity of its world, and how long calls took. */
const readAll = async ({ control, send }: Opened) => {
  const requests = await control.requests.list();
  const replies = (await callsOf(control)).map(({ path }) => send(path));
  return JSON.parse(
    JSON.stringify(
      {
        replies,
        requests,
        faults: await control.faults.list(),
        quotas: await control.quotas.list(),
        clock: await control.clock.now(),
        changes: await control.state.changes(),
        scenario: await control.scenario.current(),
        state: await control.state.export(),
      },
      (key, value) =>
        ['duration', 'receivedAt', 'x-mock-world', 'x-mock-world-new'].includes(key) ? undefined : value,
    ),
  );
};

const faults = ['listBatches#2: 500', 'listBatches share=30%: delay 1ms', 'listRuns for=2h: empty-page'];

/** Makes calls and changes; whatever it does in one gateway, it does in another one of the same state. */
const use = async ({ control, send }: Opened, steps: Parameters<typeof change>[1]): Promise<void> => {
  await control.faults.add(...faults);
  await control.faults.remove('fault_1');
  send('/batches?limit=2');
  await change(control, steps);
  send('/batches?limit=3');
  send('/threads/thread_a/runs?limit=3&before=none');
  await control.quotas.enforce();
  send('/batches');
};

describe('a session that was stored', () => {
  test('answers what it would have answered where it was, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(anyChanges, anyChanges, async (before, after) => {
        const stayed = open();
        const moved = open();
        for (const one of [stayed, moved]) await use(one, before);
        const next = moveOn(moved);
        for (const one of [stayed, next]) await use(one, after);
        expect(await readAll(next)).toEqual(await readAll(stayed));
      }),
      { numRuns: volume(100, 3) },
    );
  });

  test('keeps its world, its saved states and its counts, whatever the other gateway started with', async () => {
    const first = open(undefined, { scenario: smallScenario, seed: 7 });
    await change(first.control, everyChange);
    await first.control.state.save('before');
    await first.control.records.batches.create({});
    first.send('/batches?limit=100');
    const expected = await readAll(first);
    const { headers } = first.send('/batches');
    const second = moveOn(first, { scenario: 'large' });
    const reply = second.send('/batches');
    expect(reply.headers).toMatchObject({ 'x-mock-world': headers['x-mock-world'] });
    expect(reply.headers).not.toHaveProperty('x-mock-world-new');
    expect(await second.control.requests.count({ operation: 'listBatches' })).toBeGreaterThan(2);
    await second.control.state.restore('before');
    expect((await second.control.scenario.current()).seed).toBe(7);
    expect(expected.scenario.seed).toBe(7);
  });

  test('keeps the large integers of its prompts', async () => {
    const first = open(undefined, { scenario: 'empty' });
    const messages = [{ role: 'user', content: 'x' }];
    const parameters = { seed: (2n ** 60n) as unknown as number }; // as JSON may have it
    await first.control.records.prompts.create({ id: 'p', messages, parameters });
    const before = first.send('/prompts/p/render', {}, { variables: {} }).body;
    expect(before).toContain('1152921504606846976');
    expect(moveOn(first).send('/prompts/p/render', {}, { variables: {} }).body).toBe(before);
  });

  test('has masked journal entries, with bodies as they were shown before', async () => {
    const first = open();
    const [secret, body] = [
      'sk-0123456789abcdef',
      { variables: { name: '\uFEFFé', token: 'sk-0123456789abcdef' } },
    ];
    first.send('/prompts/prompt_a/render', { 'x-gateway-api-key': secret }, body);
    const stored = storedOf(first);
    expect(JSON.stringify(stored.journal)).not.toContain(secret);
    const shown = await first.control.requests.list();
    const second = moveOn(first);
    expect(await second.control.requests.list()).toEqual(shown);
    expect(JSON.stringify(storedOf(second).journal)).toBe(JSON.stringify(stored.journal));
  });
});

test.each([
  ['cut off', (text: string) => text.slice(0, -20), 'its file is damaged'],
  ['changed', (text: string) => text.replace('"seed":5', '"seed":6'), 'its file is damaged'],
  ['foreign', () => '{"a": 1}', 'its file is damaged'],
  ['empty', () => '', 'its file is damaged'],
  [
    'of another version',
    (text: string) => text.replace('mock 1 ', 'mock 2 '),
    'its file was written by the version 2, and this is 1',
  ],
])('a file that is %s is refused', (_, spoil, reason) => {
  const one = open();
  one.send('/batches');
  const path = join(makeFolder(), 's.json');
  writeValue(path, storedOf(one), '1');
  expect(() => parseValue(spoil(readFileSync(path, 'utf8')), '1')).toThrow(reason);
});

test('the changes of before can no longer be undone, and are counted; their numbers are not used again', async () => {
  const opened = open();
  for (let change = 0; change < 22; change += 1) await opened.control.clock.advance('1s');
  await opened.control.state.undo();
  const { control } = moveOn(opened);
  await control.clock.advance('1s');
  const { changes, dropped } = await control.state.history();
  expect([changes.map(({ id }) => id), dropped]).toEqual([[23], 21]);
});

test('an assumption that is back at its default is no change, and its uses continue', async () => {
  const opened = open();
  const first = await opened.control.state.fingerprint();
  await opened.control.assumptions.set('unknown-cursor', '400');
  await opened.control.assumptions.set('unknown-thread', 'empty-list');
  opened.send('/batches?after=none');
  const next = moveOn(opened);
  const uses = async ({ control }: Opened) =>
    (await control.assumptions.list()).filter(({ used }) => used > 0).map(({ id, used }) => [id, used]);
  expect(await uses(next)).toEqual(await uses(opened));
  expect(await uses(next)).toContainEqual(['unknown-cursor', 1]);
  await next.control.assumptions.set('unknown-cursor', '404');
  expect(await next.control.state.changes()).toEqual([
    { path: 'assumptions.unknown-thread', to: 'empty-list' },
  ]);
  await next.control.assumptions.set('unknown-thread', '404');
  expect(await next.control.state.changes()).toEqual([]);
  expect(await next.control.state.fingerprint()).toBe(first);
});

test('assumptions stand in the order of their table, in whatever order they were set', async () => {
  const texts = [];
  for (const ids of [
    ['unknown-job', 'unknown-thread'],
    ['unknown-thread', 'unknown-job'],
  ] as const) {
    const opened = open();
    for (const id of ids) await opened.control.assumptions.set(id, 'empty-list');
    texts.push(JSON.stringify(await moveOn(opened).control.state.export()));
  }
  expect(texts[0]).toBe(texts[1]);
});
