import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Sessions } from '../control/sessions.ts';
import { loadScenario } from '../scenario/load.ts';
import { answerSocketErrors } from './socket-errors.ts';

const open = () => {
  const server = new EventEmitter() as unknown as Server; // only its events are used
  const sessions = new Sessions(loadScenario('default'), { maxSessions: 2, journal: 0 });
  answerSocketErrors(server, sessions);
  const socket = new PassThrough();
  const sent: string[] = [];
  vi.spyOn(socket, 'end').mockImplementation((text: unknown) => {
    sent.push(String(text));
    return socket;
  });
  return { server, socket, sent };
};

const codeOf = (code: string | undefined) => Object.assign(new Error(code), { code });

test.each([
  ['clientError', codeOf('HPE_HEADER_OVERFLOW'), '431 Request Header Fields Too Large', '16 KB'],
  ['clientError', codeOf('ERR_HTTP_REQUEST_TIMEOUT'), '408 Request Timeout', 'in time'],
  ['clientError', codeOf('HPE_INVALID_METHOD'), '400 Bad Request', 'HTTP request'],
  ['clientError', codeOf(undefined), '400 Bad Request', 'HTTP request'],
  ['connect', { url: `${'x'.repeat(200)}y` }, '405 Method Not Allowed', `CONNECT ${'x'.repeat(200)} is`],
])('%s (%s) is answered by %s', (event, given, status, words) => {
  const { server, socket, sent } = open();
  server.emit(event, given, socket);
  const [head = '', body = ''] = (sent[0] ?? '').split('\r\n\r\n');
  const [id = ''] = /req_\w+$/.exec(head) ?? [];
  expect(head.split('\r\n')).toEqual([
    `HTTP/1.1 ${status}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json',
    ...(status.startsWith('405') ? ['allow: GET, HEAD, POST, OPTIONS'] : []),
    `x-gateway-trace-id: ${id.replace('req', 'trace')}`,
    'x-mock-assumptions: http-syntax, error-body',
    `x-request-id: ${id}`,
  ]);
  expect(JSON.parse(body).error.message).toContain(words);
  expect(socket.emit('error', new Error('the client has disconnected'))).toBe(true);
});

test('the server closes a refused connection after 250 ms', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { server, socket } = open();
  server.emit('clientError', codeOf('x'), socket);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(250);
  expect(socket.destroyed).toBe(true);
});

test('an unknown expectation is refused', () => {
  const { server, socket, sent } = open();
  server.emit('checkExpectation', { socket });
  expect(sent[0]).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
  expect(sent[0]).toContain('100-continue');
});

test.each([
  ['is closed', { writable: false }, {}],
  ['is sending a reply', {}, { headersSent: true, writableFinished: false }],
  ['has a queued reply', {}, { headersSent: false, writableFinished: false, socket: null }],
])('a socket that %s is only destroyed', (_name, given, response) => {
  const { server, socket, sent } = open();
  for (const [name, value] of Object.entries(given)) Object.defineProperty(socket, name, { value });
  server.emit('request', { socket }, response);
  server.emit('clientError', codeOf('x'), socket);
  expect([sent, socket.destroyed]).toEqual([[], true]);
});

test.each([
  ['has sent its reply', { headersSent: true, writableFinished: true, socket: null }],
  ['still receives a body', { headersSent: false, writableFinished: false, socket: {} }],
])('a socket that %s gets the refusal', (_name, response) => {
  const { server, socket, sent } = open();
  server.emit('request', { socket }, response);
  server.emit('clientError', codeOf('x'), socket);
  expect(sent[0]).toMatch(/^HTTP\/1\.1 400 /);
});
