// Unknown statuses of runs and batches are refused, unless an assumption allows any.
import { describe, expect, test } from 'vitest';
import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import { shippedLibrary } from '../../src/core/scenario/library.ts';
import { loadDocument } from '../../src/core/scenario/load.ts';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { openGateway } from '../support/open-gateway.ts';

const both = { 'run-states': 'any', 'batch-states': 'any' } as const;

const kinds = [
  {
    kind: 'runs',
    states: runStates,
    assumption: 'run-states',
    path: 'threads.t.records[0].status',
    inScenario: (status: string): Scenario => ({ threads: { t: { records: [{ id: 'run_1', status }] } } }),
  },
  {
    kind: 'batches',
    states: batchStates,
    assumption: 'batch-states',
    path: 'batches.records[0].status',
    inScenario: (status: string): Scenario => ({ batches: { records: [{ id: 'batch_1', status }] } }),
  },
] as const;

describe.each(kinds)('an unknown status of $kind', ({ kind, states, assumption, path, inScenario }) => {
  const status = 'COMPLETED';
  const message = `status: unknown status "COMPLETED". Did you mean "completed"? Use one of: ${states.join(', ')}. To allow any name, set the assumption ${assumption} to "any"`;
  const fields = { id: 'mine', ...(kind === 'runs' && { thread_id: 't' }) };
  const open = (assumptions: Scenario['assumptions'] = {}) =>
    openGateway({ scenario: { ...inScenario('failed'), threads: { t: {} }, assumptions } }).gateway;

  test('is refused by create and update', async () => {
    const records = open().records[kind];
    await expect(records.create({ ...fields, status } as never)).rejects.toThrow(message);
    const { id } = await records.create(fields as never);
    await expect(records.update(id, { status } as never)).rejects.toThrow(message);
    expect(await records.get(id)).toMatchObject({ status: states[0] });
  });

  test('is accepted by both if the assumption is "any"', async () => {
    const records = open({ [assumption]: 'any' }).records[kind];
    expect(await records.create({ ...fields, status } as never)).toMatchObject({ status });
    expect(await records.update('mine', { status: 'other' } as never)).toMatchObject({ status: 'other' });
  });

  test('is refused in a scenario, with its path, unless the scenario or one that it extends allows it', () => {
    const scenario = inScenario(status);
    expect(() => openGateway({ scenario })).toThrow(`${path.replace('status', '')}${message}`);
    expect(() =>
      openGateway({ scenario: { ...scenario, assumptions: { [assumption]: 'any' } } }),
    ).not.toThrow();
    const parent = { name: 'lenient', value: { assumptions: { [assumption]: 'any' } } };
    const library = { ...shippedLibrary, scenarios: { lenient: parent } };
    const child = { name: 'child', value: { ...scenario, extends: 'lenient' } };
    expect(() => loadDocument(child, library)).not.toThrow();
    const strict = { name: 'strict', value: { ...child.value, assumptions: { [assumption]: 'known' } } };
    expect(() => loadDocument(strict, library)).toThrow(message);
  });
});

test('the assumption returns to "known" only if all statuses are', async () => {
  const { gateway } = openGateway({ scenario: { assumptions: both, threads: { t: {} } } });
  await gateway.records.batches.create({ id: 'b', status: 'succeeded' as 'completed' });
  await expect(gateway.assumptions.set('batch-states', 'known')).rejects.toThrow(
    'Failed to set the assumption "batch-states" to "known": the world has a record that it does not allow, at batches.records[0].status: unknown status "succeeded".',
  );
  await gateway.assumptions.set('run-states', 'known');
  await gateway.state.import(await gateway.state.export());
  await gateway.records.batches.delete('b');
  await gateway.assumptions.set('batch-states', 'known');
});

test('an option cannot forbid the statuses of its scenario', () => {
  const scenario: Scenario = { assumptions: both, batches: { records: [{ id: 'b', status: 'succeeded' }] } };
  expect(() => openGateway({ scenario, assume: { 'batch-states': 'known' } })).toThrow(
    'batches.records[0].status: unknown status "succeeded"',
  );
});
