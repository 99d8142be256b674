// The assumptions that are not compared with a target, and why.
import type { AssumptionId } from '../protocol/assumptions.ts';

/** What no call that only reads, or none that is polite, could tell. */
export const reasons = {
  'expired-api-key': 'it takes a key that has expired.',
  'forbidden-api-key': 'it takes a key that is limited to some operations.',
  'session-name': 'sessions are of the mock alone.',
  'session-required': 'sessions are of the mock alone.',
  'session-removed': 'sessions are of the mock alone.',
  'body-size': 'it would take a body of 10 MB.',
  'http-syntax': 'it would take bytes that are no HTTP.',
  'quota-window': 'it would take calls up to a limit.',
  'quota-exceeded': 'it would take calls beyond a limit.',
  'retry-after-cap': 'it would take calls beyond a limit.',
  'recursive-partial': 'it takes a stored prompt that includes itself.',
  'render-size': 'it would take a rendering of 10 MB.',
} satisfies Partial<Record<AssumptionId, string>>;
