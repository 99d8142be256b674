// The values of seeded records.
import { expect, test } from 'vitest';
import { hash } from '../../src/core/world/hash.ts';
import { openGateway } from '../support/open-gateway.ts';

const ids = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}_${at}`);

const { records } = openGateway({
  scenario: {
    seed: 7,
    threads: {
      ...Object.fromEntries(ids('thread', 30).map((id) => [id, { runs: 24 }])),
      ...Object.fromEntries(ids('waiting', 12).map((id) => [id, { runs: { requires_action: 12 } }])),
    },
    batches: 700,
    jobs: Object.fromEntries(ids('job', 40).map((id) => [id, { checkpoints: 12 }])),
    policies: { seeded: 300 },
  },
}).gateway;

// Other values here mean other bytes in the replies of all scenarios: users' tests may rest on them.
test('the values of seeded records are these', async () => {
  const digestOf = (all: readonly object[]) => hash(JSON.stringify(all));
  expect({
    runs: digestOf(await records.runs.list()),
    batches: digestOf(await records.batches.list()),
    checkpoints: digestOf(await records.checkpoints.list()),
    policies: digestOf(await records.policies.list()),
  }).toEqual({ runs: 3286184930, batches: 1035251171, checkpoints: 3189538015, policies: 4210815445 });
});

test('another seed gives other values', async () => {
  const idsOf = async (seed: number) => {
    const { gateway } = openGateway({ seed });
    return (await gateway.records.batches.list()).map(({ id }) => id);
  };
  expect(await idsOf(43)).not.toEqual(await idsOf(42));
});

test('related fields of a seeded record are consistent', async () => {
  const endpoints = new Map(
    (await records.batches.list()).map((one) => [one.metadata?.description, one.endpoint]),
  );
  endpoints.delete(undefined);
  expect(Object.fromEntries(endpoints)).toEqual({
    'call transcript summaries': '/v1/responses',
    'nightly evaluation': '/v1/chat/completions',
    'product catalogue embeddings': '/v1/embeddings',
    'review sentiment, weekly': '/v1/chat/completions',
    'ticket triage backfill': '/v1/chat/completions',
    'translation of help articles': '/v1/responses',
  });

  for (const { type, value, workspace_id, conditions } of await records.policies.list()) {
    expect(value >= 1000).toBe(type === 'tokens');
    expect(conditions?.[0]).toEqual({ key: 'workspace_id', value: workspace_id });
  }

  for (const { model, temperature, top_p, tools } of await records.runs.list()) {
    if (model === 'o3-mini') expect([temperature, top_p]).toEqual([1, 1]);
    for (const tool of tools) {
      const { name, parameters } = Object(Object(tool).function);
      if (name !== undefined)
        expect([name, Object.keys(parameters.properties), parameters.additionalProperties]).toEqual([
          name,
          parameters.required,
          false,
        ]);
    }
  }
});
