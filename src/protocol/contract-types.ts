import * as z from 'zod';

// Compiling each schema would take longer than all that is checked in a usual test (8 of the 18 ms of createGateway).
z.config({ jitless: true });

/** Seconds since 1970, as runs, batches and checkpoints count time. */
export const timestamp = z.int();

/**
 * A field that need not apply to a record. The contract's tables of runs and batches state neither required nor
 * nullable: this is the one place where a schema follows an assumption, `absent-values` (null, or missing).
 */
export const whereItApplies = <Schema extends z.ZodType>(schema: Schema) => {
  const field = z.exactOptional(z.nullable(schema));
  z.globalRegistry.add(field, { 'x-assumptions': ['absent-values'] }); // `meta` would make a copy
  return field;
};

/** Whether a schema was made by {@link whereItApplies}. */
export const isWhereItApplies = (schema: z.ZodType): boolean =>
  schema.meta()?.['x-assumptions'] !== undefined;

/** The parts that all list replies share (contract: List envelope). */
export const listEnvelope = <Item extends z.ZodType>(item: Item) => ({
  object: z.literal('list'),
  data: z.array(item),
});

/** The schema of the records that a list's reply has in `data`; undefined where the reply is no list (contract: List envelope). */
export const listedIn = (reply: z.ZodType): z.ZodType | undefined => {
  if (!(reply instanceof z.ZodObject)) return undefined;
  const { data, has_more } = reply.shape;
  return data instanceof z.ZodArray && has_more !== undefined ? (data.element as z.ZodType) : undefined; // as all of ours
};
