import { isLoopback } from '../util/loopback.ts';
import type { Call, Reply } from './call.ts';
import { newWorldHeader, upstreamHeader, worldHeader } from './world-headers.ts';

/** The reply headers that a page of another origin may read. */
const exposed = [
  'x-request-id',
  'x-gateway-trace-id',
  'x-mock-assumptions',
  'x-mock-session',
  worldHeader,
  newWorldHeader,
  'x-mock-fault',
  upstreamHeader,
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  ...['limit', 'remaining', 'reset'].flatMap((what) => [
    `x-ratelimit-${what}-requests`,
    `x-ratelimit-${what}-tokens`,
  ]),
].join(', ');

/** Whether a request is a CORS preflight, which browsers send before a call with custom headers. */
export const isPreflight = ({ method, header }: Call): boolean =>
  method === 'OPTIONS' &&
  header('origin') !== undefined &&
  header('access-control-request-method') !== undefined;

/** Whether an origin is a page of this machine. */
export const isOfThisMachine = (origin: string): boolean =>
  URL.canParse(origin) && isLoopback(new URL(origin).hostname);

/**
 * The headers that let a page of another origin read the reply. None for other callers, and none if the reply has such headers
 * already: a forwarded reply may.
 */
export const corsHeaders = (call: Call, reply: Reply['headers']): Record<string, string> => {
  if ('access-control-allow-origin' in reply) return {};
  const origin = call.header('origin');
  // happy-dom under MSW 3 loses the headers of its preflight, but still expects permission.
  if (origin === undefined) return call.method === 'OPTIONS' ? { 'access-control-allow-origin': '*' } : {};
  return {
    'access-control-allow-credentials': 'true',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
    ...(isPreflight(call) && {
      'access-control-allow-headers': call.header('access-control-request-headers') ?? '',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-max-age': '600',
    }),
    vary: 'origin',
  };
};
