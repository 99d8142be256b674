// What runs and batches have in common: fields that are set in some states only, and timestamps in order.

/** Yields the fields of a record that are set although its state does not allow that, or missing although it requires them. */
export function* findMisplaced(
  record: { readonly status: string },
  setIn: Readonly<Record<string, readonly string[]>>,
): Generator<string> {
  const { status } = record;
  for (const [field, states] of Object.entries(setIn)) {
    const value: unknown = Reflect.get(record, field) ?? null;
    if ((value !== null) !== states.includes(status))
      yield `${field} is ${JSON.stringify(value)} in ${status}`;
  }
}

/**
 * Yields the timestamps of a record that are later than the next one, or than `now`.
 *
 * @param fields the timestamps in the order in which they are set
 * @param now in seconds since 1970
 */
export function* findDisorder<Field extends string>(
  record: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
  now: number,
): Generator<string> {
  const times = fields.filter((name) => typeof record[name] === 'number');
  for (const [index, name] of times.entries()) {
    const next = times[index + 1];
    const end = next === undefined ? now : Number(record[next]);
    if (Number(record[name]) > end) yield next ? `${name} is after ${next}` : `${name} is in the future`;
  }
}
