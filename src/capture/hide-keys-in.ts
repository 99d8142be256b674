/** Applies `hide` to every text of a value, including the names of its fields. */
export const hideKeysIn = <Value>(value: Value, hide: (text: string) => string): Value => {
  if (typeof value === 'string') return hide(value) as Value;
  if (Array.isArray(value)) return value.map((item) => hideKeysIn(item, hide)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [hide(key), hideKeysIn(inner, hide)]),
  ) as Value; // the shape is the same
};
