import { parseJson } from '../../../util/json.ts';
import { isMapping, type Mapping } from '../../../util/mapping.ts';
import { tryParse } from '../../../util/try-parse.ts';

/** A message of a prompt, stored or rendered. */
export interface Message {
  readonly role: string;
  readonly [field: string]: unknown;
}

/** A stored prompt: one version of it, or several. */
export interface StoredPrompt {
  readonly messages?: readonly Message[];
  readonly published?: number;
  readonly versions?: readonly { version: number; labels?: string[]; messages: readonly Message[] }[];
}

/** Mustache tags with the usual delimiters, which is enough for a form. */
const tag = /\{\{\{?\s*([#^/&>!=]?)\s*([^{}]*?)\s*\}?\}\}/g;

/** The variables that a template names outside of sections. Those that open a section may be more than a text. */
export const namesIn = (
  messages: readonly Message[],
): ReadonlyMap<string, { readonly isSection: boolean }> => {
  const found = new Map<string, { isSection: boolean }>();
  for (const text of messages.flatMap(({ name, content }) => [name, content])) {
    let depth = 0;
    for (const [, sign = '', name = ''] of typeof text === 'string' ? text.matchAll(tag) : []) {
      const isSection = sign === '#' || sign === '^';
      const isVariable = isSection || sign === '' || sign === '&';
      if (depth === 0 && isVariable && name !== '' && name !== '.')
        found.set(name, { isSection: isSection || found.get(name)?.isSection === true });
      depth += isSection ? 1 : sign === '/' ? -1 : 0;
    }
  }
  return found;
};

/** Splits a text at tags: every second part is a tag. */
export const splitTags = (text: string): readonly string[] => text.split(/(\{\{\{?[^{}]*\}?\}\})/);

/** The variables in a link, which are JSON. */
export const readVariables = (text = ''): Mapping => {
  const value = tryParse(text, parseJson);
  return isMapping(value) ? value : {};
};
