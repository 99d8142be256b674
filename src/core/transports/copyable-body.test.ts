import { expect, test, vi } from 'vitest';
import { CopyableBody } from './copyable-body.ts';

test('a body tells how much of it was read, at its end or when reading is cancelled', async () => {
  const pieces = [new Uint8Array(2), new Uint8Array(3)];
  const onEnd = vi.fn();
  await new Response(new CopyableBody(pieces, { onEnd })).arrayBuffer();
  const reader = new CopyableBody(pieces, { onEnd }).getReader();
  await reader.read();
  await reader.cancel();
  expect(onEnd.mock.calls).toEqual([[5], [2]]);
});
