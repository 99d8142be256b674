// Which calls a fault hits: by their ordinal, by what they carry, by a seeded share, for a time; in any process.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { tries } from '../support/settings.ts';

const small = { batches: 3, threads: { thread_a: { runs: 2 }, 'thread b': { runs: 1 } } };
const open = (options: GatewayOptions = {}) => openGateway({ scenario: small, ...options });

/** The statuses of so many calls of the batch list. */
const call = ({ send }: OpenGateway, count: number, session?: string): number[] =>
  Array.from({ length: count }, () => send({ path: '/batches', session }).status);

const hitsOf = (statuses: readonly number[]): number[] =>
  statuses.flatMap((status, index) => (status === 200 ? [] : [index + 1]));

describe('a share of the calls', () => {
  test('is decided by the seed, the rule and the ordinal alone', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 99 }), (seed, share) => {
        const faults = [`listBatches share=${share}%: 503`];
        const other = open({ seed, faults: ['listRuns: reset', ...faults] });
        for (let index = 0; index < 7; index += 1) other.send({ path: '/threads/thread_a/runs' });
        expect(call(other, 30)).toEqual(call(open({ seed, faults }), 30));
      }),
      tries(20),
    );
  });

  test('comes near to what it says, and differs with the seed and with the rule', () => {
    const hits = (seed: number, kind: string) =>
      hitsOf(call(open({ seed, faults: [`listBatches share=30%: ${kind}`] }), 300));
    const [first, second, third] = [hits(1, '503'), hits(2, '503'), hits(1, '502')];
    for (const { length } of [first, second, third]) {
      expect(length).toBeGreaterThan(60);
      expect(length).toBeLessThan(120);
    }
    expect(new Set([first, second, third].map((all) => all.join())).size).toBe(3);
  });

  test('of a delay in a range draws the same times for the same seed', () => {
    const times = (seed: number) => {
      const { send } = open({ seed, faults: ['listBatches: delay 10ms..500ms'] });
      return Array.from({ length: 20 }, () => send({ path: '/batches' }).delivery?.delay ?? 0);
    };
    expect(times(3)).toEqual(times(3));
    expect(times(3)).not.toEqual(times(4));
    expect(times(3).every((time) => time >= 10 && time <= 500)).toBe(true);
    expect(new Set(times(3)).size).toBeGreaterThan(15);
  });
});

describe('the calls that are hit', () => {
  test('are those of the range, and no others', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.nat({ max: 6 }),
        fc.constantFrom('one', 'to', 'on'),
        (from, more, form) => {
          const calls = { one: `${from}`, to: `${from}-${from + more}`, on: `${from}-` }[form];
          const to = { one: from, to: from + more, on: 15 }[form];
          const expected = Array.from({ length: 15 }, (_, index) => index + 1).filter(
            (n) => n >= from && n <= to,
          );
          expect(hitsOf(call(open({ faults: [`listBatches#${calls}: 500`] }), 15))).toEqual(expected);
        },
      ),
    );
  });

  test('end by the number of hits, and by the time of the clock', async () => {
    expect(hitsOf(call(open({ faults: ['*#2- times=3: 500'] }), 9))).toEqual([2, 3, 4]);
    for (const clause of [
      'for=10m',
      'until=2026-01-15T12:10:00Z',
      'for=1d until=2026-01-15T13:10:00+01:00',
    ]) {
      const worlds = open({ faults: [`* ${clause}: 500`] });
      expect(call(worlds, 2)).toEqual([500, 500]);
      await worlds.gateway.clock.advance('599s');
      expect(call(worlds, 1)).toEqual([500]);
      const scenario = await worlds.gateway.state.export();
      await worlds.gateway.clock.advance('1s');
      expect(call(worlds, 1)).toEqual([200]);
      const later = openGateway({ scenario });
      expect(call(later, 1)).toEqual([500]);
      await later.gateway.clock.advance('1s');
      expect(call(later, 1)).toEqual([200]);
    }
  });

  test.each([
    { clause: 'query.limit=2', path: '/batches?limit=2', other: '/batches?limit=3' },
    { clause: 'query.x=2', path: '/batches?x=1&x=2', other: '/batches?x=1&x=3' },
    { clause: 'query.after=""', path: '/batches?after=', other: '/batches' },
    { clause: 'query.after=b*c*d', path: '/batches?after=b1c2cd', other: '/batches?after=bcdx' },
    { clause: 'query.after="a b"', path: '/batches?after=a%20b', other: '/batches?after=a%2520b' },
    { clause: 'query.__proto__=1', path: '/batches?__proto__=1', other: '/batches' },
    { clause: 'header.X-Gateway-Api-Key=test-*', path: '/batches', other: undefined },
    { clause: 'header.x-mock-session=qa', path: '/batches', session: 'qa', other: undefined },
    {
      clause: 'path=/v1/threads/thread%20b/*',
      path: '/threads/thread%20b/runs',
      other: '/threads/thread_a/runs',
    },
  ])('are those like $clause', async ({ clause, path, other, session }) => {
    const { send, gateway } = open({ faults: [`* ${clause}: 418`] });
    expect(send({ path, session }).status).toBe(418);
    if (other !== undefined) expect(send({ path: other, session }).status).not.toBe(418);
    const [info] = await (session ? gateway.session(session) : gateway).faults.list();
    expect(info).toMatchObject({ calls: 1, hits: 1 });
  });
});

