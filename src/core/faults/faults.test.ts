import { expect, test } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';

test('a fault that is switched off stays off when its line changes', async () => {
  const { faults } = openGateway({ faults: ['listRuns: 503'] }).gateway;
  await faults.update('fault_1', { off: true });
  const fault = 'listRuns: 500';
  expect(await faults.update('fault_1', { fault })).toMatchObject({ fault, off: true });
});
