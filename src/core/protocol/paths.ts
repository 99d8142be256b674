import { mapValues } from '../util/mapping.ts';
import { truncate } from '../util/truncate.ts';
import { refuse } from './refuse.ts';

/** Every path starts with the version segment (contract: Versioning). */
export const versionPath = '/v1';

export const isBelowVersion = (path: string): boolean => path.startsWith(`${versionPath}/`);

/** Puts parameters into a path of the contract, percent-encoded: `/threads/{thread_id}/runs`. */
export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** The names of the parameters in a path of the contract. */
export const paramsIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Whether two paths of operations match the same requests, whatever their parameters are called. */
export const isSamePath = (path: string, other: string): boolean =>
  fillPath(path, {}) === fillPath(other, {});

/** Splits a path such as `/sessions/NAME/v1/batches` into the name of the session and the rest. */
export const splitSession = (path: string): { readonly name: string | undefined; readonly path: string } => {
  const prefixed = path.startsWith('/sessions/') ? /^\/sessions\/([^/]*)(\/.*)?$/s.exec(path) : null;
  return prefixed === null ? { name: undefined, path } : { name: prefixed[1], path: prefixed[2] ?? '/' };
};

/** The part of a path from `at` on, together with the session in front of it, if any. */
export const fromSession = (pathname: string, at: number): string =>
  (/\/sessions\/[^/]*$/.exec(pathname.slice(0, at))?.[0] ?? '') + pathname.slice(at);

type Params = Readonly<Record<string, string>>;

/** Decodes path parameters. @throws GatewayError 400 if a parameter has invalid percent-encoding */
export const decodeParams = (params: Params): Record<string, string> =>
  mapValues(
    params,
    (value, name) =>
      tryDecode(value) ??
      refuse('path-encoding', {
        message: `Invalid '${name}': '${truncate(value)}' has invalid percent-encoding.`,
        param: name,
      }),
  );

/** Decodes path parameters for the journal. Those with invalid percent-encoding stay as they were sent. */
export const decodeWherePossible = (params: Params): Record<string, string> =>
  mapValues(params, (value) => tryDecode(value) ?? value);

const tryDecode = (text: string): string | undefined => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
