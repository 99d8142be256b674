import * as z from 'zod';
import { createHideKeys, createIsCredential, maskBody } from '../util/mask.ts';
import { type OptionSchemas, parseOptions } from '../util/parse-options.ts';
import type { CheckCall, CheckReply, CheckSamples, CheckTarget } from './check.ts';
import { readText } from './read-text.ts';
import { createTurns, deepestReason, headersOf, type TargetKeys } from './target-call.ts';

/** Options of {@link createHttpTarget}. */
export interface HttpTargetOptions {
  /** The maximum number of calls per second. Default: no limit. */
  readonly rate?: number | undefined;
  /** The maximum duration of a call, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** More names of fields whose values are credentials, which findings mask. Default: none beside the usual ones. */
  readonly mask?: readonly string[] | undefined;
}

const schema = () =>
  z.strictObject({
    rate: z.number().optional(),
    timeout: z.number().default(10_000),
    mask: z.array(z.string()).optional(),
  } satisfies OptionSchemas<HttpTargetOptions>);

/**
 * Creates a target for {@link runChecks}: the gateway at a base URL, which ends in `/v1`. Redirects are not followed, so
 * that the keys reach no other host.
 *
 * @throws Error on unknown options
 * @example
 * const target = createHttpTarget('http://127.0.0.1:4010/v1', { apiKey: 'any', virtualKey: 'any' }, { thread: 'thread_demo' });
 * const { results } = await runChecks(target);
 */
export const createHttpTarget = (
  baseUrl: string,
  keys: TargetKeys,
  samples: CheckSamples,
  options: HttpTargetOptions = {},
): CheckTarget => {
  const { rate = Number.POSITIVE_INFINITY, timeout, mask } = parseOptions(schema(), options);
  const waitForTurn = createTurns(1000 / rate);
  const hideKeys = createHideKeys([keys.apiKey, keys.virtualKey]);
  const isCredential = createIsCredential(mask);
  const base = baseUrl.replace(/\/+$/, '');
  return {
    samples,
    hasVirtualKey: keys.virtualKey !== undefined,
    hide: (text) => hideKeys(maskBody(text, isCredential)),
    call: async (call) => {
      await waitForTurn();
      const { method, path, query, body = null } = call;
      const response = await fetch(`${base}${path}${query ? `?${query}` : ''}`, {
        method,
        body,
        headers: toHeaders(call, keys),
        redirect: 'manual', // the keys must reach no other host
        signal: AbortSignal.timeout(timeout),
      }).catch((error: unknown) => {
        throw new Error(explain(error, timeout));
      });
      return toReply(response, timeout);
    },
  };
};

const toHeaders = ({ headers, without = [] }: CheckCall, keys: TargetKeys): Headers => {
  const all = new Headers({ ...headersOf(keys), ...headers });
  for (const name of without) all.delete(name);
  if (without.includes('vendor-beta')) all.delete('openai-beta');
  return all;
};

const toReply = async (response: Response, timeout: number): Promise<CheckReply> => ({
  status: response.status,
  header: (name) => response.headers.get(name),
  text: await readText(response).catch((error: unknown) => {
    throw new Error(explain(error, timeout));
  }),
});

const explain = (error: unknown, timeout: number): string => {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate ? `no complete reply within ${timeout} ms` : deepestReason(error);
};
