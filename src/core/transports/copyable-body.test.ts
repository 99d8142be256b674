import { expect, test, vi } from 'vitest';
import { CopyableBody } from './copyable-body.ts';

test('a body tells how much of it was read, at its end or when reading is cancelled', async () => {
  const pieces = [new Uint8Array(2), new Uint8Array(3)];
  const [onRead, onEnd] = [vi.fn(), vi.fn()];
  await new Response(new CopyableBody(pieces, { onRead, onEnd })).arrayBuffer();
  const reader = new CopyableBody(pieces, { onRead, onEnd }).getReader();
  await reader.read();
  expect(onEnd).toHaveBeenCalledTimes(1);
  await reader.cancel();
  expect(onRead.mock.calls).toEqual([[2], [5], [2]]);
  expect(onEnd).toHaveBeenCalledTimes(2);
});

test('a body that is aborted ends at once, also if nobody reads it', async () => {
  const controller = new AbortController();
  const onEnd = vi.fn();
  const body = new CopyableBody([new Uint8Array(2)], { onEnd, signal: controller.signal });
  controller.abort(new Error('enough'));
  expect(onEnd).toHaveBeenCalledTimes(1);
  await expect(body.getReader().read()).rejects.toThrow('enough');
});
