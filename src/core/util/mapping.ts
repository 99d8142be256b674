/** An object with keys and values: neither a list nor null. */
export type Mapping = Readonly<Record<string, unknown>>;

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes each value of an object; the names may be any. */
export const mapValues = <Value, Changed>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Changed,
): Record<string, Changed> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));

/** A copy of an object with some of its values. */
export const filterValues = <Values extends object>(
  values: Values,
  isKept: (value: unknown, name: string) => boolean,
) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => isKept(value, name)),
  ) as Partial<Values>; // it adds no field

/**
 * A copy of a value in which `change` has replaced each text, at any depth, and `changeName` each key. `change` also gets the
 * name of the text's field.
 */
export const mapTexts = (
  value: unknown,
  change: (text: string, name: string) => unknown,
  changeName = (name: string): string => name,
  name = '',
): unknown => {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, changeName, name));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [changeName(key), mapTexts(inner, change, changeName, key)]),
  );
};

/** All texts of a value, at any depth, each with its path. */
export const textsIn = (
  value: unknown,
  path: readonly PropertyKey[] = [],
): { readonly path: readonly PropertyKey[]; readonly text: string }[] => {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
};

/** The value of a key of the object itself. Users choose the keys, such as `constructor`. */
export const ownValue = <Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

/** The value at a path, by keys that each value itself has; undefined if there is none. */
export const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (Object.hasOwn(Object(value), key) ? Reflect.get(Object(value), key) : undefined),
    root,
  );
