// What the control's methods do not take: the one in process and the one over HTTP refuse it alike.

import { describe, expect, test } from 'vitest';
import { connect } from '../../src/service/client/connect.ts';
import { allCommands } from '../../src/service/control/control.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import { openServer } from '../support/open-gateway.ts';
import { shareOf } from '../support/transports.ts';

/** A server, with its control in process and the one over HTTP. */
const open = async () => {
  const server = await openServer({ scenario: 'in-flight' });
  const remote: Control = connect(server.url);
  return { server, remote, controls: [server, remote] };
};

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
  ...[
    undefined,
    null,
    Number.NaN,
    -1,
    0,
    1e300,
    1.5,
    1n,
    true,
    [],
    {},
    () => 1,
    new Date(0),
    new Map(),
    cyclic,
  ],
  ...['', 'x', '..', '%', 'a/b?c#d', '__proto__', 'constructor', '\ud800', '日本', 'a\nb', '10m', '1e9', '5'],
  ...['2026-01-15T13:00:00Z', '9999-12-31T23:59:59Z', 'x'.repeat(20_000), { nope: 1 }, { signal: undefined }],
  ...[-1, 1.5, '5', 5, null, 1e300].map((limit) => ({ limit })),
  ...['4xx', 404, 'nope', null].map((status) => ({ status })),
  ...['x', {}, { x: '\ud800' }, { 'a.b': 'c' }, JSON.parse('{"__proto__":"1"}')].map((query) => ({ query })),
  ...[{ operation: 'nope' }, { unmatched: 'true' }, { params: { thread_id: 'x' } }, { thread_id: '' }],
  ...[{ order: 'x' }, { after: 'x' }, { batches: undefined }, { seed: 'x' }, JSON.parse('{"__proto__":"1"}')],
];

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** The method of a control by its name. */
const methodOf = (control: Control, name: string): Method =>
  name.split('.').reduce<unknown>((part, key) => Reflect.get(Object(part), key), control) as Method; // by its name

/** Each argument of each command, and the options behind them; the other arguments are those of its example. */
const places = allCommands
  .filter(({ name }) => name !== 'clock.run') // the time at which it stops is never the same
  .flatMap(({ name, args, example, schema }) =>
    Object.keys(schema().shape)
      .slice(0, args.length + 1)
      .map((_, at) => ({
        title: `${name}, argument ${at + 1}`,
        name,
        given: (value: unknown) => {
          const given: unknown[] = args.map((arg) => example[arg]);
          given[at] = value;
          return name === 'requests.wait' ? [...given, { timeout: 1 }] : given; // one that finds nothing ends soon
        },
      })),
  );

test('every method is the same in process and over HTTP, whatever it is given', async () => {
  const [{ server }, { remote }] = [await open(), await open()];
  for (const [index, { title, name, given }] of places.entries())
    for (const value of shareOf(odd, index % 30, 30)) {
      const shown = `${title}: ${typeof value === 'bigint' ? value : String(value).slice(0, 60)}`;
      const [here, there] = [
        await outcome(() => methodOf(server, name)(...given(value))),
        await outcome(() => methodOf(remote, name)(...given(value))),
      ];
      expect([shown, there]).toEqual([shown, here]);
    }
});

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
  for (const control of (await open()).controls) await expect(run(control)).rejects.toThrow(words);
});

test('what is no signal is refused before anything waits for it', async () => {
  for (const control of (await open()).controls)
    for (const signal of [5, {}, new AbortController()])
      await expect(
        control.requests.wait({}, { signal: signal as AbortSignal, timeout: 50 }), // as JavaScript may give it
      ).rejects.toThrow(/^Failed to call requests.wait: .*signal: /);
});

test('a wait that is given up ends with the reason of its signal', async () => {
  const reason = new Error('mine');
  for (const control of (await open()).controls)
    await expect(control.requests.wait({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('any text is a name: of a state, of a fault, of an id', async () => {
  for (const control of (await open()).controls)
    for (const name of ['..', '\ud800', 'a/b?c#d', '%zz', '\u{1f600}'.repeat(200)]) {
      await control.state.save(name);
      expect((await control.state.list()).map((saved) => saved.name)).toContain(name);
      expect(await control.faults.remove(name)).toBe(false);
      expect(await control.requests.get(name)).toBeUndefined();
    }
});

describe('over HTTP alone', () => {
  const post = async (path: string, body: string): Promise<Response> => {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${(await open()).server.adminUrl}${path}`, { method: 'POST', headers, body });
  };

  test.each([
    [
      '/state/import',
      '',
      'Failed to call state.import: scenario: missing: expected an object. An example: POST',
    ],
    [
      '/state/import',
      '[{"threads":{"__proto__":{"runs":3}}}]',
      'threads.__proto__: the key __proto__ is not',
    ],
    ['/clock/set', '{"nwo":0}', 'nwo: unknown key. Did you mean "now"?'],
  ])('%s refuses %s in words', async (path, body, words) => {
    const reply = await post(path, body);
    expect(reply.status).toBe(400);
    expect((await reply.json()).error.message).toContain(words);
  });
});

test('errors begin with the line of the caller, in process and over HTTP', async () => {
  for (const control of (await open()).controls) {
    const addFault = () => control.faults.add('listRunz: 500');
    const waitInVain = () => control.requests.wait({ operation: 'listRuns' }, { timeout: 1 });
    for (const call of [addFault, waitInVain]) {
      const error = await call().catch((reason: unknown) => reason);
      const [frame = ''] = /^ {4}at .*$/m.exec(error instanceof Error ? String(error.stack) : '') ?? [];
      expect(frame).toContain(`at ${call.name} (`);
    }
  }
});
