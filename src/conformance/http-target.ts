import { createHideKeys } from '../util/mask.ts';
import { checkOptions } from '../util/options.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import type { LawCall, LawReply, Samples, Target } from './check.ts';
import { readText } from './read-text.ts';
import { deepestReason, headersOf, type TargetKeys } from './target-call.ts';

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
  options: HttpTargetOptions = {},
): Target => {
  checkOptions(options, { rate: 'number', timeout: 'number' });
  const { rate = Number.POSITIVE_INFINITY, timeout = 10_000 } = options;
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

const toHeaders = ({ headers, without = [] }: LawCall, keys: TargetKeys): Headers => {
  const all = new Headers({ ...headersOf(keys), ...headers });
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

const explain = (error: unknown, timeout: number): string => {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate ? `no whole reply within ${timeout} ms` : deepestReason(error);
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
