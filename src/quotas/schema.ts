import * as z from 'zod';

/** How many groups are counted at the most: when there are more, the least recently used is removed. */
export const maxGroups = 10_000;

/** The quotas of a scenario. */
export const quotasSchema = z.lazy(() =>
  z
    .union([
      z.boolean(),
      z.strictObject({
        enforced: z.boolean(),
        used: z
          .array(
            z.strictObject({
              policy: z.string(),
              group: z.array(z.string()),
              window: z.number(),
              used: z.number().min(0),
            }),
          )
          .max(maxGroups)
          .describe('What was used before, by policy and group.'),
      }),
    ])
    .default(false)
    .describe('Whether the active rate-limit policies are enforced, by the clock and per group.'),
);
