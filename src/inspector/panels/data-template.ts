import { toJsonText } from '../../util/json.ts';
import { isMapping } from '../../util/mapping.ts';

/** A message of a prompt, as stored or as rendered. */
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

/** The versions of a stored prompt: one that has none is its own first. */
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

/** The version that a suffix picks, as in `id@suffix`: none is the published one. */
export const pickVersion = (record: object, suffix: string): Version | undefined => {
  const versions = versionsOf(record);
  const newest = Math.max(...versions.map(({ version }) => version));
  const { published = newest } = record as { readonly published?: number };
  const wanted = suffix === '' ? String(published) : suffix === 'latest' ? String(newest) : suffix;
  return versions.find(({ version, labels }) => String(version) === wanted || labels.includes(wanted));
};

/** A variable that a template names outside of sections; one that opens a section is more than a text. */
export interface Named {
  readonly name: string;
  readonly isSection: boolean;
}

/** Tags of Mustache, as far as a form needs them: of other delimiters than braces it knows nothing. */
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

/** A text in pieces: every second one is a tag. */
export const splitTags = (text: string): readonly string[] => text.split(/(\{\{\{?[^{}]*\}?\}\})/);

type Variables = Readonly<Record<string, unknown>>;

const own = (value: unknown, key: string): unknown =>
  isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** What a dotted name stands for. */
export const readName = (variables: unknown, name: string): unknown => name.split('.').reduce(own, variables);

/** The variables with another value for a dotted name; undefined leaves it out. */
export const writeName = (variables: Variables, name: string, value: unknown): Variables => {
  const [first = '', ...rest] = name.split('.');
  const inner = own(variables, first);
  const next = rest.length === 0 ? value : writeName(isMapping(inner) ? inner : {}, rest.join('.'), value);
  if (next !== undefined) return { ...variables, [first]: next };
  return Object.fromEntries(Object.entries(variables).filter(([key]) => key !== first));
};

// Characters of the private-use area: no prompt has them.
const [begin, end] = ['\uE000', '\uE001'];

/** Variables by which a rendering shows where something is missing. */
export const markMissing = (variables: Variables, missing: readonly string[]): Variables =>
  missing
    .filter((name) => !name.startsWith('>'))
    .reduce((marked, name) => writeName(marked, name, begin + name + end), variables);

/** A rendered text in pieces: every second one is the name of what is missing there. */
export const splitMissing = (text: string): readonly string[] => text.split(/\uE000(.*?)\uE001/s);

/**
 * The marked rendering, where it is the plain one but for its marks: what is missing may decide over sections, and then
 * marks would change them.
 */
export const agreeing = (marked: readonly Message[], plain: readonly Message[]): readonly Message[] =>
  toJsonText(marked).replaceAll(/\uE000.*?\uE001/gs, '') === toJsonText(plain) ? marked : plain;
