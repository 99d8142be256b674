/**
 * What happens to a request that matches no handler: `'bypass'` performs it, `'warn'` also prints a warning, `'error'` makes
 * it fail. A function may print MSW's own warning or error with `print`, and makes the request fail if it throws.
 */
export type OnUnhandledRequest =
  | 'bypass'
  | 'warn'
  | 'error'
  | ((
      request: Request,
      print: { readonly warning: () => void; readonly error: () => void },
    ) => void | Promise<void>);

/** The argument of MSW 3's option: a request, or a WebSocket connection. */
interface UnhandledFrame {
  readonly frame: {
    readonly data: { readonly request?: Request; readonly connection?: { readonly client: { url: URL } } };
  };
  readonly defaults: { readonly warn: () => void; readonly error: () => void };
}

/**
 * Sets the option for unhandled requests under both of its names: MSW 2 reads `onUnhandledRequest`, MSW 3 reads
 * `onUnhandledFrame`, and each ignores the other.
 *
 * @throws Error if the option is given under the name of MSW 3
 */
export const forBothMajors = <
  Options extends { readonly onUnhandledRequest?: OnUnhandledRequest | undefined },
>(
  options: Options,
) => {
  if ('onUnhandledFrame' in options)
    throw new Error(
      'Unknown option "onUnhandledFrame". Use "onUnhandledRequest", which works with MSW 2 and MSW 3.',
    );
  const { onUnhandledRequest = 'warn', ...others } = options;
  const onUnhandledFrame =
    typeof onUnhandledRequest === 'string'
      ? onUnhandledRequest
      : ({ frame: { data }, defaults }: UnhandledFrame) =>
          onUnhandledRequest(data.request ?? new Request(String(data.connection?.client.url)), {
            warning: defaults.warn,
            error: defaults.error,
          });
  return { ...others, onUnhandledRequest, onUnhandledFrame };
};

type Listener = (event: { readonly request: Request }) => void;

/** The part of MSW's events that both majors have. */
interface UnhandledEvents {
  readonly on: (name: 'request:unhandled', listener: Listener) => unknown;
  readonly removeListener: (name: 'request:unhandled', listener: Listener) => unknown;
}

/**
 * Returns a function to call when the interception starts. From then on, a sentence is printed beside MSW's own warning or error.
 *
 * @param describe returns the sentence; undefined for a request that does not look like a call of the gateway
 */
export const explainUnhandled = (
  events: UnhandledEvents,
  describe: (request: Request) => string | undefined,
) => {
  const explain: Listener = ({ request }) => {
    const sentence = describe(request);
    if (sentence !== undefined) console.warn(`gateway-mock: ${sentence}`);
  };
  return (strategy: OnUnhandledRequest = 'warn'): void => {
    events.removeListener('request:unhandled', explain);
    if (strategy === 'warn' || strategy === 'error') events.on('request:unhandled', explain);
  };
};
