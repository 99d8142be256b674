// What all calls to a real gateway have in common: those of checks and those of a capture.
import { readStopwatch } from '../util/stopwatch.ts';

/** The keys that calls carry. They are sent to the gateway, and never shown. */
export interface TargetKeys {
  /** Sent as `x-gateway-api-key`. */
  readonly apiKey: string;
  /** Sent as `x-gateway-virtual-key`. Operations that require one cannot be called without it. Default: none. */
  readonly virtualKey?: string | undefined;
}

/** The headers of every call. */
export const headersOf = ({ apiKey, virtualKey }: TargetKeys): Readonly<Record<string, string>> => ({
  accept: 'application/json',
  'x-gateway-api-key': apiKey,
  ...(virtualKey !== undefined && { 'x-gateway-virtual-key': virtualKey }),
  // The contract leaves the vendor's name out of this header; the second one is the name in use.
  'vendor-beta': 'assistants=v2',
  'openai-beta': 'assistants=v2',
});

/** The innermost cause of an error from `fetch`, whose own message is only "fetch failed". */
export const deepestReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && !cause.message) return deepestReason(cause.errors[0]);
  if (cause instanceof Error) return deepestReason(cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
};

/** Starts each call at least `gap` milliseconds after the one before it. */
export const createTurns = (gap: number): (() => Promise<void>) => {
  let next = 0;
  return async () => {
    const wait = next - readStopwatch();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    next = readStopwatch() + gap;
  };
};
