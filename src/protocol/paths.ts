/** Every path starts with the version segment (contract: Versioning). */
export const versionPath = '/v1';

/** Puts parameters into a path of the contract, percent-encoded: `/threads/{thread_id}/runs`. */
export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** A path of a server, and the session that it names ahead of it: `/sessions/NAME/v1/batches`. */
export const splitSession = (path: string): { readonly name: string | undefined; readonly path: string } => {
  const prefixed = path.startsWith('/sessions/') ? /^\/sessions\/([^/]*)(\/.*)?$/s.exec(path) : null;
  return prefixed === null ? { name: undefined, path } : { name: prefixed[1], path: prefixed[2] ?? '/' };
};

/** Of a path that may stand below others, the part from `at` on, with the session that is named right ahead of it. */
export const fromSession = (pathname: string, at: number): string =>
  (/\/sessions\/[^/]*$/.exec(pathname.slice(0, at))?.[0] ?? '') + pathname.slice(at);
