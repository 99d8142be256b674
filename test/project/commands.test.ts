// What holds for the commands together. The table of docs/admin-api.md lists them all.
import { expect, test } from 'vitest';
import { allCommands } from '../../src/control/control.ts';
import { openGateway } from '../support/open-gateway.ts';

test('the methods of all kinds of records are alike', () => {
  const of = (kind: string) =>
    allCommands
      .filter(({ name }) => name.startsWith(`records.${kind}.`) && name !== 'records.prompts.render')
      .map(({ name, http, writes }) => `${name} ${http} ${writes}`.replaceAll(kind, 'KIND'));
  for (const kind of ['threads', 'batches', 'jobs', 'checkpoints', 'policies', 'prompts'])
    expect(of(kind)).toEqual(of('runs'));
});

test('each method and each route is there once, and has a sentence that says what it does', () => {
  expect(new Set(allCommands.map(({ name }) => name)).size).toBe(allCommands.length);
  expect(new Set(allCommands.map(({ http }) => http)).size).toBe(allCommands.length);
  for (const { name, summary } of allCommands)
    expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/s)]);
});

test('quotas are enforced and lifted, and say which', async () => {
  const { quotas } = openGateway().gateway;
  expect(await quotas.isEnforced()).toBe(false);
  await quotas.enforce();
  expect(await quotas.isEnforced()).toBe(true);
  await quotas.lift();
  expect(await quotas.isEnforced()).toBe(false);
});

test('a run in the timeline names its thread, and a batch no owner', async () => {
  const { gateway } = openGateway({ scenario: { threads: { thread_a: { runs: 1 } }, batches: 1 } });
  const owners = (await gateway.clock.timeline()).map(({ kind, owner }) => [kind, owner]);
  expect(owners.sort()).toEqual([
    ['batches', null],
    ['runs', 'thread_a'],
  ]);
});

test('a list has up to 10,000 records without a limit, and one more needs it', async () => {
  const { records } = openGateway({ scenario: { batches: 10_000 } }).gateway;
  expect(await records.batches.list()).toHaveLength(10_000);
  await records.batches.create({});
  await expect(records.batches.list()).rejects.toThrow('Failed to list the batches: there are 10001');
  expect(await records.batches.list({ limit: 2 })).toHaveLength(2);
});
