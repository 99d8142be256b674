import { expect, test } from 'vitest';
import { truncate } from '../util/truncate.ts';
import { toErrorBody } from './errors.ts';

test.each([
  [400, 'invalid_request_error', 'AB01'],
  [401, 'authentication_error', 'AB05'],
  [402, 'invalid_request_error', 'AB09'],
  [403, 'permission_error', 'AB03'],
  [404, 'invalid_request_error', 'AB08'],
  [405, 'invalid_request_error', 'AB00'],
  [409, 'invalid_request_error', 'AB07'],
  [410, 'invalid_request_error', 'AB00'],
  [412, 'invalid_request_error', 'AB09'],
  [413, 'invalid_request_error', 'AB01'],
  [431, 'invalid_request_error', 'AB00'],
  [429, 'rate_limit_error', 'AB06'],
  [500, 'server_error', 'AB04'],
  [503, 'server_error', 'AB00'],
])('an error of %i has the type %s and the code %s', (status, type, errorCode) => {
  expect(toErrorBody({ status, message: 'Why' })).toEqual({
    success: false,
    status: 'failure',
    message: 'Why',
    error: { message: 'Why', type, param: null, code: null },
    data: { message: 'Why', errorCode },
  });
});

test('texts are truncated after 200 characters', () => {
  expect(truncate('x'.repeat(200))).toBe('x'.repeat(200));
  expect(truncate('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});
