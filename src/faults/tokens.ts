import { parseJson, toJsonText } from '../util/json.ts';

/** One word of a fault's line: a bare one, or `name=value`. */
export interface Token {
  readonly name: string;
  /** Absent for a bare word. */
  readonly value?: unknown;
  /** How it was written. */
  readonly text: string;
}

/**
 * Splits a line into its words. A value is written bare, or as JSON where it has spaces or is more than a text:
 * `message="Try again"`, `body={"a": 1}`. The first colon that ends a word parts the line into two. Right behind the
 * operation it needs no space (`listRuns:503`); in a clause it does, since values may have colons (`query.a=b:c`).
 *
 * @throws Error where a value is no JSON, or there is no such colon
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
        ? 'no space follows its colon: write the calls, a colon and a space, and what happens to them'
        : 'it has no colon: write the calls, a colon and a space, and what happens to them',
    );
  return [before, after];
};

/** A value as {@link splitLine} reads it again. */
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

/** Where the word that begins here ends: at a blank that stands outside of JSON. */
const endOfWord = (line: string, from: number): number => {
  let isJson = false;
  let isText = false;
  let depth = 0;
  let equals = -1; // the first one: a later one is part of the value
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
    throw new Error(`the value of ${name} is no valid JSON: ${written.slice(0, 80)}`);
  }
};
