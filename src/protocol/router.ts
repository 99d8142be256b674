import { distance } from 'fastest-levenshtein';

/** The parts of an operation by which calls are routed. */
export interface Routed {
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
 * @param method one that the operation must support. Default: any
 */
export const matchPath = <Operation extends Pick<Routed, 'path' | 'method'>>(
  operations: readonly Operation[],
  path: string,
  method?: string,
): Match<Operation> | undefined => {
  const given = toSegments(path);
  for (const operation of operations) {
    if (method !== undefined && !methodsOf(operation).includes(method)) continue;
    const expected = segmentsOf(operation);
    if (
      expected.length === given.length &&
      expected.every((segment, at) => matchesSegment(segment, given[at] ?? ''))
    )
      return { operation, params: toParams(expected, given) };
  }
  return undefined;
};

/** The methods that an operation supports. */
const methodsOf = ({ method }: Pick<Routed, 'method'>): string[] =>
  method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS'];

/** The methods that the operations at a path support, for `Allow`: several may share a path. */
export const methodsAt = (operations: readonly Pick<Routed, 'path' | 'method'>[], path: string): string[] => {
  const found = operations.filter((operation) => matchPath([operation], path) !== undefined);
  return [...new Set(found.flatMap(methodsOf))].sort(
    (a, b) => Number(a === 'OPTIONS') - Number(b === 'OPTIONS'),
  );
};

/** Describes the operation nearest to an unknown path, and how the two differ. */
export const describeNearest = (operations: readonly Routed[], path: string): string => {
  const [best] = operations
    .map((operation) => ({ operation, cost: costOf(segmentsOf(operation), toSegments(path)) }))
    .sort((a, b) => a.cost - b.cost);
  if (best === undefined) return '';
  const { operation } = best;
  const differs = best.cost === 0 ? '' : `: ${whatDiffers(segmentsOf(operation), toSegments(path))}`;
  return `The nearest is ${operation.id}, ${operation.method} ${operation.path}${differs}.`;
};

const toSegments = (path: string): string[] => path.slice(1).split('/');

const split = new WeakMap<Pick<Routed, 'path'>, string[]>();

const segmentsOf = (operation: Pick<Routed, 'path'>): string[] => {
  const known = split.get(operation) ?? toSegments(operation.path);
  split.set(operation, known);
  return known;
};

const isParameter = (segment: string): boolean => segment.startsWith('{');

const matchesSegment = (expected: string, given: string): boolean =>
  isParameter(expected) ? given !== '' : expected === given;

const toParams = (expected: string[], given: string[]): Record<string, string> => {
  const params: Record<string, string> = {};
  for (let at = 0; at < expected.length; at += 1) {
    const segment = expected[at] ?? '';
    if (isParameter(segment)) params[segment.slice(1, -1)] = given[at] ?? '';
  }
  return params;
};

/** Segments are cut, so that a long path costs no more than a usual one. */
const costOf = (expected: string[], given: string[]): number => {
  const length = Math.max(expected.length, Math.min(given.length, 20));
  let cost = 0;
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [expected[at], given[at]];
    if (a === undefined || b === undefined) cost += 5;
    else if (!matchesSegment(a, b))
      cost += Math.min(5, distance(a.toLowerCase(), b.slice(0, 50).toLowerCase()) + 0.5);
  }
  return cost;
};

const whatDiffers = (expected: string[], given: string[]): string => {
  if (given.at(-1) === '' && given.length === expected.length + 1) return 'it has no slash at the end';
  const at = expected.findIndex((segment, index) => !matchesSegment(segment, given[index] ?? ''));
  if (at === -1) return `it ends after segment ${expected.length}, '${expected.at(-1)}'`;
  const found = given[at];
  if (found === undefined) return `segment ${at + 1}, '${expected[at]}', is missing`;
  return `segment ${at + 1} is '${found.slice(0, 50)}' where '${expected[at]}' was expected`;
};
