import * as z from 'zod';
import { assumptions } from '../protocol/assumptions.ts';
import { maxSpeed } from './clock-limits.ts';
import type { Section } from './kind.ts';

const choicesOf = (): z.ZodObject<Record<string, z.ZodExactOptional<z.ZodEnum>>> =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(assumptions).map(([id, assumption]) => {
        const values = assumption.choices.map(([value]) => value);
        return [id, z.enum(values as [string, ...string[]]).exactOptional()]; // each has at least one
      }),
    ),
  );

/** The parts of a scenario that belong to no kind of record. */
const worldParts = () => {
  const dateTime = z.iso
    .datetime({ error: 'no date-time in UTC, such as 2026-01-15T12:00:00Z' })
    .refine((text) => !(Date.parse(text) < 0), 'no moment from 1970 to 9999');
  return {
    description: z.string().exactOptional().describe('One line that says what the scenario is for.'),
    seed: z.int().min(0).default(42).describe('The same seed gives the same bytes.'),
    clock: z
      .strictObject({
        start: dateTime
          .default('2026-01-15T12:00:00Z')
          .describe('The moment that the seeded records lead up to.'),
        now: dateTime
          .exactOptional()
          .describe('The moment at which the clock stands, where it is not the start.'),
        speed: z
          .number()
          .min(0)
          .max(maxSpeed)
          .default(0)
          .describe('Seconds of the world in a second of the wall clock; 0 stands still.'),
      })
      .prefault({}),
    requests: z
      .int()
      .min(0)
      .default(0)
      .describe('How many requests came before: the ids of the next ones follow from it.'),
    made: z
      .int()
      .min(0)
      .default(0)
      .describe('How many records were made by hand before: the ids of the next ones follow from it.'),
    keys: z
      .strictObject({
        valid: z
          .array(z.string())
          .exactOptional()
          .describe('The API keys accepted. Default: any that is not empty.'),
        expired: z.array(z.string()).exactOptional().describe('API keys that have expired.'),
        limited: z
          .record(z.string(), z.array(z.string()))
          .exactOptional()
          .describe('API keys that serve only these operations.'),
        virtual: z
          .array(z.string())
          .exactOptional()
          .describe('The virtual keys accepted. Default: any that is not empty.'),
      })
      .prefault({}),
    assumptions: z.lazy(choicesOf).default({}).describe('Answers of the mock where the contract is silent.'),
  };
};

/** The schema of whole scenarios: the world's parts and one part a section. */
export const createScenarioSchema = (sections: readonly Section[]) =>
  z.strictObject({
    ...worldParts(),
    ...Object.fromEntries(sections.map(({ name, schema }) => [name, schema])),
  });

type WorldSchema = z.ZodObject<ReturnType<typeof worldParts>>;

/** The parts as they are written, where all are optional, and with their defaults. */
export type WorldScenarioInput = z.input<WorldSchema>;
export type WorldScenario = z.output<WorldSchema>;
