import * as z from 'zod';
import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import { batchSchema, listBatchesContract } from '../operations/list-batches/contract.ts';
import { checkpointSchema, listCheckpointsContract } from '../operations/list-checkpoints/contract.ts';
import { listRunsContract, runSchema } from '../operations/list-runs/contract.ts';
import { hyperparametersSchema, renderPromptContract } from '../operations/render-prompt/contract.ts';
import { schemaDescriptions } from './descriptions.ts';

/** The part of a JSON Schema that is used here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** The body of every error, as `toErrorBody` creates it. The contract shows none. */
export const errorBody = z.object({
  success: z.literal(false),
  status: z.literal('failure'),
  message: z.string(),
  error: z.object({
    message: z.string(),
    type: z.enum([
      'invalid_request_error',
      'authentication_error',
      'permission_error',
      'rate_limit_error',
      'server_error',
    ]),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
  data: z.object({ message: z.string(), errorCode: z.string() }),
});

/** The schemas with a name in the document. Other schemas refer to them. */
const named = {
  Run: runSchema,
  RunList: listRunsContract.reply,
  Batch: batchSchema,
  BatchList: listBatchesContract.reply,
  Checkpoint: checkpointSchema,
  CheckpointList: listCheckpointsContract.reply,
  RateLimitsPolicy: getRateLimitsPolicyContract.reply,
  ChatCompletionRequest: hyperparametersSchema,
  RenderRequest: renderPromptContract.body,
  RenderedPrompt: renderPromptContract.reply,
  Error: errorBody,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** A reference to a named schema. */
export const refTo = (schema: z.ZodType): JsonSchema => {
  const found = Object.entries(named).find(([, one]) => one === schema);
  if (found === undefined)
    throw new Error(
      'The schema of a body or reply has no name in the document. Add it to `named` in src/openapi/schemas.ts.',
    );
  return { $ref: `#/components/schemas/${found[0]}` };
};

/** The named schemas, created from those of the contract. */
export const schemaComponents = (): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [
      name,
      withDescriptions(name, tidy(schema) as JsonSchema), // it is still a schema
    ]),
  );
};

/** The fields of an object's schema, such as the parameters of a query. */
export const fieldSchemas = (schema: z.ZodObject): Readonly<Record<string, JsonSchema>> =>
  (tidy(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema).properties ?? {};

const withDescriptions = (name: string, { properties = {}, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...schemaDescriptions[name],
  properties: Object.fromEntries(
    Object.entries(properties).map(([field, inner]) => [
      field,
      { ...inner, ...schemaDescriptions[`${name}.${field}`] },
    ]),
  ),
});

/**
 * Removes what zod adds: the bounds of a safe integer, and patterns that repeat `format`. Nullable types are merged into
 * one type if possible.
 */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([keyword, inner]) =>
      !(
        (keyword === 'minimum' && inner === Number.MIN_SAFE_INTEGER) ||
        (keyword === 'maximum' && inner === Number.MAX_SAFE_INTEGER) ||
        (keyword === 'pattern' && 'format' in value)
      ),
  );
  return joinNull(Object.fromEntries(kept.map(([keyword, inner]) => [keyword, tidy(inner)])));
};

const joinNull = ({ anyOf, ...others }: Readonly<Record<string, unknown>>): unknown => {
  if (anyOf === undefined) return others;
  const [first, second] = anyOf as readonly JsonSchema[]; // tidy has created it from a list of schemas
  const isSimple =
    second?.type === 'null' && typeof first?.type === 'string' && !('const' in first) && !('enum' in first);
  return isSimple ? { ...first, type: [first.type, 'null'], ...others } : { anyOf, ...others };
};
