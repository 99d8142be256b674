import { assumptionLaws } from './assumed.ts';
import { authLaws } from './auth.ts';
import { beforeLaws } from './before.ts';
import type { Law } from './check.ts';
import { cursorLaws } from './cursors.ts';
import { defaultPageLaws } from './default-pages.ts';
import { hasMoreLaws } from './has-more.ts';
import { limitLaws } from './limits.ts';
import { lostRecordLaws } from './lost-records.ts';
import { orderingLaws } from './ordering.ts';
import { parameterLaws } from './parameters.ts';
import { policyLaws } from './policies.ts';
import { renderParameterLaws } from './render-parameters.ts';
import { renderingLaws } from './rendering.ts';
import { successLaws } from './replies.ts';
import { shapeLaws } from './shapes.ts';
import { variableLaws } from './variables.ts';

/** What the contract promises. */
export const contractLaws: readonly Law[] = [
  ...successLaws,
  ...shapeLaws,
  ...orderingLaws,
  ...cursorLaws,
  ...lostRecordLaws,
  ...hasMoreLaws,
  ...beforeLaws,
  ...limitLaws,
  ...defaultPageLaws,
  ...parameterLaws,
  ...policyLaws,
  ...renderingLaws,
  ...renderParameterLaws,
  ...variableLaws,
  ...authLaws,
];

/**
 * Every law: the promises of the contract, then one law for each assumption, which tells whether a gateway does what
 * the mock does where the contract is silent. All of them only read.
 *
 * @example
 * for (const { id, section, says } of laws) console.log(`${id} (${section}): ${says}`);
 */
export const laws: readonly Law[] = [...contractLaws, ...assumptionLaws];
