import { parseJson, toJsonText } from '../util/json.ts';

/** A word of a fault's line: plain, or `name=value`. */
export interface Token {
  readonly name: string;
  /** Undefined for a plain word. */
  readonly value?: unknown;
  /** The word as it was written. */
  readonly text: string;
}

/**
 * Splits a line into words, at the first colon that ends a word. A value with spaces, or one that is not a text, is
 * written as JSON: `message="Try again"`, `body={"a": 1}`. Directly after the operation, the colon needs no space
 * (`listRuns:503`); after a condition it does, since values may contain colons (`query.a=b:c`).
 *
 * @throws Error if a value is not valid JSON, or the colon is missing
 */
export const splitLine = (given: string): readonly [before: Token[], after: Token[]] => {
  const line = given.replace(/^(\s*[^\s:=]+:)(?=\S)/, '$1 ');
  const before: Token[] = [];
  const after: Token[] = [];
  let isBehind = false;
  for (let at = skipBlanks(line, 0); at < line.length; at = skipBlanks(line, at)) {
    const end = endOfWord(line, at);
    const word = line.slice(at, end);
    const isLast: boolean = !isBehind && word.endsWith(':');
    const token = toToken(isLast ? word.slice(0, -1) : word);
    if (token.text !== '') (isBehind ? after : before).push(token);
    isBehind ||= isLast;
    at = end;
  }
  if (!isBehind)
    throw new Error(
      before.some(({ text }) => text.includes(':'))
        ? 'the colon needs a space after it: write OPERATION: KIND'
        : 'the colon is missing: write OPERATION: KIND',
    );
  return [before, after];
};

/** Writes a value so that {@link splitLine} can read it again. */
export const quoteValue = (value: unknown): string => {
  if (typeof value !== 'string') return toJsonText(value);
  return /^[^\s"{[][^\s]*$/.test(value) && !value.endsWith(':') ? value : toJsonText(value);
};

const skipBlanks = (line: string, from: number): number => {
  let at = from;
  while (at < line.length && isBlank(line.charAt(at))) at += 1;
  return at;
};

const isBlank = (character: string): boolean => character.trim() === '';

/** Where the word that starts here ends: at a space outside of JSON. */
const endOfWord = (line: string, from: number): number => {
  let isJson = false;
  let isText = false;
  let depth = 0;
  let equals = -1; // of the first one: further ones are part of the value
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (at === equals + 1 && equals > from && /["{[]/.test(character)) isJson = true;
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (isJson && character === '"') isText = true;
    else if (isJson && /[{[]/.test(character)) depth += 1;
    else if (isJson && /[}\]]/.test(character)) depth -= 1;
    else if (isBlank(character) && depth <= 0) return at;
    if (character === '=' && equals === -1) equals = at;
  }
  return line.length;
};

const toToken = (text: string): Token => {
  const equals = text.indexOf('=');
  if (equals <= 0) return { name: text, text };
  const [name, written] = [text.slice(0, equals), text.slice(equals + 1)];
  if (!/^["{[]/.test(written)) return { name, value: written, text };
  try {
    return { name, value: parseJson(written), text };
  } catch {
    throw new Error(`the value of ${name} is not valid JSON: ${written.slice(0, 80)}`);
  }
};
