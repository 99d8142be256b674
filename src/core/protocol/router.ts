import { isBelowVersion, versionPath } from './paths.ts';

/** The parts of an operation that routing uses. */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the base URL, with parameters in braces: `/threads/{thread_id}/runs`. */
  readonly path: string;
}

/** The operation of a path, and its parameters: still percent-encoded, and never empty. */
export interface Match<Operation> {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the operation with this path. Letter case and trailing slashes matter.
 *
 * @param method the method that the operation must support. Default: any
 */
export const matchPath = <Operation extends Pick<Route, 'path' | 'method'>>(
  operations: readonly Operation[],
  path: string,
  method?: string,
): Match<Operation> | undefined => {
  const segments = toSegments(path);
  for (const operation of operations) {
    const expected = segmentsOf(operation);
    if (
      expected.length === segments.length &&
      expected.every((segment, at) => matchesSegment(segment, segments[at] ?? '')) &&
      (method === undefined || methodsOf(operation).includes(method))
    )
      return { operation, params: toParams(expected, segments) };
  }
  return undefined;
};

/** The operation of a call, whose path starts with the version: `/v1/batches`. */
export const matchCall = <Operation extends Pick<Route, 'path' | 'method'>>(
  operations: readonly Operation[],
  { path, method }: { readonly path: string; readonly method: string },
): Match<Operation> | undefined =>
  isBelowVersion(path) ? matchPath(operations, path.slice(versionPath.length), method) : undefined;

/** The methods by which an operation is called. */
export const methodsOf = ({ method }: Pick<Route, 'method'>): string[] =>
  method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS'];

/** The methods that the operations at a path support, for `Allow`: several may share a path. */
export const methodsAt = (operations: readonly Pick<Route, 'path' | 'method'>[], path: string): string[] => {
  const found = operations.filter((operation) => matchPath([operation], path) !== undefined);
  return [...new Set(found.flatMap(methodsOf))].sort(
    (a, b) => Number(a === 'OPTIONS') - Number(b === 'OPTIONS'),
  );
};

export const toSegments = (path: string): string[] => path.slice(1).split('/');

const split = new WeakMap<Pick<Route, 'path'>, string[]>();

export const segmentsOf = (operation: Pick<Route, 'path'>): string[] => {
  const segments = split.get(operation) ?? toSegments(operation.path);
  split.set(operation, segments);
  return segments;
};

const isParameter = (segment: string): boolean => segment.startsWith('{');

export const matchesSegment = (expected: string, segment: string): boolean =>
  isParameter(expected) ? segment !== '' : expected === segment;

const toParams = (expected: string[], segments: string[]): Record<string, string> => {
  const params: Record<string, string> = {};
  for (let at = 0; at < expected.length; at += 1) {
    const segment = expected[at] ?? '';
    if (isParameter(segment)) params[segment.slice(1, -1)] = segments[at] ?? '';
  }
  return params;
};
