/**
 * What becomes of a request that no handler matches: it passes in silence, with a warning, not at all, or a function
 * decides, which may print MSW's own words, and stops the request where it throws.
 */
export type OnUnhandledRequest =
  | 'bypass'
  | 'warn'
  | 'error'
  | ((
      request: Request,
      print: { readonly warning: () => void; readonly error: () => void },
    ) => void | Promise<void>);

/** What MSW 3 hands to its option: a request, or the connection of a WebSocket. */
interface UnhandledFrame {
  readonly frame: {
    readonly data: { readonly request?: Request; readonly connection?: { readonly client: { url: URL } } };
  };
  readonly defaults: { readonly warn: () => void; readonly error: () => void };
}

/**
 * Options for MSW with the one about unhandled requests under both its names: MSW 2 reads `onUnhandledRequest`, MSW 3
 * `onUnhandledFrame`, and each ignores the other.
 *
 * @throws Error where the option is given by the name that MSW 3 has for it
 */
export const forBothMajors = <
  Options extends { readonly onUnhandledRequest?: OnUnhandledRequest | undefined },
>(
  options: Options,
) => {
  if ('onUnhandledFrame' in options)
    throw new Error(
      'There is no option "onUnhandledFrame" here. Use "onUnhandledRequest", which works with MSW 2 and MSW 3.',
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
