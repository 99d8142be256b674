import { expect, test } from 'vitest';
import { maskCredential } from '../util/mask.ts';
import { createIsCredential, credentialsIn, isKnownCredential, maskHeader } from './credentials.ts';

test.each([
  ['', '***'],
  ['x'.repeat(15), '***'],
  [`${'x'.repeat(12)}last`, '***last'],
  [`${'x'.repeat(90)}last`, '***last'],
])('of the credential "%s" is shown %s', (value, shown) => {
  expect(maskCredential(value)).toBe(shown);
});

const credentials = [
  'authorization',
  'cookie',
  'x-credential',
  'x-password',
  'client-secret',
  'x-token',
  'apikey',
  'api-key',
  'key',
  'x-key',
  'key-id',
  'my_key_2',
  'x-auth-user',
  'x-gateway-config',
];
const others = [
  'idempotency-key',
  'keyboard',
  'monkey',
  'x-monkey-2',
  'my-x-auth-user',
  'x-gateway-config-2',
  'my-x-gateway-config',
  'accept',
];

test('the headers that name a credential are masked, others are not', () => {
  const value = 'abcdefghijklmnopqrst';
  for (const times of ['first', 'again']) {
    for (const name of credentials)
      expect([times, name, maskHeader(name, value)]).toEqual([times, name, '***qrst']);
    for (const name of others) expect([times, name, maskHeader(name, value)]).toEqual([times, name, value]);
  }
});

test('finds the values of credentials, except empty ones', () => {
  expect(credentialsIn({ authorization: 'Bearer a', accept: 'b', 'x-token': '', key: 'c' })).toEqual([
    'Bearer a',
    'c',
  ]);
});

test.each([
  'access_token',
  'X-JWT',
  'x-session',
  'session_id',
  'dpop',
  'x-signature',
  'x-pass',
  'Set-Cookie',
  'clientSecret',
  'x-amz-signature',
  'sig',
])('%s is the name of a credential', (name) => {
  expect(isKnownCredential(name)).toBe(true);
});

test.each([
  'x-mock-session',
  'x-request-id',
  'traceparent',
  'after',
  'max_tokens',
  'author',
  'compass',
  'design',
  'limit',
  'model',
  'openai-beta',
])('%s is not the name of a credential', (name) => {
  expect(isKnownCredential(name)).toBe(false);
});

test('further names are masked in any case', () => {
  const isCredential = createIsCredential(['X-Tenant']);
  expect(maskHeader('x-tenant', 'abc', isCredential)).toBe('***');
  expect(maskHeader('x-tenant', 'abc')).toBe('abc');
});

test('a header whose value looks like a random token is masked, except for ids', () => {
  const value = 'aB3'.repeat(12);
  expect(maskHeader('x-unheard-of', value)).toBe('***3aB3');
  expect(maskHeader('x-request-id', value)).toBe(value);
  expect(maskHeader('x-unheard-of', 'a plain text, with A and 3, of any length')).toBe(
    'a plain text, with A and 3, of any length',
  );
});

test('a field of a form is known by its own name, or that of what it is in', () => {
  for (const name of ['user[pwd]', 'user[password]', 'auth[0][value]'])
    expect(isKnownCredential(name)).toBe(true);
  expect(createIsCredential(['tenant'])('user[tenant]')).toBe(true);
  for (const name of ['user[name]', 'conditions[0][key]']) expect(isKnownCredential(name)).toBe(false);
});

test.each(['accessKey', 'private-key', 'x-passcode', 'PHPSESSID', 'x-hmac'])(
  '%s names a credential',
  (name) => {
    expect(isKnownCredential(name)).toBe(true);
  },
);
