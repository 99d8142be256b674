/** The options of a server for calls that are passed on. */
export interface UpstreamOptions {
  /**
   * The base URL of another server, such as `http://127.0.0.1:5000/v1`. Calls below `/v1` that no operation serves are sent
   * there, and its replies are passed back. Without a path, `/v1` is added. Default: none; such calls get 404 or 405.
   */
  readonly upstream?: string | undefined;
  /** Whether that server gets the credentials of these calls, and may set cookies. Default: false. */
  readonly upstreamCredentials?: boolean | undefined;
  /** How long that server may take until its reply begins, in milliseconds. Default: 60,000. */
  readonly upstreamTimeout?: number | undefined;
}

/** The longest time that a timer of Node can take, in milliseconds. */
const longestTimeout = 2 ** 31 - 1;

/** @throws Error on an invalid URL or timeout */
export const readUpstreamOptions = ({
  upstream,
  upstreamCredentials: hasCredentials = false,
  upstreamTimeout,
}: UpstreamOptions) => {
  if (upstream === undefined) {
    if (hasCredentials || upstreamTimeout !== undefined)
      throw new Error(
        'The options "upstreamCredentials" and "upstreamTimeout" need "upstream": no server is given to pass calls on to (--upstream URL).',
      );
    return undefined;
  }
  const timeout = upstreamTimeout ?? 60_000;
  if (!(timeout >= 1 && timeout <= longestTimeout))
    throw new Error(
      `The option "upstreamTimeout" must be a number of milliseconds from 1 to ${longestTimeout}, but found ${timeout}.`,
    );
  return { base: toBase(upstream), timeout, hasCredentials };
};

/** A base URL without a slash at its end. */
const toBase = (given: string): URL => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  if (!isPlain)
    throw new Error(
      `Invalid upstream "${withoutUser(given)}": it must be the base URL of another server, such as "http://127.0.0.1:5000/v1", without a user, a query or a fragment.`,
    );
  url.pathname = url.pathname.replace(/\/+$/, '') || '/v1';
  return url;
};

/** An invalid URL without the password that may stand in it. */
const withoutUser = (text: string): string => text.replace(/\/\/.*@/s, '//…@').replace(/[?#].*/s, '?…');
