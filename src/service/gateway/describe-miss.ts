import type { AnyOperation } from '../../core/operations/operation.ts';
import type { Call } from '../../core/protocol/call.ts';
import { GatewayError } from '../../core/protocol/errors.ts';
import { describeNearest } from '../../core/protocol/nearest-operation.ts';
import { isBelowVersion, versionPath } from '../../core/protocol/paths.ts';
import { matchCall, matchPath, methodsAt } from '../../core/protocol/router.ts';
import { truncate } from '../../core/util/truncate.ts';

/** The error for a call that matches no operation: 404, or 405 if the path has operations with other methods. */
export const toRouteError = (
  operations: readonly AnyOperation[],
  { path, method }: Pick<Call, 'path' | 'method'>,
): GatewayError => {
  const message = describeMiss(operations, { path, method });
  const served = isBelowVersion(path) ? methodsAt(operations, path.slice(versionPath.length)) : [];
  if (served.length === 0) return new GatewayError('unknown-path', { status: 404, message });
  return new GatewayError('method-not-served', {
    status: 405,
    message,
    headers: { allow: served.join(', ') },
  });
};

/** Why no operation matches a path and method: the nearest operation, and the difference. */
export const describeMiss = (
  operations: readonly AnyOperation[],
  { path, method }: Pick<Call, 'path' | 'method'>,
): string => {
  const found = `No operation has the path ${truncate(path)}`;
  if (path === '/')
    return `${found}: every path starts with ${versionPath}/. The control room and the admin API of a server are at /__admin/, its OpenAPI document is at /openapi.json.`;
  if (!isBelowVersion(path))
    return `${found}: every path starts with ${versionPath}/. ${describeNearestBelow(operations, path)}`;
  const below = path.slice(versionPath.length);
  if (isBelowVersion(below))
    return `${found}: it has ${versionPath} twice, perhaps in the base URL and in the path. ${describeNearestBelow(operations, below)}`;
  const match = matchPath(operations, below);
  if (match === undefined) return `${found}. ${describeNear(operations, below)}`;
  // The reply to HEAD must have the length of the reply to GET.
  return `${match.operation.id} does not support ${method === 'HEAD' ? 'GET' : method}, only ${methodsAt(operations, below).join(', ')}. Another method can be a call of your own (defineCall).`;
};

/**
 * Why a request in process was left to other handlers: it calls an operation below another base URL, or matches no operation.
 *
 * @param baseUrl the only base URL of the gateway; undefined if it answers at any
 * @returns undefined for a request that does not look like a call
 */
export const describeLeft = (
  operations: readonly AnyOperation[],
  baseUrl: string | undefined,
  { url, method }: Pick<Request, 'url' | 'method'>,
): string | undefined => {
  const { origin, pathname } = new URL(url);
  const at = pathname.indexOf(`${versionPath}/`);
  if (at === -1 && findCall(operations, pathname) === undefined) return undefined;
  const path = pathname.slice(Math.max(at, 0));
  const match = matchCall(operations, { path, method });
  if (baseUrl === undefined || match === undefined) return describeMiss(operations, { method, path });
  const called = `${origin}${pathname.slice(0, at)}${versionPath}`;
  return `${match.operation.id} was called at another base URL, ${truncate(called)}: this gateway answers only ${baseUrl} (the option baseUrl). Several gateways in one process need one MSW server with the handlers of all.`;
};

/** The index at which the path of an operation begins in a path, after any prefix such as `/v2`. */
const findCall = (operations: readonly AnyOperation[], path: string): number | undefined => {
  const starts = [...path.matchAll(/\//g)].slice(0, 20).map(({ index }) => index);
  return starts.find((at) => matchPath(operations, path.slice(at)) !== undefined);
};

/** Describes the nearest operation, taking any prefix for a mistyped `/v1`. */
const describeNearestBelow = (operations: readonly AnyOperation[], path: string): string => {
  const start = findCall(operations, path);
  const below = start === undefined ? path.replace(/^\/v\d*(?=\/)/i, '') : path.slice(start);
  return describeNear(operations, below);
};

/** Paths of calls that clients know from other gateways, but that the contract does not have. */
const wellKnown =
  /^\/(?:assistants|audio|chat|completions|embeddings|files|images|messages|models|moderations|responses|uploads|vector_stores)(?:\/|$)/;

/** Paths of further calls that clients know: on a single batch, thread, run, fine-tuning job or stored prompt. */
const siblings =
  /^\/(?:batches\/[^/]+(?:\/cancel)?|threads(?:\/[^/]+(?:\/(?:messages|runs\/[^/]+).*)?)?|fine_tuning\/jobs(?:\/[^/]+(?:\/(?:cancel|events|pause|resume|checkpoints\/.+))?)?|prompts(?:\/[^/]+(?:\/(?:completions|versions.*))?)?|policies\/rate-limits)$/;

const describeNear = (operations: readonly AnyOperation[], path: string): string =>
  wellKnown.test(path) || siblings.test(path)
    ? 'The contract does not have this call. Load a ready-made call (gateway-mock/calls), add a call of your own (defineCall), or let a server forward the call to another server (--upstream).'
    : describeNearest(operations, path);
