import { mapTexts } from '../conformance/texts.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import type { Replacements } from './replacements.ts';

/** Replaces what may be secret in a value. */
export type Hide = (value: unknown, replacements: Replacements) => unknown;

/** Replaces all texts of a value. The names of fields are kept, except for ids in them. */
export const hideAll: Hide = (value, given) => mapTexts(value, given.text, given.idsIn);

/** Changes a text. A value of another type is hidden completely. */
const ofText =
  (change: (text: string, replacements: Replacements) => string): Hide =>
  (value, given) =>
    typeof value === 'string' ? change(value, given) : hideAll(value, given);

/** Keeps a text of a harmless form, such as a date-time, and replaces any other. */
export const keepForm = (form: RegExp): Hide =>
  ofText((text, given) => (form.test(text) ? text : given.text(text)));

/** Keeps a state or an error code, whose values the contract does not list. */
export const keepWord = keepForm(/^[a-z][a-z0-9_.]{0,63}$/);

/** Keeps one of the known values, and replaces any other. */
export const keepOneOf = (...values: readonly string[]): Hide =>
  ofText((text, given) => (values.includes(text) ? text : given.text(text)));

export const hideId = (prefix: string): Hide => ofText((text, given) => given.id(text, prefix));

export const hideName = (kind: string): Hide => ofText((text, given) => given.name(text, kind));

/** Replaces only the ids in a key: the rest are usual words, or names from the program. */
export const keepKey = ofText((text, given) => given.idsIn(text));

/** Keeps a model. The name of a fine-tuned model contains those of an organisation and a project, which are replaced. */
export const keepModel = ofText((text, given) => {
  if (!text.startsWith('ft:')) return /^[\w.:/@+-]{1,200}$/.test(text) ? given.idsIn(text) : given.text(text);
  const [, base = '', ...rest] = text.split(':');
  const step = /^ckpt-step-\d+$/.test(rest.at(-1) ?? '') ? rest.splice(-1) : [];
  return ['ft', base, given.name(rest.join(':'), 'model'), ...step].join(':');
});

/** The JSON text of a call's arguments: its keys are those of the function, its values the account's. */
export const hideArguments = ofText((text, given) => {
  try {
    const parsed: unknown = JSON.parse(text);
    return isMapping(parsed) ? JSON.stringify(hideAll(parsed, given)) : given.text(text);
  } catch {
    return given.text(text);
  }
});

/** Hides each named field in its own way, and all others completely. */
export const hideFields =
  (fields: Readonly<Record<string, Hide>>): Hide =>
  (value, given) => {
    if (!isMapping(value)) return hideAll(value, given);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, (ownValue(fields, key) ?? hideAll)(inner, given)]),
    );
  };

export const hideEach =
  (hide: Hide): Hide =>
  (value, given) =>
    Array.isArray(value) ? value.map((item) => hide(item, given)) : hideAll(value, given);
