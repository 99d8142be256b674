import { expect, test } from 'vitest';
import { createGateway } from '../../src/index.ts';

test('a session goes back to normal in one change, which undo takes back as a whole', async () => {
  const gateway = createGateway({ scenario: { batches: 3, faults: ['*: 503', 'listRuns: delay 1s'] } });
  const { state, faults, quotas, assumptions, clock } = gateway;
  await quotas.enforce();
  await assumptions.set('unknown-thread', 'empty-list');
  await clock.run(60);
  const read = async () => ({
    off: (await faults.list()).map(({ off }) => off ?? false),
    isEnforced: await quotas.isEnforced(),
    thread: (await assumptions.list()).find(({ id }) => id === 'unknown-thread')?.value,
    speed: (await clock.now()).speed,
  });
  const before = await read();
  expect(before).toEqual({ off: [false, false], isEnforced: true, thread: 'empty-list', speed: 60 });
  const count = (await state.history()).changes.length;
  await state.normalize();
  expect(await read()).toEqual({ off: [true, true], isEnforced: false, thread: '404', speed: 0 });
  expect((await state.history()).changes).toHaveLength(count + 1);
  await state.undo();
  expect(await read()).toEqual(before);
});
