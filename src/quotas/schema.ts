import * as z from 'zod';

/** The most groups that are counted. If there are more, the least recently used one is removed. */
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
          .describe('How much has been used so far, by policy and group.'),
      }),
    ])
    .default(false)
    .describe('Whether the active rate-limit policies are enforced.'),
);
