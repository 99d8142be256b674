// Batches that are written through the control.
import { expect, test } from 'vitest';
import { openGateway } from '../../../../test/support/open-gateway.ts';

test('a record with an id of its own leaves the ids of later records as they are', async () => {
  const [one, other] = [openGateway().gateway, openGateway().gateway];
  await one.records.batches.create({ id: 'batch_own' });
  const next = await one.records.batches.create({});
  expect(next.id).toBe((await other.records.batches.create({})).id);
});

test('an expired batch of the first day of 1970 was not created before it', async () => {
  const { records } = openGateway({ scenario: { clock: { start: '1970-01-01T12:00:00Z' } } }).gateway;
  expect(await records.batches.create({ status: 'expired' })).toMatchObject({ created_at: 0 });
});
