import type { WholeScenario } from './schema.ts';

/** One difference between two scenarios. */
export interface Change {
  /** Such as `threads.thread_demo.records[run_1].status`: what has an id is named by it, anything else by its place. */
  readonly path: string;
  /** Absent where there was nothing. */
  readonly from?: unknown;
  /** Absent where there is nothing. */
  readonly to?: unknown;
}

const maxChanges = 500;

/** Counted up by each call and each record that is made: it says nothing of what there is. */
const counters: ReadonlySet<string> = new Set(['requests', 'made']);

/** What differs between two scenarios, in the order of their parts. */
export const compareScenarios = (from: WholeScenario, to: WholeScenario): Change[] => {
  const changes: Change[] = [];
  for (const change of compare(from, to, '')) {
    if (counters.has(change.path)) continue;
    if (changes.length >= maxChanges) break;
    changes.push(structuredClone(change));
  }
  return changes;
};

function* compare(from: unknown, to: unknown, path: string): Generator<Change> {
  if (Object.is(from, to)) return;
  const [before, after] = [partsOf(from), partsOf(to)];
  if (before === undefined || after === undefined || Array.isArray(from) !== Array.isArray(to)) {
    yield { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return;
  }
  for (const key of new Set([...before.keys(), ...after.keys()]))
    yield* compare(before.get(key), after.get(key), `${path}${path === '' ? key.replace(/^\./, '') : key}`);
}

/** What a value is made of, each part by what its path adds; undefined where it is one. */
const partsOf = (value: unknown): Map<string, unknown> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value).map(([key, part]) => [`.${key}`, part]));
  return new Map(value.map((part: unknown, at) => [`[${idOf(part) ?? at}]`, part]));
};

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
