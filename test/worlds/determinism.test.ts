import fc from 'fast-check';
import { getResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { createGateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import type { Scenario } from '../../src/scenario/schema.ts';
import { startServer } from '../../src/server.ts';
import { keys } from '../support/faces.ts';
import { tries } from '../support/settings.ts';

/** Everything that a gateway lists, page by page, as the texts that it answered. */
const readAll = async (baseUrl: string, paths: readonly string[]): Promise<Record<string, string[]>> => {
  const seen: Record<string, string[]> = {};
  for (const path of paths) {
    const pages: string[] = [];
    for (let after = ''; ; ) {
      const text = await (await fetch(`${baseUrl}${path}?limit=50&after=${after}`, { headers: keys })).text();
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

const readServer = async (options: GatewayOptions, paths: readonly string[]) => {
  const server = await startServer(options);
  try {
    return await readAll(server.baseUrl, paths);
  } finally {
    await server.close();
  }
};

describe('the seed', () => {
  test('alone decides the bytes: two servers answer the same, in whatever order one asks', async () => {
    const first = await readServer({}, lists);
    expect(await readServer({}, lists)).toEqual(first);
    expect(await readServer({}, lists.toReversed())).toEqual(first);
  });

  test('another one gives other bytes', async () => {
    const [first, other] = [await readServer({ seed: 42 }, lists), await readServer({ seed: 43 }, lists)];
    for (const path of lists) expect(other[path]).not.toEqual(first[path]);
  });
});

/** The records of a scenario, by where they belong. They are read through MSW's handlers, without a server. */
const readScenario = async (scenario: Scenario): Promise<Record<string, string[]>> => {
  const gateway = createGateway({ scenario });
  const read = async (path: string): Promise<string[]> => {
    const request = new Request(`http://gateway.test/v1${path}?limit=100`, { headers: keys });
    const response = await getResponse([...gateway.handlers], request);
    const page = (await response?.json()) as { data: object[] } | undefined;
    return (page?.data ?? []).map((record) => JSON.stringify(record));
  };
  const paths = [
    ...Object.keys(scenario.threads ?? {}).map((id) => `/threads/${id}/runs`),
    ...Object.keys(scenario.jobs ?? {}).map((id) => `/fine_tuning/jobs/${id}/checkpoints`),
    '/batches',
  ];
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
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
  test('a thread, a run or a batch more changes no other record', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.constantFrom('thread', 'run', 'batch'), async (scenario, added) => {
        const [thread] = Object.keys(scenario.threads);
        fc.pre(added !== 'run' || thread !== undefined);
        const more: typeof scenario = structuredClone(scenario);
        if (added === 'thread') more.threads.thread_added = { runs: 5 };
        if (added === 'batch') more.batches += 1;
        if (added === 'run' && thread !== undefined)
          more.threads[thread] = { runs: (scenario.threads[thread]?.runs ?? 0) + 1 };

        const [before, after] = [await readScenario(scenario), await readScenario(more)];
        for (const [path, records] of Object.entries(before))
          expect(after[path]?.slice(0, records.length)).toEqual(records);
      }),
      tries(60),
    );
  });

  test('changing how many there are of each state in one collection changes no other collection', async () => {
    const base = {
      threads: { a: { runs: { completed: 5 } }, b: { runs: 20 } },
      batches: 20,
    } satisfies Scenario;
    const changed = {
      ...base,
      threads: { ...base.threads, a: { runs: { failed: 3, queued: 4 } } },
    } satisfies Scenario;
    const [{ '/threads/a/runs': a, ...before }, { '/threads/a/runs': b, ...after }] = [
      await readScenario(base),
      await readScenario(changed),
    ];
    expect(after).toEqual(before);
    expect(b).not.toEqual(a);
  });
});
