import { createHideKeys } from '../journal/hide.ts';
import { readStopwatch } from '../journal/stopwatch.ts';
import type { LawCall, LawReply, Samples, Target } from './law.ts';
import { readText } from './read-text.ts';

/** What a call carries to be let in. They are sent, and never shown. */
export interface TargetKeys {
  readonly apiKey: string;
  /** Without it, nothing can be checked of operations that require it. */
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
    hide: createHideKeys([keys.apiKey, keys.virtualKey]),
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

const toReply = async (response: Response, timeout: number): Promise<LawReply> => ({
  status: response.status,
  header: (name) => response.headers.get(name),
  text: await readText(response).catch((error: unknown) => {
    throw new Error(explain(error, timeout));
  }),
});

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
