import * as z from 'zod';
import { limits } from '../util/limits.ts';

/** A count in a scenario: by policy and group, the start of the window and how much was used in it. */
const useSchema = z.lazy(() =>
  z.strictObject({
    policy: z.string(),
    group: z.array(z.string()),
    window: z.number(),
    used: z.number().min(0),
  }),
);

export type QuotaUse = z.output<typeof useSchema>;

export const quotasSchema = z.lazy(() =>
  z
    .union([
      z.boolean(),
      z.strictObject({
        enforced: z.boolean(),
        used: z
          .array(useSchema)
          .max(limits.quotaGroups)
          .describe('How much has been used so far, by policy and group.'),
        matched: z
          .record(z.string(), z.int().min(0))
          .exactOptional()
          .describe('How many calls each policy applied to, by its id.'),
      }),
    ])
    .default(false)
    .describe('Whether the active rate-limit policies are enforced.'),
);

/** The quotas in a scenario: whether they are enforced, optionally with the counts so far. */
export type QuotasState = z.output<typeof quotasSchema>;
