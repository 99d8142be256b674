import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answerSocketErrors } from './socket-errors.ts';

const refuse = (code: string | undefined, connection: object = { bytesWritten: 0 }, reply?: object) => {
  const server = new EventEmitter() as unknown as Server; // only its events are used
  answerSocketErrors(server);
  const socket = new PassThrough();
  if (reply !== undefined) server.emit('request', { socket }, reply);
  const end = vi.spyOn(socket, 'end').mockReturnValue(socket);
  for (const [name, value] of Object.entries(connection)) Object.defineProperty(socket, name, { value });
  server.emit('clientError', Object.assign(new Error(code), { code }), socket);
  return { socket, sent: end.mock.calls.map(([text]) => String(text)) };
};

test.each([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', '16 KB'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'in time'],
  ['HPE_INVALID_METHOD', '400 Bad Request', 'HTTP request'],
  [undefined, '400 Bad Request', 'HTTP request'],
])('%s is answered by %s', (code, status, words) => {
  const [text = ''] = refuse(code).sent;
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual([
    `HTTP/1.1 ${status}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json',
    'x-mock-assumptions: error-body',
  ]);
  expect(JSON.parse(body).error.message).toContain(words);
});

test('a client that does not close its side of a refused connection is disconnected soon', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { socket } = refuse('x');
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(250);
  expect(socket.destroyed).toBe(true);
});

test.each([
  ['is closed', { writable: false }, undefined],
  ['has had a reply', { bytesWritten: 1 }, { writableFinished: true }],
])('a socket that %s is only destroyed', (_name, connection, reply) => {
  const { sent, socket } = refuse('x', connection, reply);
  expect([sent, socket.destroyed]).toEqual([[], true]);
});

test('headers that are too large are answered after a reply that has ended, not within one', () => {
  const countSent = (writableFinished: boolean) =>
    refuse('HPE_HEADER_OVERFLOW', { bytesWritten: 1 }, { writableFinished }).sent.length;
  expect([countSent(true), countSent(false)]).toEqual([1, 0]);
});
