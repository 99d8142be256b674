import { isMapping } from '../util/mapping.ts';
import type { Replacements } from './replacements.ts';

/** How one value is told without what may be secret in it. */
export type Hide = (value: unknown, replacements: Replacements) => unknown;

/** Whatever stands in a place without a form of its own: texts are replaced, keys stay but for the ids in them. */
export const hideAll: Hide = (value, given) => {
  if (typeof value === 'string') return given.text(value);
  if (Array.isArray(value)) return value.map((item) => hideAll(item, given));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [given.idsIn(key), hideAll(inner, given)]),
  );
};

/** What is no text, where one should be, has no form to be kept. */
const ofText =
  (change: (text: string, replacements: Replacements) => string): Hide =>
  (value, given) =>
    typeof value === 'string' ? change(value, given) : hideAll(value, given);

/** Keeps a text that has a form which tells nothing, such as a moment; any other is replaced. */
export const keepForm = (form: RegExp): Hide =>
  ofText((text, given) => (form.test(text) ? text : given.text(text)));

/** A state or the code of an error: of a list whose names the contract does not give. */
export const keepWord = keepForm(/^[a-z][a-z0-9_.]{0,63}$/);

/** A value of a list that is known; any other one is a text. */
export const keepOneOf = (...values: readonly string[]): Hide =>
  ofText((text, given) => (values.includes(text) ? text : given.text(text)));

export const hideId = (prefix: string): Hide => ofText((text, given) => given.id(text, prefix));

export const hideName = (kind: string): Hide => ofText((text, given) => given.name(text, kind));

/** Of a key just the ids in it: the others are words of a list, or of whoever wrote the program. */
export const keepKey = ofText((text, given) => given.idsIn(text));

/** Models are kept; the name of one that was fine-tuned holds the names of an organisation and of a project. */
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

/** The fields named are told each in its way, all others as what may be secret. */
export const hideFields =
  (fields: Readonly<Record<string, Hide>>): Hide =>
  (value, given) => {
    if (!isMapping(value)) return hideAll(value, given);
    const hideField = (key: string): Hide =>
      (Object.hasOwn(fields, key) ? fields[key] : undefined) ?? hideAll;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, hideField(key)(inner, given)]),
    );
  };

export const hideEach =
  (hide: Hide): Hide =>
  (value, given) =>
    Array.isArray(value) ? value.map((item) => hide(item, given)) : hideAll(value, given);
