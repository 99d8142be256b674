import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { limits } from '../util/limits.ts';
import { readBody } from './read-body.ts';

test('a body of more than ten times the limit ends its connection', () => {
  const destroy = vi.fn();
  const request = Object.assign(new EventEmitter(), { headers: { 'transfer-encoding': 'chunked' }, destroy });
  readBody(request as unknown as IncomingMessage, {} as ServerResponse, () => {}); // it uses no more of them
  const chunk = Buffer.alloc(limits.body);
  for (let sent = 0; sent < 10; sent += 1) request.emit('data', chunk);
  expect(destroy).not.toHaveBeenCalled();
  request.emit('data', Buffer.alloc(1));
  expect(destroy).toHaveBeenCalled();
});
