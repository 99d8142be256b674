import { describe, expect, test } from 'vitest';
import { isLoopback } from '../../core/util/loopback.ts';
import { isOpenedAsPage, refuseStranger } from './guard.ts';

const headersOf =
  (headers: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    headers[name];

const refuse = (headers: Readonly<Record<string, string>>, token?: string) =>
  refuseStranger(headersOf(headers), { isOwnHost: isLoopback, token });

test.each(['256.256.256.256', '127.0.0.1:65536', '[::1'])(
  'the host %s, which no URL can have, is refused',
  (host) => {
    expect(refuse({ host })?.message).toContain(
      `the host is "${host}". To allow it, start the server with --admin-host NAME.`,
    );
  },
);

test('a host of another name is named in the way out, without its port', () => {
  expect(refuse({ host: 'mock.example:4010' })?.message).toBe(
    'The admin API accepts requests only for localhost and --admin-host names, but the host is "mock.example:4010". To allow it, start the server with --admin-host mock.example.',
  );
  expect(refuse({})?.message).toContain('the host is ""');
});

test('a page of another site is given the reason', () => {
  expect(refuse({ host: 'localhost', 'sec-fetch-site': 'cross-site' })).toEqual({
    status: 403,
    message:
      'The admin API refuses requests from web pages of another origin (sec-fetch-site: cross-site). It accepts them from pages of localhost itself, and from programs that are not browsers.',
  });
  for (const site of ['same-origin', 'none'])
    expect(refuse({ host: 'localhost', 'sec-fetch-site': site })).toBeUndefined();
});

test('of a long header the first 200 characters are shown', () => {
  const [long, cut] = ['a'.repeat(300), `"${'a'.repeat(200)}…"`];
  expect(refuse({ host: `${long}.example` })?.message).toContain(`the host is ${cut}.`);
  expect(refuse({ host: 'localhost', origin: long })?.message).toContain(`from web pages of ${cut}.`);
});

describe('where a token is asked for', () => {
  test('the right one is let in', () => {
    expect(refuse({ host: 'localhost', authorization: 'Bearer letmein' }, 'letmein')).toBeUndefined();
  });

  test.each([
    {},
    { authorization: 'letmein' },
    { authorization: 'Bearer letmei' },
    { authorization: 'Bearer letmeinn' },
    { authorization: 'Bearer letmeiN' },
    { authorization: 'Cearer letmein' },
    // Two differences that would cancel each other out.
    { authorization: 'Bearer eltmein' },
  ])('%j is refused', (headers) => {
    expect(refuse({ host: 'localhost', ...headers }, 'letmein')).toEqual({
      status: 401,
      message: `${'authorization' in headers ? 'The admin token is wrong' : 'The admin token is missing'}: send the header authorization: Bearer TOKEN.`,
      headers: { 'www-authenticate': 'Bearer' },
    });
  });
});

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.255.1.20', true],
  ['[::1]', true],
  ['.localhost', false],
  ['evillocalhost', false],
  ['localhost.example', false],
  ['127.0.0.1.2', false],
  ['128.0.0.1', false],
  ['[::1].example', false],
])('%s is of this machine: %s', (host, isOwn) => {
  expect(isLoopback(host)).toBe(isOwn);
});

test.each([
  [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, true],
  [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, false],
  [{ 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'document' }, false],
  [{}, false],
])('what a browser asks for with %j is opened as a page: %s', (headers, isOpened) => {
  expect(isOpenedAsPage(headersOf(headers))).toBe(isOpened);
});

test('a page of the host itself is accepted, over HTTP and HTTPS', () => {
  const host = 'localhost:4010';
  for (const scheme of ['http', 'https'])
    expect(refuse({ host, origin: `${scheme}://${host}` })).toBeUndefined();
  expect(refuse({ host, origin: 'https://localhost:4011' })?.status).toBe(403);
});
