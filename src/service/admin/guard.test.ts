import { describe, expect, test } from 'vitest';
import { isLoopback } from '../../core/util/loopback.ts';
import { whyRefused } from './guard.ts';

const headersOf =
  (headers: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    headers[name];

const refuse = (headers: Readonly<Record<string, string>>, token?: string) =>
  whyRefused(headersOf(headers), { isOwnHost: isLoopback, token });

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