describe('every=N', () => {
  test('hits the calls in its range whose number is a multiple of N', () => {
    expect(hitsOf(call(open({ faults: ['listBatches#3- every=5: 503'] }), 20))).toEqual([7, 12, 17]);
    expect(hitsOf(call(open({ faults: ['listBatches every=5: 503'] }), 20))).toEqual([5, 10, 15, 20]);
    expect(hitsOf(call(open({ faults: ['listBatches#2-7 every=3: 503'] }), 20))).toEqual([4, 7]);
    expect(hitsOf(call(open({ faults: ['listBatches every=3 times=2: 503'] }), 20))).toEqual([3, 6]);
  });

  test('counts only calls that match its conditions', () => {
    const { send } = open({ faults: ['listBatches query.limit=2 every=2: 503'] });
    const limits = [2, 1, 2, 1, 2, 2];
    expect(hitsOf(limits.map((limit) => send({ path: `/batches?limit=${limit}` }).status))).toEqual([3, 6]);
  });

  test('is unused until its first call, and spent after its last', async () => {
    const opened = open({ faults: ['listBatches#1-7 every=3: 503'] });
    call(opened, 2);
    const unused = '2 calls matched, but the fault starts at call 3';
    expect(await opened.gateway.faults.list()).toMatchObject([{ unused }]);
    call(opened, 3);
    const [before] = await opened.gateway.faults.list();
    expect([before?.unused, before?.spent]).toEqual([null, undefined]);
    call(opened, 1);
    expect(await opened.gateway.faults.list()).toMatchObject([{ hits: 2, spent: true }]);
  });
});

test('a fault of a scenario that had calls counts as used only if its share has spared some', async () => {
  const lines = ['listBatches: empty-page', 'listBatches share=50%: 503', 'listBatches#3 share=50%: 503'];
  const faults = lines.map((fault, index) => ({
    fault,
    calls: 2,
    hits: 0,
    ...(index === 1 && { passed: 2 }),
  }));
  const listed = await openGateway({ scenario: { faults } }).gateway.faults.list();
  expect(listed.map(({ unused }) => unused)).toEqual([
    '2 calls matched, but the fault could not act',
    null,
    '2 calls matched, but the fault starts at call 3',
  ]);
});

