// The assumption extra-fields: what a written record has beside the contract's fields.
import { expect, test } from 'vitest';
import { createGateway, type Scenario } from '../../src/index.ts';

const run = {
  id: 'run_1',
  object: 'thread.run',
  status: 'completed',
  created_at: 1_714_219_841,
  tool_resources: {},
  reasoning_effort: null,
  usage: {
    prompt_tokens: 1,
    completion_tokens: 2,
    total_tokens: 3,
    prompt_token_details: { cached_tokens: 0 },
  },
};
const kept = { 'extra-fields': 'kept' } as const;
const scenarioOf = (record: object, assumptions: Scenario['assumptions'] = {}) =>
  ({ assumptions, threads: { t: { records: [record] } } }) as Scenario;
const headers = { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v' };

test('fields that the contract lacks are refused at any depth, and the error names the switch', () => {
  expect(() => createGateway({ scenario: scenarioOf(run) })).toThrow(
    /threads\.t\.records\[0\]\.reasoning_effort: unknown key\..*set the assumption extra-fields to "kept"/s,
  );
  expect(() => createGateway({ scenario: { seedd: 1 } as Scenario })).toThrow(/^(?!.*extra-fields).*seedd/s);
});

test('where they are kept, they are returned as they were written, at any depth', async () => {
  const gateway = createGateway({ scenario: scenarioOf(run, kept) });
  const reply = await gateway.fetch('http://gateway.test/v1/threads/t/runs', { headers });
  const { data } = await reply.json();
  expect(data[0]).toMatchObject(run);
  expect(Object.keys(data[0]).slice(-2)).toEqual(['tool_resources', 'reasoning_effort']);
  const batches = {
    records: [
      {
        id: 'batch_1',
        status: 'completed',
        model: 'm',
        request_counts: { total: 1, completed: 1, failed: 0, cached: 1 },
      },
    ],
  };
  const other = createGateway({ scenario: { assumptions: kept, batches } as Scenario });
  expect(await other.records.batches.get('batch_1')).toMatchObject(batches.records[0] ?? {});
  const copy = createGateway({ scenario: await gateway.state.export() });
  expect(await copy.records.runs.get('run_1')).toEqual(await gateway.records.runs.get('run_1'));
});

test('a field of the contract of another type is refused, with its path, also where extra fields are kept', () => {
  const wrong = { ...run, usage: { ...run.usage, total_tokens: 'three' } };
  expect(() => createGateway({ scenario: scenarioOf(wrong, kept) })).toThrow(
    'threads.t.records[0].usage.total_tokens: expected a number, but found "three"',
  );
});

test('a record can be created and changed with them, and the switch stays as long as a record needs it', async () => {
  const gateway = createGateway({ scenario: { batches: 1 } });
  const { batches } = gateway.records;
  const extra = { usage: { input_tokens: 1 } } as object;
  await expect(batches.create(extra)).rejects.toThrow('usage: unknown key. Use one of: id, object, endpoint');
  await expect(batches.create(extra)).rejects.toThrow('set the assumption extra-fields to "kept"');
  await gateway.assumptions.set('extra-fields', 'kept');
  const batch = await batches.create({ id: 'batch_x', ...extra });
  expect(batch).toMatchObject(extra);
  expect(await batches.update('batch_x', { model: 'm' } as object)).toMatchObject({ ...extra, model: 'm' });
  await expect(gateway.assumptions.set('extra-fields', 'refused')).rejects.toThrow(
    'at batches.records[0].usage',
  );
  await batches.delete('batch_x');
  await gateway.assumptions.set('extra-fields', 'refused');
});
