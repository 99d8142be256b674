import { fromSession, splitSession, versionPath } from '../protocol/paths.ts';
import { matchPath, type Route } from '../protocol/router.ts';

/** A request that is for the gateway. */
export interface Located {
  /** Its path from `/v1` or `/sessions/NAME/v1` on, still percent-encoded. */
  readonly path: string;
  /** The id of the operation with this path and method; undefined if there is none. */
  readonly operation: string | undefined;
}

/** Returns where a request leads in the gateway; undefined if it is for another service. */
export type Locate = (url: URL, method: string) => Located | undefined;

/**
 * Any base URL: a request is for the gateway if an operation has the path after some `/v1`. Everything else is left to other
 * services, whose paths may also contain `/v1`.
 */
export const belowAnyBase =
  (operations: readonly Route[]): Locate =>
  ({ pathname }, method) => {
    const next = (from: number): number => pathname.indexOf(`${versionPath}/`, from);
    for (let at = next(0); at !== -1; at = next(at + 1)) {
      const operation = findOperation(operations, pathname.slice(at), method);
      if (operation !== undefined) return { path: fromSession(pathname, at), operation };
    }
    return undefined;
  };

/**
 * One base URL: every request below it is for the gateway.
 *
 * @throws Error if it is not an absolute URL that ends in `/v1`
 */
export const belowBase = (baseUrl: string, operations: readonly Route[]): Locate => {
  const trimmed = trimSlashes(baseUrl);
  const base = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (base === undefined || !base.pathname.endsWith(versionPath))
    throw new Error(
      `Invalid base URL "${baseUrl}": it must be an absolute URL that ends in ${versionPath}, such as "https://gateway.test${versionPath}".`,
    );
  const root = base.pathname.slice(0, -versionPath.length).replace(/\/sessions\/[^/]*$/, ''); // the URLs of sessions are below the same root
  return ({ origin, pathname }, method) => {
    if (origin !== base.origin || !pathname.startsWith(root)) return undefined;
    const path = pathname.slice(root.length);
    if (!isServed(path)) return undefined;
    return { path, operation: findOperation(operations, splitSession(path).path, method) };
  };
};

/** Removes the slashes at the end of a base URL. */
export const trimSlashes = (baseUrl: string): string => baseUrl.replace(/\/+$/, '');

/** The id of the operation with a path, from `/v1` on, and a method. */
const findOperation = (operations: readonly Route[], path: string, method: string): string | undefined =>
  matchPath(operations, path.slice(versionPath.length), method)?.operation.id;

/** Whether a path is below `/v1`, of a session or not: the gateway answers it, with 404 if no operation matches. */
export const isServed = (path: string): boolean => /^(?:\/sessions\/[^/]*)?\/v1(?:\/|$)/.test(path);

/**
 * The path of a request from its session or `/v1` on. A middleware gets it in two parts, the mount path (`/api/v1`,
 * `/sessions/NAME`) and the rest, and `/v1` may be in either. Undefined if it is in neither.
 */
export const locateMounted = (mount: string, rest: string): string | undefined => {
  if (isServed(rest)) return fromSession(mount + rest, mount.length);
  const at = /^(.*)\/v1(?:\/|$)/s.exec(mount)?.[1]?.length;
  return at === undefined ? undefined : fromSession(mount + rest, at);
};
