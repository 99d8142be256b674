import * as z from 'zod';
import type { ShapeOf } from '../../protocol/contract-types.ts';
import type { Hyperparameters } from './types.ts';

/** A JSON number. It may be a bigint, if a number would have rounded it. */
const numeric = (expected: 'number' | 'int', type: string, isValid: (value: unknown) => boolean) =>
  z
    .unknown()
    .superRefine((input, context) => {
      if (typeof input !== 'bigint' && !isValid(input))
        context.addIssue({ code: 'invalid_type', expected, input });
    })
    .meta({ type }) as unknown as z.ZodType<number | bigint>; // the schema lets nothing else through

const number = numeric('number', 'number', Number.isFinite);
const integer = numeric('int', 'integer', Number.isInteger);

/** The fields of a function (contract: Rendered prompt response, tools and functions). */
const describedFunction = {
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  parameters: z.looseObject({}).exactOptional(),
};

/**
 * The schema of {@link Hyperparameters}. Every field is optional, since the template and the request decide which appear.
 * Where the contract shows a value, such as 'text', other values are allowed too.
 */
export const hyperparametersSchema = z.looseObject({
  messages: z
    .array(
      z.looseObject({
        content: z.string().exactOptional(),
        role: z.string().exactOptional(),
        name: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  model: z.string().exactOptional(),
  frequency_penalty: number.exactOptional(),
  logit_bias: z.looseObject({}).nullable().exactOptional(),
  logprobs: z.boolean().exactOptional(),
  top_logprobs: integer.exactOptional(),
  max_tokens: integer.exactOptional(),
  n: integer.exactOptional(),
  presence_penalty: number.exactOptional(),
  response_format: z.looseObject({ type: z.string().exactOptional() }).exactOptional(),
  seed: integer.exactOptional(),
  stop: z.string().exactOptional(),
  stream: z.boolean().exactOptional(),
  stream_options: z.looseObject({}).nullable().exactOptional(),
  thinking: z
    .looseObject({ type: z.string().exactOptional(), budget_tokens: integer.exactOptional() })
    .exactOptional(),
  temperature: number.exactOptional(),
  top_p: number.exactOptional(),
  tools: z
    .array(
      z.looseObject({
        type: z.string().exactOptional(),
        function: z
          .looseObject({ ...describedFunction, strict: z.boolean().exactOptional() })
          .exactOptional(),
      }),
    )
    .exactOptional(),
  tool_choice: z.string().exactOptional(),
  parallel_tool_calls: z.boolean().exactOptional(),
  user: z.string().exactOptional(),
  function_call: z.string().exactOptional(),
  functions: z.array(z.looseObject(describedFunction)).exactOptional(),
} satisfies ShapeOf<Hyperparameters>);

export const renderPromptContract = {
  id: 'renderPrompt',
  method: 'POST',
  path: '/prompts/{promptId}/render',
  section: 'Endpoints, 1. Render a prompt',
  virtualKey: false,
  betaHeader: false,
  params: z.object({ promptId: z.string() }),
  query: z.object({}),
  body: hyperparametersSchema.extend({ variables: z.looseObject({}) }),
  reply: z.object({ success: z.boolean(), data: hyperparametersSchema }),
} as const;
