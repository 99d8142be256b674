import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/options.ts';
import type { Scenario } from '../../src/scenario/types.ts';
import { openGateway } from '../support/open-gateway.ts';
import { tries } from '../support/settings.ts';

/** Everything that a gateway lists, page by page, as the texts that it answered. */
const readAll = (options: GatewayOptions, paths: readonly string[]): Record<string, string[]> => {
  const { send } = openGateway(options);
  const seen: Record<string, string[]> = {};
  for (const path of paths) {
    const pages: string[] = [];
    for (let after = ''; ; ) {
      const text = send({ path: `${path}?limit=50&after=${after}` }).body ?? '';
      pages.push(text);
      const { has_more, last_id } = JSON.parse(text) as { has_more: boolean; last_id: string };
      if (!has_more) break;
      after = last_id;
    }
    seen[path] = pages;
  }
  return seen;
};

const lists = [
  '/threads/thread_demo/runs',
  '/threads/thread_small/runs',
  '/batches',
  '/fine_tuning/jobs/ftjob_demo/checkpoints',
];

describe('the seed', () => {
  test('alone decides the bytes: two gateways answer the same, in whatever order one asks', () => {
    const first = readAll({}, lists);
    expect(readAll({}, lists)).toEqual(first);
    expect(readAll({}, lists.toReversed())).toEqual(first);
  });

  test('another one gives other bytes', () => {
    const [first, other] = [readAll({ seed: 42 }, lists), readAll({ seed: 43 }, lists)];
    for (const path of lists) expect(other[path]).not.toEqual(first[path]);
  });
});

/** The records of a scenario, by where they belong. */
const readScenario = (scenario: Scenario): Record<string, string[]> => {
  const { getJson } = openGateway({ scenario });
  const paths = [
    ...Object.keys(scenario.threads ?? {}).map((id) => `/threads/${id}/runs`),
    ...Object.keys(scenario.jobs ?? {}).map((id) => `/fine_tuning/jobs/${id}/checkpoints`),
    '/batches',
  ];
  const read = (path: string): string[] =>
    getJson(`${path}?limit=100`).data.map((record: object) => JSON.stringify(record));
  return Object.fromEntries(paths.map((path) => [path, read(path)]));
};

const scenarios = fc.record({
  seed: fc.nat(),
  threads: fc.dictionary(fc.stringMatching(/^thread_[a-z]{1,3}$/), fc.record({ runs: fc.nat({ max: 30 }) }), {
    maxKeys: 3,
  }),
  batches: fc.nat({ max: 30 }),
  jobs: fc.dictionary(
    fc.stringMatching(/^ftjob_[a-z]{1,3}$/),
    fc.record({ checkpoints: fc.nat({ max: 12 }) }),
    { maxKeys: 2 },
  ),
});

describe('adding a record', () => {
  test('a thread, a run or a batch more changes no other record', () => {
    fc.assert(
      fc.property(scenarios, fc.constantFrom('thread', 'run', 'batch'), (scenario, added) => {
        const [thread] = Object.keys(scenario.threads);
        fc.pre(added !== 'run' || thread !== undefined);
        const more: typeof scenario = structuredClone(scenario);
        if (added === 'thread') more.threads.thread_added = { runs: 5 };
        if (added === 'batch') more.batches += 1;
        if (added === 'run' && thread !== undefined)
          more.threads[thread] = { runs: (scenario.threads[thread]?.runs ?? 0) + 1 };

        const [before, after] = [readScenario(scenario), readScenario(more)];
        for (const [path, records] of Object.entries(before))
          expect(after[path]?.slice(0, records.length)).toEqual(records);
      }),
      tries(60),
    );
  });
});

test('one record more of an exact number keeps the ids of the others', async () => {
  const idsOf = async (completed: number) => {
    const { gateway } = openGateway({ scenario: { threads: { t: { runs: { completed, queued: 2 } } } } });
    return (await gateway.records.runs.list()).map(({ id }) => id);
  };
  expect((await idsOf(6)).slice(0, 7)).toEqual(await idsOf(5));
});
