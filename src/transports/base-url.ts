import { fromSession, splitSession, versionPath } from '../protocol/paths.ts';
import { matchPath, methodsOf, type Routed } from '../protocol/router.ts';

/** A request that is for the gateway. */
export interface Located {
  /** Its path from `/v1` or `/sessions/NAME/v1` on, still percent-encoded. */
  readonly path: string;
  /** The id of the operation that serves this path and method; undefined where none does. */
  readonly operation: string | undefined;
}

/** Finds out whether a request is for the gateway; undefined where it is for others. */
export type Locate = (url: URL, method: string) => Located | undefined;

/**
 * Any base URL: a request is for the gateway where the part behind some `/v1` is a call that an operation serves. Other
 * APIs have that segment as well, so that everything else is left to them.
 */
export const belowAnyBase =
  (operations: readonly Routed[]): Locate =>
  ({ pathname }, method) => {
    for (
      let at = pathname.indexOf(`${versionPath}/`);
      at !== -1;
      at = pathname.indexOf(`${versionPath}/`, at + 1)
    ) {
      const operation = findOperation(operations, pathname.slice(at), method);
      if (operation !== undefined) return { path: fromSession(pathname, at), operation };
    }
    return undefined;
  };

/**
 * One base URL: every request below it is for the gateway.
 *
 * @throws Error where it is not a whole URL that ends in `/v1`
 */
export const belowBase = (baseUrl: string, operations: readonly Routed[]): Locate => {
  const trimmed = trimSlashes(baseUrl);
  const base = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (base === undefined || !base.pathname.endsWith(versionPath))
    throw new Error(
      `Failed to use the base URL "${baseUrl}": it must be a whole URL that ends in ${versionPath}, such as "https://gateway.test${versionPath}".`,
    );
  const root = base.pathname.slice(0, -versionPath.length).replace(/\/sessions\/[^/]*$/, ''); // a session's is one of its siblings
  return ({ origin, pathname }, method) => {
    if (origin !== base.origin || !pathname.startsWith(root)) return undefined;
    const path = pathname.slice(root.length);
    if (!isServed(path)) return undefined;
    return { path, operation: findOperation(operations, splitSession(path).path, method) };
  };
};

/** A base URL without the slashes at its end. */
export const trimSlashes = (baseUrl: string): string => baseUrl.replace(/\/+$/, '');

/** The operation that serves a path, from `/v1` on, and a method. */
const findOperation = (operations: readonly Routed[], path: string, method: string): string | undefined => {
  const match = matchPath(operations, path.slice(versionPath.length));
  return match !== undefined && methodsOf(match.operation).includes(method) ? match.operation.id : undefined;
};

/** Whether a path is below the version segment, of a session or not: the gateway answers it, by 404 where it has nothing there. */
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

/** A server of our own: every request is for the gateway. */
export const everything: Locate = ({ pathname }) => ({ path: pathname, operation: undefined });
