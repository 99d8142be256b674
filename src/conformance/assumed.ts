// For each assumption, how a target is compared with it, or why it cannot be from outside.
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { assumedFields } from './assumed-fields.ts';
import { assumedIdentity } from './assumed-identity.ts';
import { assumedLists } from './assumed-lists.ts';
import { assumedRecords } from './assumed-records.ts';
import { assumedRefusals } from './assumed-refusals.ts';
import { assumedRenders } from './assumed-renders.ts';
import { reasons } from './assumed-unasked.ts';
import { type AssumptionCheck, toLaw } from './assumption-check.ts';
import { type Law, NotCheckable } from './check.ts';
import { templateSyntax } from './renderings.ts';

/** Every assumption has its entry, which the type holds. */
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

const leaveUnchecked = (id: AssumptionId, why: string): Law =>
  toLaw(id, { needs: [], look: () => Promise.reject(new NotCheckable(why)) });

/** One law an assumption, which tells whether a target follows the default; in the order of the registry. */
export const assumptionLaws: readonly Law[] = (Object.keys(assumptions) as AssumptionId[]).map((id) => {
  const check = checks[id];
  return typeof check === 'string' ? leaveUnchecked(id, check) : toLaw(id, check);
});
