import type { WholeScenario } from './schema.ts';

/** One difference between two scenarios. */
export interface StateChange {
  /**
   * Such as `threads.thread_demo.records[run_1].status`: the parts of a list are named by their ids where each has one of
   * its own, otherwise by their places. ` (order)` behind it: the ids are the same, and stand in another order.
   */
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
export const compareScenarios = (from: WholeScenario, to: WholeScenario): StateChange[] => {
  const changes: StateChange[] = [];
  for (const change of compare(from, to, '')) {
    if (counters.has(change.path)) continue;
    if (changes.length >= maxChanges) break;
    changes.push(structuredClone(change));
  }
  return changes;
};

function* compare(from: unknown, to: unknown, path: string): Generator<StateChange> {
  if (Object.is(from, to)) return;
  const areLists = Array.isArray(from) && Array.isArray(to);
  const isNamed = areLists && haveOwnIds(from) && haveOwnIds(to);
  const [before, after] = [partsOf(from, isNamed), partsOf(to, isNamed)];
  if (before === undefined || after === undefined || Array.isArray(from) !== Array.isArray(to)) {
    yield { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return;
  }
  if (isNamed) yield* compareOrder(from.map(idOf), to.map(idOf), path);
  for (const key of new Set([...before.keys(), ...after.keys()]))
    yield* compare(before.get(key), after.get(key), `${path}${path === '' ? key.replace(/^\./, '') : key}`);
}

/** Where parts are known by their ids, their order is told apart from them: of those that are in both. */
function* compareOrder(
  from: readonly unknown[],
  to: readonly unknown[],
  path: string,
): Generator<StateChange> {
  const [inFrom, inTo] = [new Set(from), new Set(to)];
  const [before, after] = [from.filter((id) => inTo.has(id)), to.filter((id) => inFrom.has(id))];
  if (before.some((id, at) => id !== after[at])) yield { path: `${path} (order)`, from: before, to: after };
}

/** What a value is made of, each part by what its path adds; undefined where it is one. */
const partsOf = (value: unknown, isNamed: boolean): Map<string, unknown> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value).map(([key, part]) => [`.${key}`, part]));
  return new Map(value.map((part: unknown, at) => [`[${isNamed ? idOf(part) : at}]`, part]));
};

/** Whether each part of a list has an id, and no other one has it. */
const haveOwnIds = (parts: readonly unknown[]): boolean => {
  const ids = new Set(parts.map(idOf));
  return ids.size === parts.length && !ids.has(undefined);
};

const idOf = (value: unknown): string | undefined => {
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' ? id : undefined;
};
