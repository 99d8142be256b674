import type { CompleteScenario } from './scenario-schema.ts';

/** A difference between two scenarios or states. */
export interface StateChange {
  /**
   * Where it is, such as `threads.thread_demo.records[run_1].status`. Items of a list are named by their ids if each has a unique
   * id, otherwise by their indexes. A path that ends in ` (order)` means that the same ids are in another order.
   */
  readonly path: string;
  /** The value before; undefined if there was none. */
  readonly from?: unknown;
  /** The value after; undefined if there is none. */
  readonly to?: unknown;
}

const maxChanges = 500;

/** Counters that go up with each call and each created record: they are not part of the state. */
const counters: ReadonlySet<string> = new Set(['requests', 'made']);

/** The differences between two scenarios, in the order of their parts, at most 500. */
export const compareScenarios = (from: CompleteScenario, to: CompleteScenario): StateChange[] => {
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

/** The order of items that both lists have is compared separately from the items. */
function* compareOrder(
  from: readonly unknown[],
  to: readonly unknown[],
  path: string,
): Generator<StateChange> {
  const [inFrom, inTo] = [new Set(from), new Set(to)];
  const [before, after] = [from.filter((id) => inTo.has(id)), to.filter((id) => inFrom.has(id))];
  if (before.some((id, at) => id !== after[at])) yield { path: `${path} (order)`, from: before, to: after };
}

/** The parts of a value, by the text that each adds to the path; undefined for a simple value. */
const partsOf = (value: unknown, isNamed: boolean): Map<string, unknown> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value).map(([key, part]) => [`.${key}`, part]));
  return new Map(value.map((part: unknown, at) => [`[${isNamed ? idOf(part) : at}]`, part]));
};

/** Whether each item of a list has a unique id. */
const haveOwnIds = (parts: readonly unknown[]): boolean => {
  const ids = new Set(parts.map(idOf));
  return ids.size === parts.length && !ids.has(undefined);
};

const idOf = (value: unknown): string | undefined => {
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' ? id : undefined;
};
