import { distance } from 'fastest-levenshtein';
import { matchesSegment, type Route, segmentsOf, toSegments } from './router.ts';

/** Describes the operation nearest to an unknown path, and how the two differ. */
export const describeNearest = (operations: readonly Route[], path: string): string => {
  const [best] = operations
    .map((operation) => ({ operation, cost: costOf(segmentsOf(operation), toSegments(path)) }))
    .sort((a, b) => a.cost - b.cost);
  if (best === undefined) return '';
  const { operation } = best;
  const differs = best.cost === 0 ? '' : `: ${whatDiffers(segmentsOf(operation), toSegments(path))}`;
  return `The nearest is ${operation.id}, ${operation.method} ${operation.path}${differs}.`;
};

/** Segments are cut, so that a long path costs no more than a usual path. */
const costOf = (expected: string[], segments: string[]): number => {
  const length = Math.max(expected.length, Math.min(segments.length, 20));
  let cost = 0;
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [expected[at], segments[at]];
    if (a === undefined || b === undefined) cost += 5;
    else if (!matchesSegment(a, b))
      cost += Math.min(5, distance(a.toLowerCase(), b.slice(0, 50).toLowerCase()) + 0.5);
  }
  return cost;
};

const whatDiffers = (expected: string[], segments: string[]): string => {
  if (segments.at(-1) === '' && segments.length === expected.length + 1) return 'it has no slash at the end';
  const at = expected.findIndex((segment, index) => !matchesSegment(segment, segments[index] ?? ''));
  if (at === -1) return `it ends after segment ${expected.length}, '${expected.at(-1)}'`;
  const found = segments[at];
  if (found === undefined) return `segment ${at + 1}, '${expected[at]}', is missing`;
  return `segment ${at + 1} is '${found.slice(0, 50)}' where '${expected[at]}' was expected`;
};
