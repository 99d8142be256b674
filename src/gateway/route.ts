import type { RawCall } from '../protocol/call.ts';
import { refuse, shorten } from '../protocol/errors.ts';
import { describeNearest, type Match, matchPath, methodsOf } from '../protocol/router.ts';
import type { AnyOperation } from '../world/operation.ts';

/** Every path is below the version segment (contract: Versioning). */
const base = '/v1';

/**
 * Finds the operation that a call is for.
 *
 * @param onMiss told which operation is nearest, and what differs, where there is none
 * @throws GatewayError 404 or 405
 */
export const route = (
  operations: readonly AnyOperation[],
  { path, method }: Pick<RawCall, 'path' | 'method'>,
  onMiss: (message: string) => void,
): Match<AnyOperation> => {
  const match = path.startsWith(`${base}/`) ? matchPath(operations, path.slice(base.length)) : undefined;
  const served = match === undefined ? [] : methodsOf(match.operation);
  if (match !== undefined && served.includes(method)) return match;
  const message = describeMiss(operations, { path, method });
  onMiss(message);
  if (match === undefined) return refuse('unknown-path', { status: 404, message });
  return refuse('method-not-served', {
    status: 405,
    message,
    headers: { allow: served.join(', ') },
  });
};

/** Why no operation has this path and method: the nearest one, and what differs. */
export const describeMiss = (
  operations: readonly AnyOperation[],
  { path, method }: Pick<RawCall, 'path' | 'method'>,
): string => {
  if (!path.startsWith(`${base}/`))
    return `No operation has the path ${shorten(path)}: every path starts with ${base}/.`;
  const match = matchPath(operations, path.slice(base.length));
  if (match === undefined)
    return `No operation has the path ${shorten(path)}. ${describeNearest(operations, path.slice(base.length))}`;
  // HEAD answers as GET does, to the length of the message.
  return `${match.operation.id} is not served by ${method === 'HEAD' ? 'GET' : method}, but by ${methodsOf(match.operation).join(', ')}.`;
};

/** The path parameters of a call. @throws GatewayError 400 where one is no valid percent-encoding */
export const decodeParams = (params: Readonly<Record<string, string>>): Record<string, string> =>
  mapValues(
    params,
    (value, name) =>
      tryDecode(value) ??
      refuse('path-encoding', {
        status: 400,
        message: `Invalid '${name}': '${shorten(value)}' is no valid percent-encoding.`,
        param: name,
      }),
  );

/** Undefined where the text is no valid percent-encoding. */
export const tryDecode = (text: string): string | undefined => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

export const mapValues = (
  record: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> => {
  const changed: Record<string, string> = {};
  for (const name in record) changed[name] = change(record[name] ?? '', name);
  return changed;
};
