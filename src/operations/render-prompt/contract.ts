import * as z from 'zod';

/** A JSON number. It may be a bigint, if a number would have rounded it. */
const numeric = (expected: 'number' | 'int', type: string, isValid: (value: unknown) => boolean) =>
  z
    .unknown()
    .superRefine((input, context) => {
      if (typeof input !== 'bigint' && !isValid(input))
        context.addIssue({ code: 'invalid_type', expected, input });
    })
    .meta({ type }) as unknown as z.ZodType<number | bigint>; // nothing else passes

const number = numeric('number', 'number', Number.isFinite);
/** An integer below 1e21: JavaScript writes larger ones with an exponent. */
const integer = numeric(
  'int',
  'integer',
  (input) => Number.isInteger(input) && Math.abs(Number(input)) < 1e21,
);

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
  /** The messages of the conversation. */
  messages: z
    .array(
      z.looseObject({
        content: z.string().exactOptional(),
        role: z.string().exactOptional(),
        name: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  /** The model identifier. */
  model: z.string().exactOptional(),
  /** Penalizes frequent tokens. */
  frequency_penalty: number.exactOptional(),
  /** The bias of single tokens. */
  logit_bias: z.looseObject({}).nullable().exactOptional(),
  /** Whether to return log probabilities. */
  logprobs: z.boolean().exactOptional(),
  /** How many most likely tokens to return at each position. */
  top_logprobs: integer.exactOptional(),
  /** The most tokens to generate. */
  max_tokens: integer.exactOptional(),
  /** How many completions to generate. */
  n: integer.exactOptional(),
  /** Penalizes tokens that have occurred. */
  presence_penalty: number.exactOptional(),
  /** The format of the output, such as `{ type: 'text' }`. */
  response_format: z.looseObject({ type: z.string().exactOptional() }).exactOptional(),
  /** The seed for sampling. */
  seed: integer.exactOptional(),
  /** The text at which to stop. */
  stop: z.string().exactOptional(),
  /** Whether to stream the completion; only present if the request sends it. */
  stream: z.boolean().exactOptional(),
  /** Options for streaming. */
  stream_options: z.looseObject({}).nullable().exactOptional(),
  /** Whether the model thinks first, and with how many tokens. */
  thinking: z
    .looseObject({ type: z.string().exactOptional(), budget_tokens: integer.exactOptional() })
    .exactOptional(),
  /** The sampling temperature. */
  temperature: number.exactOptional(),
  /** The share of probability mass to sample from. */
  top_p: number.exactOptional(),
  /** The functions that the model may call. */
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
  /** Whether the model may call tools, such as `none`. */
  tool_choice: z.string().exactOptional(),
  /** Whether the model may call several tools at once. */
  parallel_tool_calls: z.boolean().exactOptional(),
  /** The end user. */
  user: z.string().exactOptional(),
  /** Whether the model may call functions, such as `none`. */
  function_call: z.string().exactOptional(),
  /** The functions that the model may call, in the older form. */
  functions: z.array(z.looseObject(describedFunction)).exactOptional(),
});

/** Contract: Endpoints, 1. Render a prompt. */
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

/** The fields of a chat-completion request body (contract: Rendered prompt response, fields of data). */
export type Hyperparameters = z.output<typeof hyperparametersSchema>;
