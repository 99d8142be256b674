import { type Hide, hideEach, hideFields, hideName, keepWord } from './hide.ts';
import type { Replacements } from './replacements.ts';

const schemaTypes = /^(string|number|integer|boolean|object|array|null)$/;

/** A JSON Schema: its structure and the names of properties stay, what is said and listed in it does not. */
export const hideSchema: Hide = (value, given) => {
  if (typeof value === 'string') return given.text(value);
  if (Array.isArray(value)) return value.map((item) => hideSchema(item, given));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isStructure(key, inner) ? inner : hideSchema(inner, given),
    ]),
  );
};

const isStructure = (key: string, value: unknown): boolean => {
  if (key === 'required') return Array.isArray(value);
  if (key === 'type') return [value].flat().every((type) => schemaTypes.test(String(type)));
  if (key === 'format') return /^[a-z-]{1,32}$/.test(String(value));
  return key === '$ref' && String(value).startsWith('#');
};

/** A function that a model may call. */
export const hideFunction = hideFields({ name: hideName('function'), parameters: hideSchema });

/** The tools of a run or a request. */
export const hideTools = hideEach(hideFields({ type: keepWord, function: hideFunction }));

/** `none`, `auto` and `required` are of a list; any other choice is the name of a function. */
export const hideChoice: Hide = (value: unknown, given: Replacements) =>
  typeof value === 'string' && /^(none|auto|required)$/.test(value)
    ? value
    : typeof value === 'string'
      ? given.name(value, 'function')
      : hideFields({ type: keepWord, function: hideFunction, name: hideName('function') })(value, given);
