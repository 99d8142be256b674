import * as z from 'zod';
import { checkIds, recordIdSchema } from './record-schema.ts';

/** A record of a user's own kind. */
export interface OwnRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The name of a kind of records of a user's own. */
export const ownNameSchema = z
  .string()
  .regex(/^[a-z]\w*$/, 'not a name of letters and digits, such as files')
  .refine(
    (name) => !/^(?:threads?|runs?|batch(?:es)?|jobs?|checkpoints?|polic(?:y|ies)|prompts?)$/.test(name),
    "the name of one of the mock's own kinds of records",
  )
  .refine(
    (name) => !(name in Function.prototype) && !['then', 'toJSON'].includes(name),
    'a name that JavaScript uses for something else',
  );

/**
 * The records of a user's own kinds, by the names of these. A gateway that has the kinds checks the fields; any other gateway
 * keeps the records as they are.
 */
export const ownSection = {
  name: 'own',
  schema: z.lazy(() =>
    z
      .record(
        ownNameSchema,
        z.array(z.looseObject({ id: recordIdSchema })).superRefine(checkIds, { when: () => true }),
      )
      .default({})
      .describe('The records of your own kinds, by the names of the kinds, oldest first.'),
  ),
} as const;
