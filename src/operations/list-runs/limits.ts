import type { Faker } from '@faker-js/faker';
import type { Run } from './contract.ts';
import type { RunState } from './lifecycle.ts';

/** Each limit of a run's tokens, and what of its usage it limits. */
const limited = { max_prompt_tokens: 'prompt_tokens', max_completion_tokens: 'completion_tokens' } as const;

type Limit = keyof typeof limited;

/** The limits of a run's tokens. */
export interface Limits {
  readonly max_prompt_tokens: number | null;
  readonly max_completion_tokens: number | null;
  /** The limit that the run meets and that ends it incomplete; null where it meets none. */
  readonly met: Limit | null;
}

/** A run that ends incomplete has the limit that it met. @param given what they agree with */
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

/** The limit that an incomplete run met, by the reason that is given, or by the limits and the usage that are. */
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

/** A limit as it is given, or one that agrees with the usage that is. */
const limitBy = (given: Partial<Run>, limit: Limit, met: Limit | null, usual: number | null) => {
  const used = given.usage?.[limited[limit]];
  if (given[limit] !== undefined) return given[limit];
  if (used === undefined) return usual;
  if (limit === met) return used;
  return usual !== null && usual > used ? usual : null;
};

/** All that a limit allows where the run met it, less otherwise. */
export const tokensWithin = (limits: Limits, limit: Limit, chooseUsual: () => number): number => {
  const max = limits[limit];
  if (max === null) return chooseUsual();
  return Math.max(0, limits.met === limit ? max : Math.min(chooseUsual(), max - 1));
};
