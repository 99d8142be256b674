import type { Faker } from '@faker-js/faker';
import type { RunState } from '../../protocol/record-states.ts';
import type { Run } from './contract.ts';

/** The token limits of a run, with the field of its usage that each limits. */
const limited = { max_prompt_tokens: 'prompt_tokens', max_completion_tokens: 'completion_tokens' } as const;

type Limit = keyof typeof limited;

/** The token limits of a run. */
export interface Limits {
  readonly max_prompt_tokens: number | null;
  readonly max_completion_tokens: number | null;
  /** The limit that the run reaches, so that it ends incomplete; null if it reaches none. */
  readonly met: Limit | null;
}

/** Draws the limits of a run. A run that ends incomplete has reached one. @param given fields with which they must be consistent */
export const chooseLimits = (states: readonly RunState[], faker: Faker, given: Partial<Run>): Limits => {
  const { arrayElement } = faker.helpers;
  const usual = states.includes('incomplete')
    ? arrayElement(['max_completion_tokens', 'max_completion_tokens', 'max_prompt_tokens'] as const)
    : null;
  const met = usual && metBy(given, usual);
  const prompt =
    met === 'max_prompt_tokens' || faker.datatype.boolean(0.2) ? arrayElement([4096, 8192, 16_384]) : null;
  const completion =
    met === 'max_completion_tokens' || faker.datatype.boolean(0.3) ? arrayElement([256, 512, 1024]) : null;
  return {
    max_prompt_tokens: limitBy(given, 'max_prompt_tokens', met, prompt),
    max_completion_tokens: limitBy(given, 'max_completion_tokens', met, completion),
    met,
  };
};

/** The limit that an incomplete run reached, by its given reason, or by its given limits and usage. */
const metBy = (given: Partial<Run>, usual: Limit): Limit | null => {
  const order: readonly Limit[] = [usual, 'max_completion_tokens', 'max_prompt_tokens'];
  const reason = given.incomplete_details?.reason;
  if (reason !== undefined) return order.find((limit) => limit === reason) ?? null;
  const isMet = (limit: Limit): boolean => {
    const max = given[limit];
    return typeof max === 'number' && (given.usage?.[limited[limit]] ?? max) >= max;
  };
  return order.find(isMet) ?? order.find((limit) => given[limit] === undefined) ?? usual;
};

/** The given limit, or one that is consistent with the given usage. */
const limitBy = (given: Partial<Run>, limit: Limit, met: Limit | null, usual: number | null) => {
  const used = given.usage?.[limited[limit]];
  if (given[limit] !== undefined) return given[limit];
  if (used === undefined) return usual;
  if (limit === met) return used;
  return usual !== null && usual > used ? usual : null;
};

/** The tokens that a run used: as many as the limit if the run reached it, otherwise fewer. */
export const tokensWithin = (limits: Limits, limit: Limit, chooseUsual: () => number): number => {
  const max = limits[limit];
  if (max === null) return chooseUsual();
  return Math.max(0, limits.met === limit ? max : Math.min(chooseUsual(), max - 1));
};
