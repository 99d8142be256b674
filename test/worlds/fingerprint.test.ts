import { describe, expect, test } from 'vitest';
import { openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { change, everyChange } from '../support/worlds-changes.ts';

const open = () => openGateway({ scenario: smallScenario }).gateway;

describe('the fingerprint of a state', () => {
  test('is that of every world with the same export, whatever the order of its keys', async () => {
    const { state } = open();
    const exported = await state.export();
    const fingerprint = await state.fingerprint();
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    const other = openGateway().gateway;
    await other.state.import(Object.fromEntries(Object.entries(exported).reverse()));
    expect(await other.state.fingerprint()).toBe(fingerprint);
  });

  test('is kept by an export, an import, and what only reads, after everything was changed', async () => {
    const gateway = open();
    const start = await gateway.state.fingerprint();
    await change(gateway, everyChange);
    const exported = await gateway.state.export();
    const changed = await gateway.state.fingerprint();
    expect(changed).not.toBe(start);
    await gateway.records.runs.list();
    await gateway.quotas.list();
    expect(await gateway.state.fingerprint()).toBe(changed);
    await gateway.fetch(new Request('http://gateway.test/v1/batches')); // the count of requests is a part of the state
    expect(await gateway.state.fingerprint()).not.toBe(changed);
    const other = openGateway().gateway;
    await other.state.import(exported);
    expect(await other.state.fingerprint()).toBe(changed);
  });
});
