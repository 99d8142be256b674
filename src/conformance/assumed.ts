// For each assumption, how a target is compared with it, or why it cannot be from outside.
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { assumedIdentity } from './assumed-identity.ts';
import { assumedLists } from './assumed-lists.ts';
import { assumedRecords } from './assumed-records.ts';
import { assumedRefusals } from './assumed-refusals.ts';
import { type AssumptionCheck, toLaw } from './assumption-check.ts';
import { type Law, NotCheckable } from './law.ts';
import { templateSyntax } from './renderings.ts';

/** What no call that only reads, or none that is polite, could tell. */
const reasons = {
  'expired-api-key': 'it takes a key that has expired.',
  'forbidden-api-key': 'it takes a key that is limited to some operations.',
  'session-name': 'sessions are of the mock alone.',
  'session-required': 'sessions are of the mock alone.',
  'body-size': 'it would take a body of 10 MB.',
  'http-syntax': 'it would take bytes that are no HTTP.',
  'quota-window': 'it would take calls up to a limit.',
  'quota-exceeded': 'it would take calls beyond a limit.',
  'retry-after-cap': 'it would take calls beyond a limit.',
  'recursive-partial': 'it takes a stored prompt that includes itself.',
  'render-size': 'it would take a rendering of 10 MB.',
} satisfies Partial<Record<AssumptionId, string>>;

/** Every assumption has its entry, which the type holds. */
const checks: Readonly<Record<AssumptionId, AssumptionCheck | string>> = {
  ...assumedIdentity,
  ...assumedRefusals,
  ...assumedLists,
  ...assumedRecords,
  'template-syntax': templateSyntax,
  ...reasons,
};

const leaveUnchecked = (id: AssumptionId, why: string): Law =>
  toLaw(id, { needs: [], look: () => Promise.reject(new NotCheckable(why)) });

/** One law an assumption, which tells whether a target follows the default; in the order of the registry. */
export const assumptionLaws: readonly Law[] = (Object.keys(assumptions) as AssumptionId[]).map((id) => {
  const check = checks[id];
  return typeof check === 'string' ? leaveUnchecked(id, check) : toLaw(id, check);
});
