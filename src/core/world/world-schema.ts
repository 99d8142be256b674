import * as z from 'zod';
import { type Assumption, assumptions } from '../assumptions/table.ts';
import { mapValues } from '../util/mapping.ts';
import { maxSpeed } from './clock-limits.ts';
import type { Section } from './kind.ts';

/** The time at which a world starts unless its scenario says otherwise. */
export const defaultStart = '2026-01-15T12:00:00Z';

const choicesOf = (): z.ZodObject<Record<string, z.ZodExactOptional<z.ZodEnum>>> =>
  z.strictObject(
    mapValues(assumptions, ({ choices }: Assumption) =>
      z.enum(choices.map(([value]) => value)).exactOptional(),
    ),
  );

export const dateTimeSchema = () =>
  z.iso
    .datetime({ error: 'not a date-time in UTC, such as 2026-01-15T12:00:00Z' })
    .refine((text) => !(Date.parse(text) < 0), 'not a time from 1970 to 9999');

/** The parts of a scenario that are not about one kind of record. */
const worldParts = (operations: readonly string[]) => {
  const dateTime = dateTimeSchema();
  const count = z.int().min(0);
  const values = z.array(z.string()).exactOptional();
  return {
    description: z.string().exactOptional().describe('What the scenario is for, in one line.'),
    seed: count.default(42).describe('The seed of all records and ids. The same seed gives the same bytes.'),
    /** The clock: date-times in UTC, and a speed in world seconds per real second. Default: frozen at 2026-01-15T12:00:00Z. */
    clock: z
      .strictObject({
        start: dateTime
          .default(defaultStart)
          .describe('The time at which the world starts. Seeded records are older.'),
        now: dateTime.exactOptional().describe("The clock's current time. Default: the start."),
        speed: z
          .number()
          .min(0)
          .max(maxSpeed)
          .default(0)
          .describe('How many world seconds pass in one real second. 0: time is frozen.'),
      })
      .prefault({}),
    requests: count
      .default(0)
      .describe('The number of requests so far. It determines the ids of the next requests.'),
    made: count
      .default(0)
      .describe('The number of records created by commands so far. It determines the ids of the next ones.'),
    /** The API keys and virtual keys that are accepted. Default: any. */
    keys: z
      .strictObject({
        valid: values.describe('The accepted API keys. Default: any value that is not empty.'),
        expired: values.describe('The API keys that have expired.'),
        exhausted: values.describe('The API keys whose budget is used up.'),
        limited: z
          .record(z.string(), z.array(z.enum(operations)))
          .exactOptional()
          .describe('The API keys that are limited to some operations, with the ids of those.'),
        virtual: values.describe('The accepted virtual keys. Default: any value that is not empty.'),
      })
      .prefault({}),
    assumptions: z
      .lazy(choicesOf)
      .default({})
      .describe('What the mock does where the contract says nothing: assumption ids with the value to use.'),
  };
};

/**
 * The schema of scenarios: the parts of the world, and one part for each section.
 *
 * @param operations the ids of all operations
 */
export const createScenarioSchema = (sections: readonly Section[], operations: readonly string[]) =>
  z.strictObject({
    ...worldParts(operations),
    ...Object.fromEntries(sections.map(({ name, schema }) => [name, schema])),
  });

type WorldSchema = z.ZodObject<ReturnType<typeof worldParts>>;

/** The parts of the world as a user writes them: all are optional. */
export type WorldScenarioInput = z.input<WorldSchema>;
/** The parts of the world with their defaults filled in. */
export type WorldScenario = z.output<WorldSchema>;
