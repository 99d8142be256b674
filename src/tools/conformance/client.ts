// Calls a real gateway over HTTP, for `verify` and `capture`.
import * as z from 'zod';
import { limits } from '../../core/util/limits.ts';
import { createHideKeys, createIsCredential, maskBody } from '../../core/util/mask.ts';
import { type OptionSchemas, parseOptions } from '../../core/util/parse-options.ts';
import { readStopwatch, readWallClock } from '../../core/util/stopwatch.ts';
import { wait as waitFor } from '../../core/util/wait.ts';
import type { CheckCall, CheckReply, CheckSamples, CheckTarget } from './types.ts';

/** The keys that calls carry. They are sent to the gateway, and never shown. */
export interface TargetKeys {
  /** Sent as `x-gateway-api-key`. */
  readonly apiKey: string;
  /** Sent as `x-gateway-virtual-key`. Operations that require a virtual key cannot be called without it. Default: none. */
  readonly virtualKey?: string | undefined;
}

/** Options of {@link createHttpTarget}. */
export interface HttpTargetOptions {
  /** The maximum number of calls per second. Default: no limit. */
  readonly rate?: number | undefined;
  /** The maximum duration of a call, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** More names of fields whose values are credentials, which findings mask. Default: only the usual names. */
  readonly mask?: readonly string[] | undefined;
  /** Called with the milliseconds before a call is sent again, since the gateway returned `retry-after`. Default: nothing. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
  /** Ends a call, or a wait, when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

const schema = () =>
  z.strictObject({
    rate: z.number().optional(),
    timeout: z.number().default(10_000),
    mask: z.array(z.string()).optional(),
    onWait: z.custom<(milliseconds: number) => void>().optional(),
    signal: z.instanceof(AbortSignal).default(new AbortController().signal),
  } satisfies OptionSchemas<HttpTargetOptions>);

/** The most times that a call is sent, and the longest wait before each repetition, in milliseconds. */
const maxTries = 6;
const maxWait = 30_000;

/**
 * Creates a target for {@link runChecks}: the gateway at a base URL, which ends in `/v1`. Redirects are not followed, so
 * that the keys reach no other host. A reply of 429 or 503 with `retry-after` is obeyed, up to 5 times and 30 seconds each.
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
  const { rate = Number.POSITIVE_INFINITY, timeout, mask, onWait, signal } = parseOptions(schema(), options);
  const hideKeys = createHideKeys([keys.apiKey, keys.virtualKey]);
  const isCredential = createIsCredential(mask);
  const base = baseUrl.replace(/\/+$/, '');

  let nextTurn = 0;
  const send = async (call: CheckCall): Promise<CheckReply> => {
    const turn = nextTurn - readStopwatch();
    if (turn > 0) await waitFor(turn, { signal });
    nextTurn = readStopwatch() + 1000 / rate;
    const { method, path, query, body = null } = call;
    const late = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(`${base}${path}${query ? `?${query}` : ''}`, {
        method,
        body,
        headers: toHeaders(call, keys),
        redirect: 'manual', // the keys must reach no other host
        signal: AbortSignal.any([late, signal]),
      });
      const header = (name: string): string | null => response.headers.get(name);
      return { status: response.status, header, text: await readText(response) };
    } catch (error) {
      throw new Error(late.aborted ? `no complete reply within ${timeout} ms` : deepestReason(error));
    }
  };

  return {
    samples,
    hasVirtualKey: keys.virtualKey !== undefined,
    hide: (text) => hideKeys(maskBody(text, isCredential)),
    call: async (call) => {
      for (let waits = 0; ; waits += 1) {
        const reply = await send(call);
        const wait = readRetryAfter(reply);
        if (wait === undefined || waits + 1 === maxTries || signal.aborted) return { ...reply, waits };
        onWait?.(wait);
        await waitFor(wait, { signal });
      }
    },
  };
};

/** How long a gateway asks to wait, in milliseconds, at most 30 seconds; undefined if it does not. */
const readRetryAfter = ({ status, header }: CheckReply): number | undefined => {
  const retryAfter = status === 429 || status === 503 ? header('retry-after') : null;
  if (retryAfter === null) return undefined;
  const wait = retryAfter.trim() === '' ? Number.NaN : Number(retryAfter) * 1000;
  const time = Number.isNaN(wait) ? Date.parse(retryAfter) - readWallClock() : wait;
  return Number.isNaN(time) ? undefined : Math.min(Math.max(time, 0), maxWait);
};

const toHeaders = ({ headers, bearer, without = [] }: CheckCall, keys: TargetKeys): Headers => {
  const all = new Headers({
    accept: 'application/json',
    'x-gateway-api-key': keys.apiKey,
    ...(keys.virtualKey !== undefined && { 'x-gateway-virtual-key': keys.virtualKey }),
    // The contract leaves the vendor's name out of this header; the second name is the name in use.
    'vendor-beta': 'assistants=v2',
    'openai-beta': 'assistants=v2',
    ...(bearer && { authorization: `Bearer ${keys.apiKey}` }),
    ...headers,
  });
  for (const name of without) all.delete(name);
  if (without.includes('vendor-beta')) all.delete('openai-beta');
  return all;
};

/** The innermost cause of an error from `fetch`, whose own message is only "fetch failed". */
const deepestReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && !cause.message) return deepestReason(cause.errors[0]);
  if (cause instanceof Error) return deepestReason(cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
};

/** The body of a response as text. @throws Error if it breaks off, or has too many bytes */
const readText = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // a byte order mark is no JSON
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limits.reply) throw new Error(`the reply is longer than ${limits.reply} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
