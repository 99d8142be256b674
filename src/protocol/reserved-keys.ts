/** Where a value has a key that JavaScript takes for something else, so that it would be left out in silence. */
export const findReservedKeys = (root: unknown): PropertyKey[][] => {
  const seen = new Set<object>();
  const find = (value: unknown, path: readonly PropertyKey[]): PropertyKey[][] => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return [];
    seen.add(value);
    return Object.entries(value).flatMap(([key, inner]) => {
      const place = [...path, Array.isArray(value) ? Number(key) : key];
      return key === '__proto__' ? [place] : find(inner, place);
    });
  };
  return find(root, []);
};

/** What is said of such a key. */
export const reservedKeyRule = 'no key may be called __proto__';