describe('several faults', () => {
  test('add their delays up, and the first other one decides', async () => {
    const lines = [
      '*: delay 10ms',
      '*#2-: delay 20ms',
      '*#2: 503',
      '*#2-3: 500',
      '*#3: drip 1s',
      '*: delay 40ms',
    ];
    const { send, gateway } = open({ faults: lines });
    const seen = Array.from({ length: 4 }, () => {
      const { status, delivery, headers } = send({ path: '/batches' });
      return [status, delivery?.delay, headers['x-mock-fault']];
    });
    expect(seen).toEqual([
      [200, 50, '*: delay 10ms | *: delay 40ms'],
      [503, 30, '*: delay 10ms | *#2-: delay 20ms | *#2: 503'],
      [500, 30, '*: delay 10ms | *#2-: delay 20ms | *#2-3: 500'],
      [200, 70, '*: delay 10ms | *#2-: delay 20ms | *: delay 40ms'],
    ]);
    const listed = await gateway.faults.list();
    expect(listed.map(({ calls, hits }) => [calls, hits])).toEqual([
      [4, 4],
      [4, 3],
      [4, 1],
      [4, 1],
      [4, 0],
      [4, 2],
    ]);
    expect((await gateway.requests.list())[1]?.faults).toEqual(lines.slice(0, 3));
  });

  test('are added all or none, and taken out by id or line', async () => {
    const { faults } = open({ faults: ['listRuns: reset'] }).gateway;
    await expect(faults.add('listBatches: 503', 'listBatch: 503')).rejects.toThrow('"listBatches"?');
    expect(await faults.list()).toHaveLength(1);
    await faults.add('* share=0.5: 503', '* for=5m: 500', '*: reset');
    for (const line of ['* share=50%:  503', '* for=300s: 500', 'fault_4'])
      expect(await faults.remove(line)).toBe(true);
    expect(await faults.remove('no such')).toBe(false);
    expect((await faults.list()).map(({ fault }) => fault)).toEqual(['listRuns: reset']);
    await expect(faults.add(...Array<string>(1000).fill('*: reset'))).rejects.toThrow('at most 1000');
  });
});

test('a fault comes behind the routing and ahead of the keys', async () => {
  const { send, gateway } = openGateway({ faults: ['*: 503'] });
  const noKeys = { 'x-gateway-api-key': undefined, 'x-gateway-virtual-key': undefined };
  const preflight = { origin: 'http://page.test', 'access-control-request-method': 'GET' };
  expect(send({ path: '/nowhere' }).status).toBe(404);
  expect(send({ method: 'DELETE' }).status).toBe(405);
  for (const headers of [preflight, {}]) expect(send({ method: 'OPTIONS', headers }).status).toBe(204);
  expect(send({ session: 'no name' }).status).toBe(400);
  expect(await gateway.faults.list()).toMatchObject([{ calls: 0, hits: 0 }]);
  for (const method of ['GET', 'HEAD']) expect(send({ method, headers: noKeys }).status).toBe(503);
  expect(await gateway.faults.list()).toMatchObject([{ calls: 2, hits: 2 }]);
});

test('the header x-mock-fault is short, printable ASCII, and a page of another origin may read it', () => {
  const faults = [
    'listBatches: 503 message="Später ✓ 🎉\\n"',
    `listRuns: reply body="${'é'.repeat(9000)}"`,
    ...Array<string>(9).fill('listCheckpoints: delay 1ms'),
  ];
  const { send } = openGateway({ faults });
  const { headers } = send({ headers: { origin: 'http://page.test' } });
  expect(headers['x-mock-fault']).toBe('listBatches: 503 message="Sp\\u00e4ter \\u2713 \\ud83c\\udf89\\n"');
  expect(headers['access-control-expose-headers']?.split(', ')).toContain('x-mock-fault');
  const long = send({ path: '/threads/thread_demo/runs' });
  expect(long.headers['x-mock-fault']).toMatch(/^[\x20-\x7e]{1,2000}$/);
  const many = send({ path: '/fine_tuning/jobs/ftjob-demo/checkpoints' });
  expect(many.headers['x-mock-fault']?.split(' | ')).toHaveLength(8);
});
