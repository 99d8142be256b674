// The assumptions that are not checked, and why.
import type { AssumptionId } from '../protocol/assumptions.ts';

/** They cannot be observed by calls that only read, or only by a load that a real gateway should not get. */
export const reasons = {
  'expired-api-key': 'this needs an expired key.',
  'forbidden-api-key': 'this needs a key that is limited to some operations.',
  'session-name': 'only the mock has sessions.',
  'session-required': 'only the mock has sessions.',
  'session-removed': 'only the mock has sessions.',
  'sessions-in-use': 'only the mock has sessions.',
  'session-lost': 'only the mock has sessions.',
  'body-size': 'this needs a body of 10 MB.',
  'http-syntax': 'this needs a request that is not valid HTTP.',
  'quota-window': 'this needs as many calls as a limit allows.',
  'quota-exceeded': 'this needs more calls than a limit allows.',
  'retry-after-cap': 'this needs more calls than a limit allows.',
  'recursive-partial': 'this needs a stored prompt that includes itself.',
  'render-size': 'this needs a rendering of 10 MB.',
} satisfies Partial<Record<AssumptionId, string>>;
