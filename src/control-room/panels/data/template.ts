import { toJsonText } from '../../../util/json.ts';
import { isMapping, type Mapping } from '../../../util/mapping.ts';
import { parseInput } from '../../parse-json.ts';
import { writeAt } from './form.ts';

/** A message of a prompt, stored or rendered. */
export interface Message {
  readonly role: string;
  readonly [field: string]: unknown;
}

export interface Version {
  readonly version: number;
  readonly labels: readonly string[];
  readonly messages: readonly Message[];
  readonly parameters: object;
}

/** The versions of a stored prompt. One without versions is itself version 1. */
export const versionsOf = (record: object): readonly Version[] => {
  const whole = record as Partial<Version> & { readonly versions?: readonly Partial<Version>[] }; // the server's own record
  const { versions = [whole] } = whole;
  return versions.map(({ version = 1, labels = [], messages = [], parameters = {} }) => ({
    version,
    labels,
    messages,
    parameters,
  }));
};

/** The version for a suffix, as in `id@suffix`. Without a suffix, it is the published one. */
export const pickVersion = (record: object, suffix: string): Version | undefined => {
  const versions = versionsOf(record);
  const newest = Math.max(...versions.map(({ version }) => version));
  const { published = newest } = record as { readonly published?: number };
  const wanted = suffix === '' ? String(published) : suffix === 'latest' ? String(newest) : suffix;
  return versions.find(({ version, labels }) => String(version) === wanted || labels.includes(wanted));
};

/** A variable of a template. One that opens a section may be more than a text. */
export interface Named {
  readonly name: string;
  readonly isSection: boolean;
}

/** Mustache tags with the usual delimiters, which is enough for a form. */
const tag = /\{\{\{?\s*([#^/&>!=]?)\s*([^{}]*?)\s*\}?\}\}/g;

export const namesIn = (messages: readonly Message[]): readonly Named[] => {
  const found = new Map<string, boolean>();
  for (const message of messages)
    for (const text of [message.name, message.content]) {
      let depth = 0;
      for (const [, sign = '', name = ''] of typeof text === 'string' ? text.matchAll(tag) : []) {
        const opens = sign === '#' || sign === '^';
        if (depth === 0 && (opens || sign === '' || sign === '&') && name !== '' && name !== '.')
          found.set(name, (found.get(name) ?? false) || opens);
        if (opens) depth += 1;
        if (sign === '/') depth -= 1;
      }
    }
  return Array.from(found, ([name, isSection]) => ({ name, isSection }));
};

/** Splits a text at tags: every second part is a tag. */
export const splitTags = (text: string): readonly string[] => text.split(/(\{\{\{?[^{}]*\}?\}\})/);

// Private-use characters, which prompts do not contain.
const [begin, end] = ['\uE000', '\uE001'];

/** Variables with marks, so that the rendering shows where values are missing. */
export const markMissing = (variables: Mapping, missing: readonly string[]): Mapping =>
  missing
    .filter((name) => !name.startsWith('>'))
    .reduce((marked, name) => writeAt(marked, name.split('.'), begin + name + end), variables);

/** Splits a rendered text at marks: every second part is the name of a missing variable. */
export const splitMissing = (text: string): readonly string[] => text.split(/\uE000(.*?)\uE001/s);

/**
 * The marked rendering if it equals the plain one apart from its marks. Marks may change sections that depend on missing
 * variables.
 */
export const agreeing = (marked: readonly Message[], plain: readonly Message[]): readonly Message[] =>
  toJsonText(marked).replaceAll(/\uE000.*?\uE001/gs, '') === toJsonText(plain) ? marked : plain;

/** Parses the variables that a user wrote. @throws Error if they are no object */
export const parseVariables = (text: string): Mapping => {
  const value: unknown = text.trim() === '' ? {} : parseInput(text);
  if (!isMapping(value)) throw new Error('The variables must be an object such as {"name": "Ada"}.');
  return value;
};
