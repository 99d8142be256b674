import { fromSession, versionPath } from '../protocol/paths.ts';
import { matchPath, methodsOf, type Routed } from '../protocol/router.ts';

/** Tells the path of a request from `/v1` on; undefined where the request is none of ours. */
export type Locate = (url: URL, method: string) => string | undefined;

/**
 * Any base URL: a request is ours where what stands behind some `/v1` is a call that an operation serves. Other APIs
 * share that segment, so that everything else is left to them.
 */
export const belowAnyBase =
  (operations: readonly Routed[]): Locate =>
  ({ pathname }, method) => {
    for (
      let at = pathname.indexOf(`${versionPath}/`);
      at !== -1;
      at = pathname.indexOf(`${versionPath}/`, at + 1)
    ) {
      const match = matchPath(operations, pathname.slice(at + versionPath.length));
      if (match !== undefined && methodsOf(match.operation).includes(method))
        return fromSession(pathname, at);
    }
    return undefined;
  };

/**
 * One base URL: all that is below it is ours.
 *
 * @throws Error where it is no URL that ends in `/v1`
 */
export const belowBase = (baseUrl: string): Locate => {
  const trimmed = baseUrl.replace(/\/+$/, '');
  const base = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (base === undefined || !base.pathname.endsWith(versionPath))
    throw new Error(
      `Failed to use the base URL "${baseUrl}": it must be a whole URL that ends in ${versionPath}, such as "https://gateway.test${versionPath}".`,
    );
  const root = base.pathname.slice(0, -versionPath.length).replace(/\/sessions\/[^/]*$/, ''); // a session's is one of its siblings
  return ({ origin, pathname }) => {
    if (origin !== base.origin || !pathname.startsWith(root)) return undefined;
    const path = pathname.slice(root.length);
    return isServed(path) ? path : undefined;
  };
};

/** Whether a path is below the version segment, of a session or not: what a gateway answers, whether it has it or not. */
export const isServed = (path: string): boolean => /^(?:\/sessions\/[^/]*)?\/v1(?:\/|$)/.test(path);

/**
 * The path of a request from its session or `/v1` on, as a middleware sees it: the path that it is mounted at, which may
 * have both (`/api/v1`, `/sessions/NAME`), and the rest. Undefined where neither has a `/v1`.
 */
export const locateMounted = (mount: string, rest: string): string | undefined => {
  if (isServed(rest)) return fromSession(mount + rest, mount.length);
  const at = /^(.*)\/v1(?:\/|$)/s.exec(mount)?.[1]?.length;
  return at === undefined ? undefined : fromSession(mount + rest, at);
};

/** A server of our own: every path is ours. */
export const everything: Locate = ({ pathname }) => pathname;
