import { describe, expect, test } from 'vitest';
import { GatewayError } from './errors.ts';
import { decodeParams, decodeWherePossible, fillPath, fromSession, splitSession } from './paths.ts';
import { isSessionName } from './session-name.ts';

test.each([
  ['/v1/batches', undefined, '/v1/batches'],
  ['/sessions/a/v1/batches', 'a', '/v1/batches'],
  ['/sessions/a/', 'a', '/'],
  ['/sessions//v1', '', '/v1'],
  ['/sessions/a/v1/x\ny', 'a', '/v1/x\ny'],
  ['/sessions', undefined, '/sessions'],
])('%j names the session %s ahead of %j', (given, name, path) => {
  expect(splitSession(given)).toEqual({ name, path });
});

test.each([
  ['/v1/batches', '/v1/batches'],
  ['/api/v1/batches', '/v1/batches'],
  ['/api/sessions/a/v1/batches', '/sessions/a/v1/batches'],
  ['/sessions/a/v1/batches', '/sessions/a/v1/batches'],
  ['/sessions/a/b/v1/batches', '/v1/batches'],
  ['/sessions//v1', '/sessions//v1'],
])('of %s, what counts is %s', (pathname, path) => {
  expect(fromSession(pathname, pathname.indexOf('/v1'))).toBe(path);
});

describe('path parameters', () => {
  test('are decoded', () => {
    const sent = { a: 'x%20%2Fy', b: 'plain+', c: '' };
    const decoded = { a: 'x /y', b: 'plain+', c: '' };
    expect(decodeParams(sent)).toEqual(decoded);
    expect(decodeWherePossible(sent)).toEqual(decoded);
  });

  test('that cannot be decoded are refused, and shown as they were sent', () => {
    expect(decodeWherePossible({ a: '%zz', b: '%41' })).toEqual({ a: '%zz', b: 'A' });
    try {
      decodeParams({ b: '%41', a: '%zz' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({
        assumption: 'path-encoding',
        refusal: { status: 400, message: "Invalid 'a': '%zz' has invalid percent-encoding.", param: 'a' },
      });
    }
  });
});

test.each([
  ['a', true],
  ['...', true],
  ['', false],
  ['x'.repeat(65), false],
  ['..', false],
  ['__proto__', false],
  ['a b', false],
  ['a\n', false],
])('%j may be the name of a session: %s', (name, may) => {
  expect(isSessionName(name)).toBe(may);
});

test('a parameter is percent-encoded into the path', () => {
  expect(fillPath('/threads/{thread_id}/runs', { thread_id: 'a/b $& c' })).toBe(
    '/threads/a%2Fb%20%24%26%20c/runs',
  );
});
