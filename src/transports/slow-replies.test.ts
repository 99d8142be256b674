import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { onceClosed } from './slow-replies.ts';

test.each([
  ['the reply', 'its connection'],
  ['its connection', 'the reply'],
])('%s may close first, and then %s: it is told once, and leaves no listener behind', (first) => {
  const socket = new EventEmitter();
  const response = Object.assign(new EventEmitter(), { req: { socket } });
  const done = vi.fn();
  onceClosed(response as unknown as ServerResponse, done); // it uses no more of it
  const both = first === 'the reply' ? [response, socket] : [socket, response];
  for (const one of both) one.emit('close');
  expect([done.mock.calls.length, socket.listenerCount('close')]).toEqual([1, 0]);
});
