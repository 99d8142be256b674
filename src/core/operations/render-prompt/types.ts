/** A function that a model may call. */
interface PromptFunction {
  [key: string]: unknown;
  name?: string;
  description?: string;
  parameters?: Record<string, unknown>;
}

/** The hyperparameters of a stored prompt: all fields of a chat-completion request body but the messages. */
export interface PromptParameters {
  /** The model identifier. */
  model?: string;
  /** Penalizes frequent tokens. */
  frequency_penalty?: number | bigint;
  /** The bias of single tokens. */
  logit_bias?: Record<string, unknown> | null;
  /** Whether to return log probabilities. */
  logprobs?: boolean;
  /** How many most likely tokens to return at each position. */
  top_logprobs?: number | bigint;
  /** The most tokens to generate. */
  max_tokens?: number | bigint;
  /** How many completions to generate. */
  n?: number | bigint;
  /** Penalizes tokens that have occurred. */
  presence_penalty?: number | bigint;
  /** The format of the output, such as `{ type: 'text' }`. */
  response_format?: { [key: string]: unknown; type?: string };
  /** The seed for sampling. */
  seed?: number | bigint;
  /** The text at which to stop. */
  stop?: string;
  /** Whether to stream the completion; only present if the request sends it. */
  stream?: boolean;
  /** Options for streaming. */
  stream_options?: Record<string, unknown> | null;
  /** Whether the model thinks first, and with how many tokens. */
  thinking?: { [key: string]: unknown; type?: string; budget_tokens?: number | bigint };
  /** The sampling temperature. */
  temperature?: number | bigint;
  /** The share of probability mass to sample from. */
  top_p?: number | bigint;
  /** The functions that the model may call. */
  tools?: {
    [key: string]: unknown;
    type?: string;
    function?: PromptFunction & { strict?: boolean };
  }[];
  /** Whether the model may call tools, such as `none`. */
  tool_choice?: string;
  /** Whether the model may call several tools at once. */
  parallel_tool_calls?: boolean;
  /** The end user. */
  user?: string;
  /** Whether the model may call functions, such as `none`. */
  function_call?: string;
  /** The functions that the model may call, in the older form. */
  functions?: PromptFunction[];
  [key: string]: unknown;
}

/** The fields of a chat-completion request body. */
export interface Hyperparameters extends PromptParameters {
  /** The messages of the conversation. */
  messages?: { [key: string]: unknown; content?: string; role?: string; name?: string }[];
}

/** A template of a stored prompt. */
export interface PromptTemplate {
  /** The hyperparameters of every rendering, unless the request sets them. */
  parameters: PromptParameters;
  /** The messages. All texts in them are Mustache templates. */
  messages?: { role?: string; content?: unknown; name?: string; [field: string]: unknown }[];
  /** In place of the messages: their list as a JSON text, which is one Mustache template; or the text of a partial. */
  string?: string;
}

/** A stored prompt with one template, without its id. */
export interface SinglePrompt extends PromptTemplate {
  /** What it is for. */
  description?: string;
}

/** One version of a stored prompt. */
export interface PromptVersion extends PromptTemplate {
  /** Its number, from 1 on. */
  version: number;
  /** Labels that pick this version, as in `id@label`. */
  labels: string[];
}

/** A stored prompt with several versions, without its id. */
export interface VersionedPrompt {
  /** What it is for. */
  description?: string;
  /** The number of the version that is rendered by default. Default: the newest. */
  published?: number;
  /** Its versions. */
  versions: PromptVersion[];
}

/** A stored prompt, without its id: one template, or several versions of which one is published. */
export type Prompt = SinglePrompt | VersionedPrompt;

/** A stored prompt with its id. */
export type StoredPrompt = Prompt & {
  /** Its id, such as `prompt_welcome`. */
  readonly id: string;
};

/** A message of a rendered prompt. */
export interface PromptMessage {
  /** Who speaks, such as `system` or `user`. */
  readonly role?: string;
  /** The rendered text, or a list of content parts; undefined if the template's message has none. */
  readonly content?: unknown;
  /** The name of the speaker. */
  readonly name?: string;
  /** Any other field of the template's message. */
  readonly [field: string]: unknown;
}

/** A preview of a rendered prompt. */
export interface PromptPreview {
  /** The rendered messages of the template. A message may have more fields than those of the contract. */
  readonly messages: readonly PromptMessage[];
  /** The variables of the template that are missing or null, each as its path, such as `user.name`. */
  readonly missing: readonly string[];
}

/** The variables and partials of a stored prompt, and its probable slips. */
export interface PromptInfo {
  /** The names that its template and its partials look up, such as `user.name`: those of variables and, in sections, of their fields. */
  readonly variables: readonly string[];
  /** An object of variables to try it with. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The ids of its partials, including missing partials; `>tone` stands for the partial that the variable `tone` names. */
  readonly partials: readonly string[];
  /** Its versions, each with its labels, such as `1 (production, published)`. Empty if it has only one template. */
  readonly versions: readonly string[];
  /** Probable slips, each with its path: tags of other template languages, partials that do not exist, misspelt roles. */
  readonly warnings: readonly string[];
}
