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
  const times = fields.flatMap((name) => {
    const at = record[name];
    return typeof at === 'number' ? [{ name, at }] : [];
  });
  for (const [index, { name, at }] of times.entries()) {
    const next = times[index + 1];
    if (at > (next?.at ?? now)) yield next ? `${name} is after ${next.name}` : `${name} is in the future`;
  }
}
