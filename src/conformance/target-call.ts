// What all calls to a real gateway have in common, those of laws and those of a capture.

/** What a call carries to be let in. They are sent, and never shown. */
export interface TargetKeys {
  readonly apiKey: string;
  /** Without it, nothing can be asked of operations that require it. */
  readonly virtualKey?: string | undefined;
}

/** The headers of every call. */
export const headersOf = ({ apiKey, virtualKey }: TargetKeys): Readonly<Record<string, string>> => ({
  accept: 'application/json',
  'x-gateway-api-key': apiKey,
  ...(virtualKey !== undefined && { 'x-gateway-virtual-key': virtualKey }),
  // The contract's name for it, with the vendor left out, and the one by which it is known.
  'vendor-beta': 'assistants=v2',
  'openai-beta': 'assistants=v2',
});

/** The reason that lies deepest in an error of `fetch`, which itself says "fetch failed" alone. */
export const deepestReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && !cause.message) return deepestReason(cause.errors[0]);
  if (cause instanceof Error) return deepestReason(cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
};
