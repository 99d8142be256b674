import { version } from 'virtual:shipped';
import * as z from 'zod';
import { getRateLimitsPolicyContract } from '../../core/operations/get-rate-limits-policy/contract.ts';
import { batchSchema, listBatchesContract } from '../../core/operations/list-batches/contract.ts';
import {
  checkpointSchema,
  listCheckpointsContract,
} from '../../core/operations/list-checkpoints/contract.ts';
import { listRunsContract, runSchema } from '../../core/operations/list-runs/contract.ts';
import { hyperparametersSchema, renderPromptContract } from '../../core/operations/render-prompt/contract.ts';
import { schemaDescriptions } from './descriptions.ts';

/** The head of an OpenAPI document. */
export const openapiHead = (title: string, description: string) => ({
  openapi: '3.1.0',
  info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
});

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

export const refTo = (schema: z.ZodType) => {
  const found = Object.entries(named).find(([, namedSchema]) => namedSchema === schema);
  if (found === undefined)
    throw new Error(
      'The schema of a body or reply has no name in the document. Add it to `named` in src/service/openapi/schemas.ts.',
    );
  return { $ref: `#/components/schemas/${found[0]}` };
};

/** The named schemas, created from those of the contract, with descriptions. */
export const schemaComponents = (): Readonly<Record<string, object>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [field, inner] of Object.entries(schema.properties ?? {}))
      Object.assign(inner, schemaDescriptions[`${name}.${field}`]);
    Object.assign(schema, schemaDescriptions[name], { $schema: undefined, $id: undefined });
  }
  return schemas;
};

/** The fields of an object's schema, such as the parameters of a query. */
export const fieldSchemas = (schema: z.ZodObject): Readonly<Record<string, object>> =>
  z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) })
    .properties as Record<string, object>; // the shape of an object consists of schemas

/**
 * Removes keywords that zod adds: the bounds of a safe integer, and patterns that repeat `format`. Nullable types are merged into
 * one type if possible.
 */
const tidy = (schema: z.core.JSONSchema.BaseSchema): void => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format !== undefined) delete schema.pattern;
  const [first, second] = schema.anyOf ?? [];
  if (second?.type !== 'null' || typeof first?.type !== 'string' || 'const' in first || 'enum' in first)
    return;
  delete schema.anyOf;
  Object.assign(schema, first, { type: [first.type, 'null'] });
};
