/** From the time `at` on, these fields of a record have these values. */
export interface Transition<Value> {
  readonly at: number;
  readonly set: Partial<Value>;
}

/** A record as it was created, and what changes it later, in the order of time. */
export interface Timeline<Value> {
  readonly record: Value;
  readonly transitions: readonly Transition<Value>[];
}

/** How many transitions lie behind a time. */
export const countPassed = ({ transitions }: Timeline<unknown>, now: number): number => {
  const next = transitions.findIndex(({ at }) => at > now);
  return next === -1 ? transitions.length : next;
};

/** A record after its first transitions. */
export const afterTransitions = <Value extends object>(
  { record, transitions }: Timeline<Value>,
  count: number,
): Value =>
  count === 0 ? record : Object.assign({}, record, ...transitions.slice(0, count).map(({ set }) => set));

/** A record as it stands at a time: a pure function, so that the clock may go back. */
export const recordAt = <Value extends object>(life: Timeline<Value>, now: number): Value =>
  afterTransitions(life, countPassed(life, now));
