import { expect, test } from 'vitest';
import { openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { change, everyChange } from '../support/worlds-changes.ts';

const open = () => openGateway({ scenario: smallScenario }).gateway;

test('the fingerprint is that of the export: kept by what only reads, another one after any change', async () => {
  const gateway = open();
  const start = await gateway.state.fingerprint();
  expect(start).toMatch(/^[0-9a-f]{16}$/);
  await change(gateway, everyChange);
  const exported = await gateway.state.export();
  const changed = await gateway.state.fingerprint();
  expect(changed).not.toBe(start);
  await gateway.records.runs.list();
  await gateway.quotas.list();
  expect(await gateway.state.fingerprint()).toBe(changed);
  const other = openGateway().gateway;
  await other.state.import(Object.fromEntries(Object.entries(exported).reverse()));
  expect(await other.state.fingerprint()).toBe(changed);
  await gateway.fetch(new Request('http://gateway.test/v1/batches'));
  expect(await gateway.state.fingerprint()).toBe(changed); // the number of requests is no part of it
});
