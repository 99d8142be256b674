import { assumptionChecks } from './checks/assumptions.ts';
import { keyChecks } from './checks/keys.ts';
import { pageChecks } from './checks/pages.ts';
import { policyChecks } from './checks/policies.ts';
import { renderingChecks } from './checks/rendering.ts';
import { shapeChecks } from './checks/shapes.ts';
import { successChecks } from './checks/success.ts';
import { variableChecks } from './checks/variables.ts';
import type { Check } from './types.ts';

/**
 * All conformance checks: the promises of the contract, then one check for each assumption, which compares a gateway with
 * the mock's default where the contract is silent. All of them only read.
 *
 * @example
 * for (const { id, section, description } of checks) console.log(`${id} (${section}): ${description}`);
 */
export const checks: readonly Check[] = [
  ...successChecks,
  ...shapeChecks,
  ...pageChecks,
  ...policyChecks,
  ...renderingChecks,
  ...variableChecks,
  ...keyChecks,
  ...assumptionChecks,
];
