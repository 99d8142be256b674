import { z } from 'zod';

/** Timestamps that a scenario may write: from 1970 to the end of the year 9999. */
const lastSecond = 253_402_300_799;

/**
 * The scenario schema of the records that one collection has by hand.
 *
 * @param fields the record's fields as the contract has them, none required
 */
export const changesOf = <Fields extends z.ZodRawShape>(fields: z.ZodObject<Fields>) => ({
  /** Records written by hand: whole ones, or some fields over the seeded record of that id. */
  records: z
    .array(fields)
    .superRefine((records, context) => {
      const seen = new Set<string>();
      for (const [index, record] of records.entries()) {
        for (const [field, value] of Object.entries(record))
          if (field.endsWith('_at') && typeof value === 'number' && (value < 0 || value > lastSecond))
            context.addIssue({
              code: 'custom',
              path: [index, field],
              message: 'no moment from 1970 to 9999, in seconds',
              input: value,
            });
        const id = String(Reflect.get(record, 'id'));
        if (seen.has(id))
          context.addIssue({
            code: 'custom',
            path: [index, 'id'],
            message: 'the second record of this id',
            input: id,
          });
        seen.add(id);
      }
    })
    .default([]),
  /** The ids of seeded records that are left out. */
  deleted: z.array(z.string()).default([]),
});

/** The fields of a record of which just the id is required, and no other is allowed. */
export const fieldsOf = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z
    .strictObject(shape)
    .partial()
    .extend({ id: z.string().min(1).max(200) });
