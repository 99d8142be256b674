import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { openGateway } from '../support/open-gateway.ts';
import { readPages } from '../support/scenario-calls.ts';

/** Everything that a gateway lists, page by page, as the texts that it answered. */
const readAll = async (
  options: GatewayOptions,
  paths: readonly string[],
): Promise<Record<string, string[]>> => {
  const { send } = openGateway(options);
  const seen: Record<string, string[]> = {};
  for (const path of paths)
    seen[path] = (await readPages(send, { path }, 9)).map((page) => page.replace(/ req_\w+/, ''));
  return seen;
};

const lists = [
  '/threads/thread_demo/runs',
  '/threads/thread_small/runs',
  '/batches',
  '/fine_tuning/jobs/ftjob_demo/checkpoints',
];

describe('the seed', () => {
  test('alone decides the bytes: two gateways answer the same, in whatever order one asks', async () => {
    expect(await readAll({}, lists.toReversed())).toEqual(await readAll({}, lists));
  });

  test('another one gives other bytes', async () => {
    const [first, other] = [await readAll({ seed: 42 }, lists), await readAll({ seed: 43 }, lists)];
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
