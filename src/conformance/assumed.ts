// The check of each assumption, or the reason why it cannot be checked from outside.
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { assumedFields } from './assumed-fields.ts';
import { assumedIdentity } from './assumed-identity.ts';
import { assumedLists } from './assumed-lists.ts';
import { assumedRecords } from './assumed-records.ts';
import { assumedRefusals } from './assumed-refusals.ts';
import { assumedRenders } from './assumed-renders.ts';
import { reasons } from './assumed-unasked.ts';
import { type AssumptionCheck, toCheck } from './assumption-check.ts';
import { type Check, NotCheckable } from './check.ts';
import { templateSyntax } from './renderings.ts';

/** The type requires an entry for every assumption. */
const checks: Readonly<Record<AssumptionId, AssumptionCheck | string>> = {
  ...assumedIdentity,
  ...assumedRefusals,
  ...assumedLists,
  ...assumedRecords,
  ...assumedFields,
  ...assumedRenders,
  'template-syntax': templateSyntax,
  ...reasons,
};

const leaveUnchecked = (id: AssumptionId, reason: string): Check =>
  toCheck(id, { needs: [], observe: () => Promise.reject(new NotCheckable(reason)) });

/** One check per assumption, in the order of the registry. */
export const assumptionChecks: readonly Check[] = (Object.keys(assumptions) as AssumptionId[]).map((id) => {
  const check = checks[id];
  return typeof check === 'string' ? leaveUnchecked(id, check) : toCheck(id, check);
});
