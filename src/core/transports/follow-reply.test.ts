import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { onceClosed } from './follow-reply.ts';

test('a reply that has closed is reported once, and leaves no listener on its connection, which may stay open', () => {
  const socket = new EventEmitter();
  const response = Object.assign(new EventEmitter(), { req: { socket } });
  const done = vi.fn();
  onceClosed(response as unknown as ServerResponse, done); // it uses no more of it
  response.emit('close');
  expect(socket.listenerCount('close')).toBe(0);
  socket.emit('close');
  expect(done).toHaveBeenCalledTimes(1);
});
