import * as z from 'zod';

// Compiling the schemas takes longer than all checks of a usual test (8 of the 18 ms of createGateway).
z.config({ jitless: true });

/** A timestamp of runs, batches and checkpoints, in seconds since 1970. */
export const timestamp = z.int();

/**
 * A field that does not apply to every record. The contract's tables of runs and batches say neither "required" nor
 * "nullable". This is the only place where a schema follows an assumption: `absent-values` (null, or absent).
 */
export const whereItApplies = <Schema extends z.ZodType>(schema: Schema) => {
  const field = z.exactOptional(z.nullable(schema));
  z.globalRegistry.add(field, { 'x-assumptions': ['absent-values'] }); // `meta` would return a copy
  return field;
};

/** Whether {@link whereItApplies} made this schema. */
export const isWhereItApplies = (schema: z.ZodType): boolean =>
  schema.meta()?.['x-assumptions'] !== undefined;

/** The fields with which all list replies begin (contract: List envelope). */
export const listEnvelope = <Item extends z.ZodType>(item: Item) => ({
  object: z.literal('list'),
  data: z.array(item),
});

/** The shape of the schema of a record: a missing, extra or mistyped field does not compile. */
export type ShapeOf<Value> = {
  readonly [Field in keyof Value as string extends Field ? never : Field]-?: z.ZodType<
    Exclude<Value[Field], undefined>
  > &
    (undefined extends Value[Field] ? { readonly def: { readonly type: 'optional' } } : unknown);
};
