/** The paths of all keys called `__proto__`, which JavaScript treats specially, so that they would be lost silently. */
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

export const reservedKeyRule = 'the key __proto__ is not allowed';
