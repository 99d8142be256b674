import { parseJson, toJsonText } from '../util/json.ts';

/** A word of a fault's line: plain, or `name=value`. */
export interface Token {
  readonly name: string;
  /** The value; undefined for a plain word. */
  readonly value?: unknown;
  readonly text: string;
}

/**
 * Splits a line into words, at the first colon that ends a word. A value with spaces, or a value that is not a text, is written as
 * JSON: `message="Try again"`, `body={"a": 1}`. Directly after the operation, the colon needs no space
 * (`listRuns:503`); after a condition it does, since values may contain colons (`query.a=b:c`).
 *
 * @throws Error if a value is not valid JSON, or the colon is missing
 */
export const splitLine = (line: string): readonly [before: Token[], after: Token[]] => {
  const words = splitWords(line.replace(/^(\s*[^\s:=]+:)(?=\S)/, '$1 '));
  const colon = words.findIndex((word) => word.endsWith(':'));
  const tokens = words.map((word, index) => toToken(index === colon ? word.slice(0, -1) : word));
  if (colon === -1)
    throw new Error(
      words.some((word) => word.includes(':'))
        ? 'the colon needs a space after it: write OPERATION: KIND'
        : 'the colon is missing: write OPERATION: KIND',
    );
  return [tokens.slice(0, colon + 1).filter(({ text }) => text !== ''), tokens.slice(colon + 1)];
};

/** The value if it is a text, otherwise its JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : toJsonText(value));

/** Writes a value so that {@link splitLine} can read it again. */
export const quoteValue = (value: unknown): string => {
  if (typeof value !== 'string') return toJsonText(value);
  return /^[^\s"{[][^\s]*$/.test(value) && !value.endsWith(':') ? value : toJsonText(value);
};

/** Writes each defined value as `NAME=VALUE`. */
export const writeOptions = (values: Readonly<Record<string, unknown>>, prefix = ''): string[] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${prefix}${name}=${quoteValue(value)}`);

/** Splits at blanks outside of JSON. */
const splitWords = (line: string): string[] => {
  const words: string[] = [];
  const word = /\s*([^\s=]+=(?=["{[])|\S+)/y;
  for (let match = word.exec(line); match !== null; match = word.exec(line)) {
    const [, start = ''] = match;
    const end = word.lastIndex;
    if (startsJson(line.charAt(end))) word.lastIndex = endOfJson(line, end);
    words.push(start + line.slice(end, word.lastIndex));
  }
  return words;
};

const startsJson = (text: string): boolean => /^["{[]/.test(text);

/** Finds the end of a JSON value: the first blank outside of texts and brackets. */
const endOfJson = (line: string, from: number): number => {
  let isText = false;
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (isText && character === '\\') at += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (/[{[]/.test(character)) depth += 1;
    else if (/[}\]]/.test(character)) depth -= 1;
    else if (depth <= 0 && character.trim() === '') return at;
  }
  return line.length;
};

const toToken = (text: string): Token => {
  const equals = text.indexOf('=');
  if (equals <= 0) return { name: text, text };
  const [name, written] = [text.slice(0, equals), text.slice(equals + 1)];
  if (!startsJson(written)) return { name, value: written, text };
  try {
    return { name, value: parseJson(written), text };
  } catch {
    throw new Error(`the value of ${name} is not valid JSON: ${written.slice(0, 80)}`);
  }
};
