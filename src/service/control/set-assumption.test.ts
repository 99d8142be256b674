import { expect, test } from 'vitest';
import { createGateway } from '../../index.ts';

const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };

test('an assumption changes at once, stays in the exported state, and returns with a reset', async () => {
  const gateway = createGateway({ scenario: { batches: 3 } });
  const read = async () => {
    const reply = await gateway.fetch(new Request('http://localhost/v1/batches?after=batch_no', { headers }));
    return reply.status;
  };
  const readValue = async () =>
    (await gateway.assumptions.list()).find(({ id }) => id === 'unknown-cursor')?.value ?? '';
  const first = await readValue();
  const status = await read();
  const other = (await gateway.assumptions.list())
    .find(({ id }) => id === 'unknown-cursor')
    ?.choices.find(([value]) => value !== first)?.[0];
  const { id } = await gateway.records.batches.create({ status: 'failed' });
  await gateway.assumptions.set('unknown-cursor', other ?? '');
  expect(await read()).not.toBe(status);
  expect(await gateway.records.batches.get(id)).toBeDefined();
  expect((await gateway.state.export()).assumptions).toEqual({ 'unknown-cursor': other });
  expect((await gateway.state.changes()).map(({ path }) => path)).toContain('assumptions.unknown-cursor');

  await gateway.assumptions.set('unknown-cursor', first);
  expect(await read()).toBe(status);
  expect((await gateway.state.export()).assumptions).toEqual({});
  await gateway.assumptions.set('unknown-cursor', other ?? '');
  await gateway.reset();
  expect(await readValue()).toBe(first);
});

test('refuses an unknown assumption and an unknown value', async () => {
  const gateway = createGateway();
  await expect(gateway.assumptions.set('unknown-cursr' as 'unknown-cursor', 'x')).rejects.toThrow(
    'Failed to set the assumption "unknown-cursr": no such assumption. Did you mean "unknown-cursor"?',
  );
  await expect(gateway.assumptions.set('unknown-cursor', 'x')).rejects.toThrow(
    'Failed to set the assumption "unknown-cursor" to "x": no such value. Use ',
  );
});
