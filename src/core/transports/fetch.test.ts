import { expect, test, vi } from 'vitest';
import { deliver } from './fetch.ts';

test.each([
  [undefined, { outcome: 'sent', bytes: 4, status: 200 }],
  ['hang-up', { outcome: 'cut', bytes: 2, status: 200 }],
  ['reset', { outcome: 'lost', bytes: 0, status: null }],
] as const)('a reply with the break %s is reported as it arrived', async (breaks, delivered) => {
  const onSettled = vi.fn();
  const reply = { status: 200, headers: {}, body: '"ab"', delivery: { breaks, dripOver: 1 }, onSettled };
  const response = await deliver(reply, new Request('http://localhost/'));
  await response.text().catch(() => {});
  expect(onSettled.mock.calls).toEqual([[delivered]]);
});
