/** An object with keys and values: neither a list nor null. */
export type Mapping = Readonly<Record<string, unknown>>;

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes each text; the names may be any. */
export const mapTexts = (
  texts: Readonly<Record<string, string>>,
  change: (text: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text, name)]));

/** The value of a key that the object itself has. Users choose the keys, and one of them may be `constructor`. */
export const ownValue = <Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;
