import { isSegment } from '../protocol/record-id.ts';
import { parseJson, toJsonText } from '../util/json.ts';
import { toPathText } from '../util/path-text.ts';
import { endSentence } from '../util/sentence.ts';

/** Where an argument goes: into the path, under its name, merged with others, or as a list of all that follow. */
export type Place = 'path' | 'named' | 'merged' | 'rest';

/** How a command is called. It has no schemas, so that the client stays small: the server checks the values. */
export interface CommandShape {
  readonly name: string;
  readonly method: string;
  /** Below `/__admin`, with parameters in braces. */
  readonly path: string;
  readonly args: readonly {
    readonly name: string;
    readonly place: Place;
    readonly isOptional: boolean;
    readonly default?: string | undefined;
  }[];
}

/** What a call of a command sends. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  /** The query of a GET, and the body of other calls. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/** The longest name in a path, percent-encoded: servers take URLs of up to some 16,000 bytes. */
const maxSegment = 8000;

/** How deep a value may nest: an HTTP body may have 500 levels. */
const maxLevels = 400;

/**
 * The input of a call, copied as JSON. The control in process makes it, too, so that both refuse the same values.
 *
 * @throws Error that names everything that cannot be sent
 */
export const toInput = ({ name, args }: CommandShape, given: readonly unknown[]): Input => {
  const params: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  let signal: AbortSignal | undefined;
  for (const [at, argument] of args.entries()) {
    const value = given[at] ?? (given[at] === undefined ? argument.default : null);
    if (argument.place === 'rest') values[argument.name] = given.slice(at);
    else if (value === undefined && argument.isOptional) continue;
    else if (argument.place === 'named') values[argument.name] = value;
    else if (argument.place === 'path') {
      const problem = describeBadSegment(value);
      if (problem !== undefined) problems.push(`${argument.name}: ${problem}`);
      else params[argument.name] = String(value);
    } else if (!isPlainObject(value))
      problems.push(`${argument.name}: ${describeWrongType('an object', value)}`);
    else
      for (const [key, inner] of Object.entries(value))
        if (key !== 'signal' || !argument.isOptional)
          Object.defineProperty(values, key, { value: inner, enumerable: true }); // it may be __proto__
        else if (inner === undefined || isSignal(inner)) signal = inner;
        else problems.push(`signal: ${describeWrongType('an AbortSignal', inner)}`);
  }
  problems.push(...findNoJson(values, [], []));
  if (problems.length > 0) throw new Error(`Failed to call ${name}: ${endSentence(problems.join('; '))}`);
  return { params, values: parseJson(toJsonText(values)) as Record<string, unknown>, signal }; // a copy
};

const describeBadSegment = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return describeWrongType('a string', value);
  if (!isSegment(value))
    return `${toShortText(value)} cannot be used in a URL: it must be well-formed text, not empty, and not "." or ".."`;
  return encodeURIComponent(value).length > maxSegment
    ? `${toShortText(value)} is too long for a URL: the maximum is ${maxSegment} bytes, percent-encoded`
    : undefined;
};

const describeWrongType = (expected: string, value: unknown): string =>
  value === undefined
    ? `missing: expected ${expected}`
    : `expected ${expected}, but found ${toShortText(value)}`;

/** It may come from another realm, or from a library. */
const isSignal = (value: unknown): value is AbortSignal =>
  typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;

/** An object of a class holds what JSON has no form for. It may come from another realm. */
const isPlainObject = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** What of a value JSON cannot hold. */
const findNoJson = (value: unknown, path: readonly PropertyKey[], above: readonly unknown[]): string[] => {
  const problem = (text: string): string[] => [`${toPathText(path).slice(0, 80)}: ${text}`];
  if (value === undefined || value === null || ['string', 'boolean', 'bigint'].includes(typeof value))
    return [];
  if (typeof value === 'number')
    return Number.isFinite(value) ? [] : problem(`expected a finite number, but found ${value}`);
  if (above.includes(value)) return problem('it contains itself, so it is not JSON');
  if (above.length > maxLevels) return problem(`it is nested too deeply: the maximum is ${maxLevels} levels`);
  if (!Array.isArray(value) && !isPlainObject(value)) return problem(`${toShortText(value)} is not JSON`);
  return Object.entries(value).flatMap(([key, inner]) =>
    findNoJson(inner, [...path, Array.isArray(value) ? Number(key) : key], [...above, value]),
  );
};

const toShortText = (value: unknown): string => {
  const text = toText(value);
  return text.length > 80 ? `${Array.from(text.slice(0, 160)).slice(0, 80).join('')}…` : text;
};

const toText = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return `a ${typeof value}`; // it contains itself, or JSON has no form for it
  }
};
