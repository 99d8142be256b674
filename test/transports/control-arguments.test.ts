// What the control's methods do not take: the one in process and the one over HTTP refuse it alike.

import { beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/admin/remote.ts';
import type { Control } from '../../src/control/types.ts';
import { type GatewayServer, startServer } from '../../src/server.ts';
import { shareOf } from '../support/transports.ts';

let local: GatewayServer;
let remote: Control;
beforeEach(async () => {
  const options = { scenario: 'in-flight' } as const;
  const [own, other] = await Promise.all([startServer(options), startServer(options)]);
  local = own;
  remote = connect(other.url);
  return () => Promise.all([own.close(), other.close()]);
});

const outcome = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    return `gives ${JSON.stringify(await run())}`.replace(/127\.0\.0\.1:\d+/g, 'HOST');
  } catch (error) {
    return `refuses: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

const odd: readonly unknown[] = [
  ...[undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e300, 1.5, 1n, true, [], {}, () => 1],
  ...['', ' ', 'x', '..', '.', '%', 'a/b', '__proto__', 'constructor', 'toString', '\ud800', '日本', 'a\nb'],
  ...['a?b#c', 'x'.repeat(20_000), '10m', '2026-01-15T13:00:00Z', '9999-12-31T23:59:59Z', '-0', '1e9', '5'],
  ...[{ limit: -1 }, { limit: 1.5 }, { limit: '5' }, { limit: 5 }, { limit: null }, { limit: 1e300 }],
  ...[
    { nope: 1 },
    { operation: 'listRuns', query: { 'a.b': 'c' } },
    { query: {} },
    { query: { x: '\ud800' } },
  ],
  ...[JSON.parse('{"query":{"__proto__":"1"}}'), JSON.parse('{"__proto__":"1"}'), { query: 'x' }],
  ...[{ status: '4xx' }, { status: 404 }, { status: '404' }, { status: 'nope' }, { status: null }],
  ...[{ operation: 'nope' }, { operation: 5 }, { unmatched: true }, { unmatched: 'true' }, { headers: {} }],
  ...[{ params: { thread_id: 'x' } }, { thread_id: '..' }, { thread_id: '' }, { thread_id: null }],
  ...[
    { order: 'asc', limit: 1 },
    { order: 'x' },
    { after: 'x' },
    { after: '' },
    { signal: undefined },
    cyclic,
  ],
  ...[new Date(0), new Map([['a', 1]]), { batches: undefined }, { batches: Number.NaN }, { seed: 'x' }],
];

const isPlain = (value: unknown): value is object => value?.constructor === Object;

/** A wait that finds nothing ends soon. */
const withTimeout = (value: unknown) =>
  (isPlain(value) ? { timeout: 1, ...value } : (value ?? { timeout: 1 })) as never; // what is tried may be anything

const methods: Readonly<Record<string, (control: Control, value: never) => Promise<unknown>>> = {
  'clock.advance': (control, value) => control.clock.advance(value),
  'clock.set': (control, value) => control.clock.set(value),
  'clock.run': async (control, value) => {
    await control.clock.run(value);
    await control.clock.freeze();
    return control.clock.set('2026-02-01T00:00:00Z'); // the time at which it stopped is never the same
  },
  'clock.timeline': (control, value) => control.clock.timeline(value),
  'runs.get': (control, value) => control.records.runs.get(value),
  'runs.list': (control, value) => control.records.runs.list(value),
  'batches.list': (control, value) => control.records.batches.list(value),
  'runs.create': (control, value) => control.records.runs.create(value),
  'threads.create': (control, value) => control.records.threads.create(value),
  'threads.create, its id': (control, id) => control.records.threads.create({ id }),
  'threads.get': (control, value) => control.records.threads.get(value),
  'threads.delete': (control, value) => control.records.threads.delete(value),
  'runs.update': (control, value) => control.records.runs.update(value, {}),
  'runs.update, its values': (control, value) => control.records.runs.update('run_nobody', value),
  'runs.delete': (control, value) => control.records.runs.delete(value),
  'prompts.render': (control, value) => control.records.prompts.render(value, {}),
  'prompts.render, its variables': (control, value) => control.records.prompts.render('prompt_x', value),
  'faults.add': (control, value) => control.faults.add(value),
  'faults.remove': (control, value) => control.faults.remove(value),
  'requests.list': (control, value) => control.requests.list(value),
  'requests.list, its options': (control, value) => control.requests.list({}, value),
  'requests.get': (control, value) => control.requests.get(value),
  'requests.count': (control, value) => control.requests.count(value),
  'requests.wait': (control, value) => control.requests.wait(value, { timeout: 1 }),
  'requests.wait, its options': (control, value) => control.requests.wait({}, withTimeout(value)),
  'requests.walk': (control, value) => control.requests.walk(value),
  'requests.walk, its options': (control, value) => control.requests.walk('listRuns', value),
  'state.save': (control, value) => control.state.save(value),
  'state.restore': (control, value) => control.state.restore(value),
  'state.import': (control, value) => control.state.import(value),
  'scenario.load': (control, value) => control.scenario.load(value),
  'sessions.create': (control, value) => control.sessions.create(value),
  'sessions.create, from a session': (control, value) => control.sessions.create('s1', { session: value }),
  'sessions.create, from a scenario': (control, value) => control.sessions.create('s1', { scenario: value }),
  'sessions.create, its options': (control, value) => control.sessions.create('s1', value),
  'sessions.delete': (control, value) => control.sessions.delete(value),
};

/** In full, each method is given each value; otherwise a sixth of them, and the methods together all. */
const given = Object.entries(methods).map(
  ([name, run], index) => [name, run, shareOf(odd, index % 6, 6)] as const,
);

test.each(given)(
  '%s is the same in process and over HTTP, whatever it is given',
  async (_name, run, values) => {
    for (const value of values) {
      const shown = `${typeof value} ${typeof value === 'bigint' ? value : String(value).slice(0, 60)}`;
      const [here, there] = [
        await outcome(() => run(local, value as never)),
        await outcome(() => run(remote, value as never)),
      ];
      expect([shown, there]).toEqual([shown, here]);
    }
  },
);

test.each<[string, (control: Control) => Promise<unknown>, string]>([
  [
    'an unknown key',
    ({ records }) => records.runs.list({ thread: 'x' } as never),
    'Failed to call records.runs.list: thread: unknown key. Did you mean "thread_id"?',
  ],
  [
    'a number instead of options',
    ({ requests }) => requests.wait({}, 100 as never),
    'Failed to call requests.wait: argument 2: expected an object, but found a number.',
  ],
  [
    'nothing instead of a scenario',
    ({ state }) => state.import(undefined as never),
    'Failed to call state.import: scenario: missing',
  ],
  [
    'an id that is half of a character',
    ({ records }) => records.threads.create({ id: 'a\ud800' }),
    'id: "a\\ud800" is not a valid id: it must be well-formed text',
  ],
  [
    'metadata called so',
    ({ records }) => records.batches.create({ metadata: JSON.parse('{"__proto__":"x"}') }),
    'metadata.__proto__: the key __proto__ is not allowed',
  ],
])('%s is refused in words', async (_title, run, words) => {
  await expect(run(local)).rejects.toThrow(words);
  await expect(run(remote)).rejects.toThrow(words);
});

test('what is no signal is refused before anything waits for it', async () => {
  for (const control of [local, remote])
    for (const signal of [5, {}, new AbortController()])
      await expect(
        control.requests.wait({}, { signal: signal as AbortSignal, timeout: 50 }), // as JavaScript may give it
      ).rejects.toThrow(/^Failed to call requests.wait: .*signal: /);
});

test('a wait that is given up ends with the reason of its signal', async () => {
  const reason = new Error('mine');
  for (const control of [local, remote])
    await expect(control.requests.wait({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('what nests deeper than HTTP would take is refused alike', async () => {
  let variables = {};
  for (let level = 0; level < 450; level += 1) variables = { a: variables };
  for (const control of [local, remote])
    await expect(control.records.prompts.render('prompt_welcome', variables)).rejects.toThrow(
      'it contains itself, or nests too deeply: the maximum is 400 levels',
    );
});

test('more faults than a world has are refused alike, and an empty scenario is one', async () => {
  const lines = Array.from({ length: 1001 }, () => '*: 503');
  for (const control of [local, remote]) {
    await expect(control.faults.add(...lines)).rejects.toThrow('a world has at most 1000');
    await control.state.import({});
    expect(await control.records.threads.list()).toEqual([]);
  }
});

test('any text is a name: of a state, of a fault, of an id', async () => {
  for (const control of [local, remote])
    for (const name of ['..', '\ud800', 'a/b?c#d', '%zz', '\u{1f600}'.repeat(200)]) {
      await control.state.save(name);
      expect((await control.state.list()).map((saved) => saved.name)).toContain(name);
      expect(await control.faults.remove(name)).toBe(false);
      expect(await control.requests.get(name)).toBeUndefined();
    }
});

describe('over HTTP alone', () => {
  const post = (path: string, body: string): Promise<Response> =>
    fetch(`${local.adminUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });

  const example = 'An example: POST /__admin/state/import {"scenario":{"extends":"in-flight","seed":7}}';

  test.each([
    ['/state/import', '', `Failed to call state.import: scenario: missing: expected a mapping. ${example}`],
    [
      '/state/import',
      '[{"threads":{"__proto__":{"runs":3}}}]',
      'threads.__proto__: the key __proto__ is not',
    ],
    ['/scenario/load', '{"scenario":{"prompts":{"__proto__":"p"}}}', 'the key __proto__ is not allowed'],
    ['/clock/set', '{"now":0,"xyzzy":1}', 'Failed to call clock.set: xyzzy: unknown key. Use one of: now.'],
    ['/clock/set', '{"nwo":0}', 'nwo: unknown key. Did you mean "now"?'],
  ])('%s refuses %s in words', async (path, body, words) => {
    const reply = await post(path, body);
    expect(reply.status).toBe(400);
    expect((await reply.json()).error.message).toContain(words);
  });

  test.each([
    ['/clock/advance', '{"by":"10m"}', '["10m"]'],
    ['/clock/run', '', '[]'],
    ['/faults/add', '{"faults":["*: 503","*: 500"]}', '["*: 503","*: 500"]'],
    ['/requests/list', '{"operation":"listRuns","limit":2}', '[{"operation":"listRuns"},{"limit":2}]'],
    ['/requests/list', '{"limit":2}', '[null,{"limit":2}]'],
  ])('%s takes %s by name, and %s by position', async (path, ...bodies) => {
    for (const body of bodies) expect((await post(path, body)).status).toBe(200);
  });
});

test('errors begin with the line of the caller, in process and over HTTP', async () => {
  for (const control of [local, remote]) {
    const addFault = () => control.faults.add('listRunz: 500');
    const waitInVain = () => control.requests.wait({ operation: 'listRuns' }, { timeout: 1 });
    for (const call of [addFault, waitInVain]) {
      const error = await call().catch((reason: unknown) => reason);
      const [frame = ''] = /^ {4}at .*$/m.exec(error instanceof Error ? String(error.stack) : '') ?? [];
      expect(frame).toContain(`at ${call.name} (`);
    }
  }
});
