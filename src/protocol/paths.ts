/** Every path starts with the version segment (contract: Versioning). */
export const versionPath = '/v1';

/** Puts parameters into a path of the contract, percent-encoded: `/threads/{thread_id}/runs`. */
export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Splits a path such as `/sessions/NAME/v1/batches` into the name of the session and the rest. */
export const splitSession = (path: string): { readonly name: string | undefined; readonly path: string } => {
  const prefixed = path.startsWith('/sessions/') ? /^\/sessions\/([^/]*)(\/.*)?$/s.exec(path) : null;
  return prefixed === null ? { name: undefined, path } : { name: prefixed[1], path: prefixed[2] ?? '/' };
};

/** The part of a path from `at` on, together with the session in front of it, if any. */
export const fromSession = (pathname: string, at: number): string =>
  (/\/sessions\/[^/]*$/.exec(pathname.slice(0, at))?.[0] ?? '') + pathname.slice(at);
