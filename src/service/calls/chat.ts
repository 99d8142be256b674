import { toJsonText } from '../../core/util/json.ts';
import { hashToHex } from '../../core/world/hash.ts';
import { type DefinedCall, defineCall, type OwnCall } from '../gateway/own-calls.ts';

/** A message of a request. Its content is a text, or a list of parts. */
interface ChatMessage {
  readonly role?: string;
  readonly content?: unknown;
}

interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly ChatMessage[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
}

/** The texts of the completions. */
export interface ChatOptions {
  /**
   * The texts of a conversation, or a function from its messages to the text. The first text answers a request without a message
   * of the assistant, the second text a request with one such message, and so on; the last text answers all further requests.
   * Default: a text with the last message of the user.
   */
  readonly replies?: readonly string[] | ((messages: readonly ChatMessage[]) => string) | undefined;
}

/** A chat completion, as JSON and as a stream of events. */
export const createChat = ({ replies = echo }: ChatOptions = {}): readonly DefinedCall[] => [
  defineCall({
    id: 'createChatCompletion',
    method: 'POST',
    path: '/chat/completions',
    summary: 'Completes a chat, as JSON or as a stream of events.',
    handle: ({ body }: OwnCall<'/chat/completions', ChatBody>, { now, refuse, events }) => {
      const { model = 'gpt-4o-mini', messages, stream, stream_options } = body;
      if (!Array.isArray(messages) || messages.length === 0)
        return refuse(400, "Missing required parameter: 'messages'.");
      const content = typeof replies === 'function' ? replies(messages) : replyOf(messages, replies);
      const id = `chatcmpl-${hashToHex(toJsonText(body))}`;
      const common = { id, created: Math.floor(now), model };
      const prompt_tokens = countTokens(messages.map(textOf).join(''));
      const completion_tokens = countTokens(content);
      const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
      const [message, end] = [
        { role: 'assistant', content, refusal: null },
        { logprobs: null, finish_reason: 'stop' },
      ];
      if (stream !== true)
        return { ...common, object: 'chat.completion', choices: [{ index: 0, message, ...end }], usage };
      const toChunk = (delta: object, finish_reason: string | null = null) => ({
        ...common,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      });
      const words = content.match(/\s*\S+\s*/g) ?? [];
      return events([
        toChunk({ role: 'assistant', content: '' }),
        ...words.map((word) => toChunk({ content: word })),
        toChunk({}, 'stop'),
        ...(stream_options?.include_usage ? [{ ...toChunk({}), choices: [], usage }] : []),
        '[DONE]',
      ]);
    },
  }),
];

const textOf = ({ content }: ChatMessage): string =>
  Array.isArray(content) ? content.map((part) => Object(part).text ?? '').join('') : String(content ?? '');

const echo = (messages: readonly ChatMessage[]): string => {
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  return `You said: ${last === undefined ? '' : textOf(last)}`;
};

const replyOf = (messages: readonly ChatMessage[], replies: readonly string[]): string => {
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  return replies[turn] ?? replies.at(-1) ?? '';
};

/** About four characters are a token, as in quotas. */
const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** The chat completion with its usual text. */
export const chat: readonly DefinedCall[] = createChat();
