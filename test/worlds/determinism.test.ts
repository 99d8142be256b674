import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/options.ts';
import { openGateway } from '../support/open-gateway.ts';

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

test('one record more of an exact number keeps the ids of the others', async () => {
  const idsOf = async (completed: number) => {
    const { gateway } = openGateway({ scenario: { threads: { t: { runs: { completed, queued: 2 } } } } });
    return (await gateway.records.runs.list()).map(({ id }) => id);
  };
  expect((await idsOf(6)).slice(0, 7)).toEqual(await idsOf(5));
});
