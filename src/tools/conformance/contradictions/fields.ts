// The rules that runs and batches share: fields that are set in some states only, and timestamps in order.

/** Yields the fields of a record that are set although its state does not allow that, or missing although it requires them. */
export function* findMisplaced(record: { readonly status: string }, setIn: object): Generator<string> {
  const { status } = record;
  for (const [field, states] of Object.entries(setIn) as [string, readonly string[]][]) {
    const value: unknown = Reflect.get(record, field) ?? null;
    if ((value !== null) !== states.includes(status))
      yield `${field} is ${JSON.stringify(value)} in ${status}`;
  }
}

/**
 * Yields the timestamps of a record that are later than the next timestamp, or than `now`.
 *
 * @param timestamps the fields in the order in which they are set
 * @param now in seconds since 1970
 */
export function* findDisorderedTimes(record: object, timestamps: object, now: number): Generator<string> {
  const times = Object.keys(timestamps).flatMap((name) => {
    const at: unknown = Reflect.get(record, name);
    return typeof at === 'number' ? [{ name, at }] : [];
  });
  for (const [index, { name, at }] of times.entries()) {
    const next = times[index + 1];
    if (at > (next?.at ?? now)) yield next ? `${name} is after ${next.name}` : `${name} is in the future`;
  }
}
