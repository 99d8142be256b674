import { expect, test } from 'vitest';
import { truncate } from '../util/truncate.ts';
import { GatewayError, refuse, toErrorBody } from './errors.ts';

test.each([
  [400, 'invalid_request_error', 'AB01'],
  [401, 'authentication_error', 'AB05'],
  [402, 'invalid_request_error', 'AB00'],
  [403, 'permission_error', 'AB03'],
  [404, 'invalid_request_error', 'AB08'],
  [405, 'invalid_request_error', 'AB00'],
  [413, 'invalid_request_error', 'AB01'],
  [415, 'invalid_request_error', 'AB01'],
  [429, 'rate_limit_error', 'AB06'],
  [499, 'invalid_request_error', 'AB00'],
  [500, 'server_error', 'AB00'],
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

test('an error has its parameter and code', () => {
  const { error } = toErrorBody({ status: 400, message: 'Why', param: 'limit', code: 'invalid_type' });
  expect(error).toMatchObject({ param: 'limit', code: 'invalid_type' });
});

test('a refusal is an error with its assumption', () => {
  const refusal = { status: 404, message: 'Invalid prompt id' };
  try {
    refuse('unknown-prompt', refusal);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({
      name: 'GatewayError',
      message: refusal.message,
      assumption: 'unknown-prompt',
      refusal,
    });
  }
});

test('texts are truncated after 200 characters', () => {
  expect(truncate('x'.repeat(200))).toBe('x'.repeat(200));
  expect(truncate('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});
