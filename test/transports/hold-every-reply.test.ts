import { afterEach, describe, expect, test, vi } from 'vitest';
import { listRuns } from '../../src/core/operations/index.ts';
import { deviations } from '../support/deviations.ts';
import { openGateway } from '../support/open-gateway.ts';

/** What an operation must not answer, and what is then said of it. */
const mutants: readonly (readonly [
  title: string,
  mutate: (reply: Record<string, unknown>) => object,
  said: string,
])[] = [
  ['a missing field', ({ has_more: _, ...reply }) => reply, 'has_more'],
  ['a field that the contract does not name', (reply) => ({ ...reply, total: 257 }), 'does not name'],
  ['a text where a number belongs', (reply) => withFirst(reply, { created_at: '2026-01-15' }), 'created_at'],
  ['null where the contract has none', (reply) => withFirst(reply, { thread_id: null }), 'thread_id'],
  ['another constant', (reply) => ({ ...reply, object: 'page' }), 'object'],
];

const withFirst = (reply: Record<string, unknown>, change: object): object => {
  const [first, ...rest] = reply.data as object[]; // the list's own reply
  return { ...reply, data: [{ ...first, ...change }, ...rest] };
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('every reply is held against the contract', () => {
  const { getJson } = openGateway();

  test.each(mutants)('%s is found out', (title, mutate, said) => {
    const handle = listRuns.handle;
    vi.spyOn(listRuns, 'handle').mockImplementation((call, world) => {
      const reply: Record<string, unknown> = { ...handle(call, world) };
      return mutate(reply) as ReturnType<typeof handle>; // it is the point that it is none
    });
    getJson(`/threads/thread_demo/runs?limit=${mutants.findIndex(([one]) => one === title) + 1}`); // none is kept
    expect(deviations.splice(0).join()).toContain(said);
  });
});

// Its hooks must be there for each file of a worker, not for the first alone: in which place this one is run is chance.
test.fails('a test of any file fails where one of its replies left the contract', () => {
  deviations.push('a reply that left the contract');
});
