// Waiting for requests: it never misses one that came first, needs no polling, and leaves nothing behind.

import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../src/core/journal/journal.ts';
import type { RequestFilter } from '../../src/core/journal/request-filter.ts';
import { type WaitOptions, waitFor } from '../../src/core/journal/wait-for-requests.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import { entryWith } from '../support/journal-entry.ts';
import { openGateway } from '../support/open-gateway.ts';
import { setLimit } from '../support/set-limit.ts';

const scenario = { batches: 3, threads: { thread_a: { runs: 2 } } };
const open = (journal?: number) => openGateway({ scenario, journal });

/** Whether a promise has settled once all that is ready has run. */
const watch = <Value>(promise: Promise<Value>) => {
  const seen: { value?: Value; error?: unknown } = {};
  promise.then(
    (value) => Object.assign(seen, { value }),
    (error: unknown) => Object.assign(seen, { error }),
  );
  return seen;
};

describe('a wait', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is over with the reply that makes it true, without a timer having run', async () => {
    vi.useFakeTimers(); // which nobody moves on
    const { gateway, send } = open();
    const seen = watch(gateway.requests.wait({ operation: 'listBatches' }, { count: 3 }));
    for (const path of ['/batches', '/threads/thread_a/runs', '/batches', '/nothing']) {
      send({ path });
      await nextTurn();
      expect(seen).toEqual({});
    }
    send({ path: '/batches' });
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve(); // promises alone
    expect(seen.value).toHaveLength(3);
  });

  test('counts them all where others push them out of the ring', async () => {
    const { gateway, send } = open(3);
    const waited = gateway.requests.wait({ operation: 'listBatches' }, { count: 3, timeout: 100 });
    for (const n of [1, 2, 3]) {
      send({ path: `/batches?n=${n}` });
      for (let other = 0; other < 5; other += 1) send({ path: '/threads/thread_a/runs' });
    }
    expect((await waited).map(({ query }) => query.n)).toEqual(['1', '2', '3']);
  });

  test.each<[name: string, act: (control: Control) => Promise<unknown>]>([
    ['reset', ({ reset }) => reset()],
    ['requests.clear', ({ requests }) => requests.clear()],
    ['scenario.load', (control) => control.scenario.load(scenario)],
  ])('survives %s, and counts what comes after it', async (_name, act) => {
    const { gateway, send } = open();
    const seen = watch(gateway.requests.wait({ operation: 'listBatches' }, { count: 2 }));
    send({ path: '/batches?n=1' });
    const fromNow = watch(gateway.requests.wait({}, { count: 2, from: 'now' }));
    const inVain = gateway.requests.wait({ operation: 'listBatches' }, { count: 2, timeout: 1 });
    await act(gateway);
    await expect(inVain).rejects.toThrow('0 settled within 1 ms. The last requests: none.');
    send({ path: '/batches?n=2' });
    await nextTurn();
    expect(seen).toEqual({});
    send({ path: '/batches?n=3' });
    await nextTurn();
    for (const { value } of [seen, fromNow]) expect(value?.map(({ query }) => query.n)).toEqual(['2', '3']);
  });
});

describe('a wait that is in vain', () => {
  test('reports the filter, how many requests arrived, and the last ones', async () => {
    const { gateway, send } = open();
    send({ path: '/batches?limit=2' });
    for (const path of ['/a', '/b', '/c', '/d', '/threads/thread_a/runs']) send({ path });
    await gateway.faults.add('listBatches: reset');
    const waited = gateway.requests.wait({ operation: 'listBatches' }, { count: 3, timeout: 30 });
    send({ path: '/batches' });
    await expect(waited).rejects.toThrow(
      'Failed to wait for 3 requests matching {"operation":"listBatches"}: 2 settled within 30 ms. The last requests: GET /v1/b 404; GET /v1/c 404; GET /v1/d 404; GET /v1/threads/thread_a/runs 200; GET /v1/batches lost.',
    );
  });

  test('takes as long as was said, and not longer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { gateway } = open();
    const [short, usual] = [gateway.requests.wait({}, { timeout: 250 }), gateway.requests.wait({})].map(
      watch,
    );
    await vi.advanceTimersByTimeAsync(249);
    expect([short, usual]).toEqual([{}, {}]);
    await vi.advanceTimersByTimeAsync(1);
    expect(short?.error).toBeInstanceOf(Error);
    await vi.advanceTimersByTimeAsync(4749);
    expect(usual).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(usual?.error).toBeInstanceOf(Error);
  });

  test.each<[options: object, words: string]>([
    [{ count: 0 }, 'Failed to wait for 0 requests: the number must be from 1 to 1000'],
    [{ count: 1001 }, 'Failed to wait for 1001 requests: the number must be from 1 to 1000'],
    [{ count: 1.5 }, 'count: expected a'],
    [{ timeout: -1 }, 'Failed to wait -1 ms: the timeout must be a number from 0 to 240000'],
    [{ timeout: 240_001 }, 'Failed to wait 240001 ms: the timeout must be a number from 0 to 240000'],
    [{ timeout: Number.NaN }, 'timeout: expected a '],
  ])('is refused where its options are none: %j', async (options, words) => {
    const { gateway, send } = open();
    send({ path: '/batches' });
    await expect(gateway.requests.wait({}, options)).rejects.toThrow(words);
  });
});

test('pending waits of a session are limited, and the next one may follow when one has ended', async () => {
  setLimit('waits', 2);
  const { gateway, send } = open();
  const { requests } = gateway.session('mine');
  const waits = [requests.wait(), requests.wait()];
  await expect(requests.wait()).rejects.toMatchObject({
    status: 429,
    message:
      'Failed to wait for 1 request matching {}: 2 waits of this session are pending, the maximum. Await some of them first.',
  });
  const other = gateway.requests.wait();
  send({ path: '/batches', session: 'mine' });
  send({ path: '/batches' });
  await Promise.all([...waits, other]);
  expect(await requests.wait()).toHaveLength(1);
});

describe('what a wait leaves behind', () => {
  /** A journal that counts its listeners. */
  const openJournal = () => {
    const journal = new Journal(10);
    let listening = 0;
    const { subscribe } = journal;
    journal.subscribe = (listener) => {
      const stop = subscribe.call(journal, listener);
      listening += 1;
      return () => {
        stop();
        listening -= 1;
      };
    };
    const wait = (filter: RequestFilter, options: WaitOptions) => waitFor(journal, filter, options);
    return { journal, wait, listening: () => listening };
  };

  test('is nothing: no listener and no timer, whether it ended at once, later or in vain', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { journal, wait, listening } = openJournal();
    const add = () => journal.add(entryWith(''));
    const { signal } = new AbortController();
    const later = wait({}, { count: 2, signal });
    const inVain = watch(wait({ status: 500 }, { timeout: 10, signal }));
    expect([listening(), vi.getTimerCount()]).toEqual([2, 2]);
    add();
    add();
    await later;
    expect([listening(), vi.getTimerCount()]).toEqual([1, 1]);
    await wait({}, { count: 2 });
    await expect(wait({}, { count: 11 })).rejects.toThrow();
    expect([listening(), vi.getTimerCount()]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(10);
    expect(inVain.error).toBeDefined();
    expect([listening(), vi.getTimerCount()]).toEqual([0, 0]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
