/** A change of some fields of a record, from the time `at` on, in seconds since 1970. */
export interface Transition<Value> {
  readonly at: number;
  readonly set: Partial<Value>;
}

/** A record before its transitions, and its transitions in order of time. */
export interface Timeline<Value> {
  readonly record: Value;
  readonly transitions: readonly Transition<Value>[];
}

/** How many transitions have happened by a time. */
export const countPassed = ({ transitions }: Timeline<unknown>, now: number): number => {
  const next = transitions.findIndex(({ at }) => at > now);
  return next === -1 ? transitions.length : next;
};

/** A record after its first `count` transitions. */
export const afterTransitions = <Value extends object>(
  { record, transitions }: Timeline<Value>,
  count: number,
): Value =>
  count === 0 ? record : Object.assign({}, record, ...transitions.slice(0, count).map(({ set }) => set));

/** A record as it is at a time. It is a pure function, so that the clock can go back. */
export const recordAt = <Value extends object>(timeline: Timeline<Value>, now: number): Value =>
  afterTransitions(timeline, countPassed(timeline, now));

/** A record as a scenario lists it, with its transitions if it has any. */
export const toWritten = <Value extends object>({ record, transitions }: Timeline<Value>): Value =>
  transitions.length === 0
    ? record
    : { ...record, transitions: transitions.map(({ at, set }) => ({ at, set: inOrderOf(record, set) })) };

/** The fields in the order of a record, as the schema of a scenario returns them: an export of an import is the same text. */
const inOrderOf = (record: object, set: object): object => {
  const fields = Object.keys(record);
  return Object.fromEntries(Object.entries(set).sort(([a], [b]) => fields.indexOf(a) - fields.indexOf(b)));
};
