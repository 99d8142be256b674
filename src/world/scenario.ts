import { z } from 'zod';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { Section } from './kind.ts';

/** The parts of a scenario that belong to no kind of record. */
export const worldScenario = {
  description: z.string().exactOptional(),
  seed: z.int().min(0).default(42),
  clock: z.strictObject({ start: z.iso.datetime().default('2026-01-15T12:00:00Z') }).prefault({}),
  keys: z
    .strictObject({
      valid: z.array(z.string()).exactOptional(),
      expired: z.array(z.string()).exactOptional(),
      limited: z.record(z.string(), z.array(z.string())).exactOptional(),
      virtual: z.array(z.string()).exactOptional(),
    })
    .prefault({}),
  // The names and values are checked against the registry, which answers with the nearest right one.
  assumptions: z
    .custom<AssumptionChoices>((value) => typeof value === 'object' && value !== null)
    .default({}),
};

/** The schema of whole scenarios: the world's parts and one part a section. */
export const createScenarioSchema = (sections: readonly Section[]) =>
  z.strictObject({
    ...worldScenario,
    ...Object.fromEntries(sections.map(({ name, schema }) => [name, schema])),
  });

export type WorldScenario = z.output<z.ZodObject<typeof worldScenario>>;
