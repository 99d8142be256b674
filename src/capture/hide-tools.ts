import { isMapping, ownValue } from '../util/mapping.ts';
import { type Hide, hideAll, hideEach, hideFields, hideName, keepForm, keepKey, keepOneOf } from './hide.ts';
import type { Replacements } from './replacements.ts';

/**
 * Hides a JSON Schema. Its structure and the names of properties are kept, except for ids and addresses in them; texts and
 * listed values are replaced. A property may be named like a keyword, and a default value may look like a schema.
 */
export const hideSchema: Hide = (value, given) => {
  if (Array.isArray(value)) return value.map((item) => hideSchema(item, given));
  if (!isMapping(value)) return hideAll(value, given);
  const hideInner = (key: string, inner: unknown) => (ownValue(keywords, key) ?? hideSchema)(inner, given);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [given.idsIn(key), hideInner(key, inner)]),
  );
};

/** Hides a mapping from names to schemas. */
const hideNamed =
  (hide: Hide): Hide =>
  (value, given) =>
    isMapping(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [given.idsIn(name), hide(inner, given)]),
        )
      : hideSchema(value, given);

const keepType = keepOneOf('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

const keepNames = hideEach(keepKey);

const keywords: Readonly<Record<string, Hide>> = {
  properties: hideNamed(hideSchema),
  patternProperties: hideNamed(hideSchema),
  $defs: hideNamed(hideSchema),
  definitions: hideNamed(hideSchema),
  dependentSchemas: hideNamed(hideSchema),
  dependentRequired: hideNamed(keepNames),
  required: keepNames,
  type: (value, given) => (Array.isArray(value) ? hideEach(keepType) : keepType)(value, given),
  format: keepForm(
    /^(?:date-time|date|time|duration|(?:idn-)?(?:email|hostname)|ipv[46]|[iu]ri(?:-reference)?|uri-template|uuid|(?:relative-)?json-pointer|regex|int32|int64|float|double|byte|binary)$/,
  ),
  $ref: (value, given) =>
    (typeof value === 'string' && value.startsWith('#') ? keepKey : hideAll)(value, given),
  default: hideAll,
  const: hideAll,
  enum: hideAll,
  examples: hideAll,
  example: hideAll,
};

/** A function that a model may call. */
export const hideFunction = hideFields({ name: hideName('function'), parameters: hideSchema });

const keepToolType = keepOneOf('function', 'code_interpreter', 'file_search', 'custom');

/** The tools of a run or a request. */
export const hideTools = hideEach(hideFields({ type: keepToolType, function: hideFunction }));

/** A tool choice: `none`, `auto` and `required` are kept; any other is the name of a function. */
export const hideChoice: Hide = (value: unknown, given: Replacements) =>
  typeof value === 'string' && /^(none|auto|required)$/.test(value)
    ? value
    : typeof value === 'string'
      ? given.name(value, 'function')
      : hideFields({ type: keepToolType, function: hideFunction, name: hideName('function') })(value, given);
