import { expect, test } from 'vitest';
import type { Call } from './call.ts';
import { corsHeaders, isPreflight } from './cors.ts';

const callOf = (method: string, headers: Readonly<Record<string, string>>): Call => ({
  method,
  path: '/v1/batches',
  query: '',
  header: (name) => headers[name],
  headers: () => headers,
  body: new Uint8Array(),
});

const exposed =
  'x-request-id, x-gateway-trace-id, x-mock-assumptions, x-mock-session, x-mock-world, x-mock-world-new, x-mock-fault, x-mock-upstream, ' +
  'retry-after, retry-after-ms, x-should-retry, x-ratelimit-limit-requests, x-ratelimit-limit-tokens, ' +
  'x-ratelimit-remaining-requests, x-ratelimit-remaining-tokens, x-ratelimit-reset-requests, x-ratelimit-reset-tokens';
const origin = 'http://app.test';
const asked = { 'access-control-request-method': 'GET' };
const read = {
  'access-control-allow-credentials': 'true',
  'access-control-allow-origin': origin,
  'access-control-expose-headers': exposed,
  vary: 'origin',
};
const preflight = {
  ...read,
  'access-control-allow-headers': '',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-max-age': '600',
};

test.each<[method: string, headers: Record<string, string>, answer: object]>([
  ['GET', {}, {}],
  ['GET', { origin }, read],
  ['OPTIONS', {}, { 'access-control-allow-origin': '*' }],
  ['OPTIONS', { origin, ...asked }, preflight],
  [
    'OPTIONS',
    { origin, ...asked, 'access-control-request-headers': 'x-a, x-b' },
    { ...preflight, 'access-control-allow-headers': 'x-a, x-b' },
  ],
])('%s with %j', (method, headers, answer) => {
  const call = callOf(method, headers);
  expect(corsHeaders(call, {})).toEqual(answer);
  expect(isPreflight(call)).toBe('access-control-max-age' in answer);
});
