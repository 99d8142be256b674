import * as z from 'zod';

/** How many records there are: one number for a natural distribution, or an exact number for each state. */
export type Amount<State extends string> = number | ExactAmount<State>;

export type ExactAmount<State extends string> = { readonly [Name in State]?: number | undefined };

/** The most records of one collection. */
const maxCount = 1_000_000;

export const countSchema = z.int().min(0).max(maxCount);

/** The scenario schema of an {@link Amount}. */
export const amountOf = <const States extends readonly [string, ...string[]]>(
  states: States,
): z.ZodType<Amount<States[number]>, Amount<States[number]>> =>
  z.union([
    countSchema,
    z
      .partialRecord(z.enum(states), countSchema)
      // A single number that is too large has its own mistake.
      .refine((amounts) => !isTooMany(Object.values(amounts)), `more than ${maxCount} records in all`),
  ]);

const isTooMany = (numbers: readonly unknown[]): boolean => {
  const counts = numbers.map(Number);
  return counts.every((one) => one <= maxCount) && counts.reduce((sum, one) => sum + one, 0) > maxCount;
};

/** How many adjacent records share the second of their creation; without it, a natural pattern. */
export const tiesSchema = z.int().min(1).max(maxCount).exactOptional();

/** How often each of some states is drawn. */
export type Weights<State extends string> = { readonly [Name in State]?: number };
