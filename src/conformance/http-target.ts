import { readStopwatch } from '../journal/stopwatch.ts';
import type { LawCall, LawReply, Samples, Target } from './law.ts';

/** What a call carries to be let in. They are sent, and never shown. */
export interface TargetKeys {
  readonly apiKey: string;
  /** Without it, nothing of the three lists can be checked. */
  readonly virtualKey?: string | undefined;
}

export interface HttpTargetOptions {
  /** How many calls may begin in a second. Default: as many as are answered. */
  readonly rate?: number | undefined;
  /** How long a call may take, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
}

/**
 * A gateway at a base URL that ends in `/v1`, to be held to the laws.
 *
 * @example
 * const target = createHttpTarget('http://127.0.0.1:4010/v1', { apiKey: 'any', virtualKey: 'any' }, { thread: 'thread_demo' });
 * const { results } = await runLaws(target);
 */
export const createHttpTarget = (
  baseUrl: string,
  keys: TargetKeys,
  samples: Samples,
  { rate = Number.POSITIVE_INFINITY, timeout = 10_000 }: HttpTargetOptions = {},
): Target => {
  const waitForTurn = createTurns(1000 / rate);
  const base = baseUrl.replace(/\/+$/, '');
  return {
    samples,
    hasVirtualKey: keys.virtualKey !== undefined,
    hide: hideAll(keys),
    call: async (call) => {
      await waitForTurn();
      const { method, path, query, body = null } = call;
      const response = await fetch(`${base}${path}${query ? `?${query}` : ''}`, {
        method,
        body,
        headers: toHeaders(call, keys),
        redirect: 'manual', // the keys are not for anybody else
        signal: AbortSignal.timeout(timeout),
      }).catch((error: unknown) => {
        throw new Error(explain(error, timeout));
      });
      return toReply(response, timeout);
    },
  };
};

const toHeaders = ({ headers, without = [] }: LawCall, { apiKey, virtualKey }: TargetKeys): Headers => {
  const all = new Headers({
    accept: 'application/json',
    'x-gateway-api-key': apiKey,
    ...(virtualKey !== undefined && { 'x-gateway-virtual-key': virtualKey }),
    // The contract's name for it, with the vendor left out, and the one by which it is known.
    'vendor-beta': 'assistants=v2',
    'openai-beta': 'assistants=v2',
    ...headers,
  });
  for (const name of without) all.delete(name);
  if (without.includes('vendor-beta')) all.delete('openai-beta');
  return all;
};

/** More than any page of a gateway holds. */
const maxReply = 50_000_000;

const toReply = async (response: Response, timeout: number): Promise<LawReply> => {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  try {
    for await (const chunk of readChunks(response)) {
      size += chunk.byteLength;
      if (size > maxReply) throw new Error(`the reply is larger than ${maxReply} bytes.`);
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw new Error(explain(error, timeout));
  }
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    text: text + decoder.decode(),
  };
};

async function* readChunks({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) return;
      yield part.value;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

/** The reason that lies deepest: fetch itself says "fetch failed". */
const explain = (error: unknown, timeout: number): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no whole reply within ${timeout} ms`;
  const { cause } = error;
  if (cause instanceof AggregateError) return explain(cause.errors[0], timeout);
  return cause instanceof Error ? explain(cause, timeout) : error.message;
};

/** Lets a call begin once `gap` milliseconds have passed since the one before it began. */
const createTurns = (gap: number): (() => Promise<void>) => {
  let next = 0;
  return async () => {
    const wait = next - readStopwatch();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    next = readStopwatch() + gap;
  };
};

/** Shorter keys are words, such as "any", that stand in texts of our own for what they mean. */
const minSecret = 8;

/** Takes keys out of a text, in each spelling that a reply or an address may repeat them in. */
const hideAll = ({ apiKey, virtualKey = '' }: TargetKeys): NonNullable<Target['hide']> => {
  const spellings = [apiKey, virtualKey]
    .flatMap((key) => [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])
    .filter((key) => key !== '')
    .sort((a, b) => b.length - a.length); // one key may hold the other
  const secrets = spellings.filter(({ length }) => length >= minSecret);
  const words = spellings.filter(({ length }) => length < minSecret).map(toWholeWord);
  return (text, isFromTarget) => {
    const rest = secrets.reduce((left, key) => left.replaceAll(key, '***'), text);
    return isFromTarget ? words.reduce((left, word) => left.replace(word, '***'), rest) : rest;
  };
};

const toWholeWord = (key: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'gu');
