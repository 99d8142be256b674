import { createHideKeys as createHideAll } from '../journal/hide.ts';

/**
 * Hides the keys that calls carried, wherever they stand in a text: a gateway may quote them. A short word, such as
 * `any`, guards nothing and is left.
 */
export const createHideKeys = (keys: readonly (string | undefined)[]): ((text: string) => string) =>
  createHideAll(keys.filter((key) => key !== undefined && !/^[a-z]{1,7}$/i.test(key)) as string[]); // the others are gone

/** The same for every text in a value, its keys included. */
export const hideKeysIn = <Value>(value: Value, hide: (text: string) => string): Value => {
  if (typeof value === 'string') return hide(value) as Value;
  if (Array.isArray(value)) return value.map((item) => hideKeysIn(item, hide)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [hide(key), hideKeysIn(inner, hide)]),
  ) as Value; // the shape stays
};
