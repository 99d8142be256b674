import { assumptionChecks } from './assumed.ts';
import { authChecks } from './auth.ts';
import { beforeChecks } from './before.ts';
import type { Check } from './check.ts';
import { cursorChecks } from './cursors.ts';
import { defaultPageChecks } from './default-pages.ts';
import { hasMoreChecks } from './has-more.ts';
import { limitChecks } from './limits.ts';
import { lostRecordChecks } from './lost-records.ts';
import { orderingChecks } from './ordering.ts';
import { parameterChecks } from './parameters.ts';
import { policyChecks } from './policies.ts';
import { renderParameterChecks } from './render-parameters.ts';
import { renderingChecks } from './rendering.ts';
import { successChecks } from './replies.ts';
import { shapeChecks } from './shapes.ts';
import { variableChecks } from './variables.ts';

/** The promises of the contract. */
export const contractChecks: readonly Check[] = [
  ...successChecks,
  ...shapeChecks,
  ...orderingChecks,
  ...cursorChecks,
  ...lostRecordChecks,
  ...hasMoreChecks,
  ...beforeChecks,
  ...limitChecks,
  ...defaultPageChecks,
  ...parameterChecks,
  ...policyChecks,
  ...renderingChecks,
  ...renderParameterChecks,
  ...variableChecks,
  ...authChecks,
];

/**
 * All conformance checks: the promises of the contract, then one check for each assumption, which compares a gateway with
 * the mock's default where the contract is silent. All of them only read.
 *
 * @example
 * for (const { id, section, description } of checks) console.log(`${id} (${section}): ${description}`);
 */
export const checks: readonly Check[] = [...contractChecks, ...assumptionChecks];
