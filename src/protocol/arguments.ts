import { parseJson, toJsonText } from '../util/json.ts';
import { suggest } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { idTextRule, isIdText, isSegment, isWellFormed, maxIdLength } from './record-id.ts';
import { reservedKeyRule } from './reserved-keys.ts';

/** What is wrong with an argument, each mistake with its place: `options.limit: expected …`. */
export type Check = (value: unknown, place: string) => string[];

/** One parameter of a method. */
export interface Parameter {
  readonly name: string;
  readonly check: Check;
  readonly isOptional?: boolean;
  /** Whether any number of them may follow each other. */
  readonly isRest?: boolean;
  /** Whether it goes over the wire as it is: then the method gets a copy of what JSON has of it. */
  readonly isJson?: boolean;
}

/** What every method of an object takes, those of the objects within it among them. */
export type Signatures<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...args: never[]) => unknown
    ? readonly Parameter[]
    : Signatures<Part[Name]>;
};

/**
 * The same object, of which every method refuses what it does not take, before anything is done. It has no schemas, so
 * that the control in process and the one over HTTP, which must be small, refuse the same in the same words.
 */
export const checkArguments = <Part extends object>(
  part: Part,
  signatures: Signatures<Part>,
  above = '',
): Part =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const signature: unknown = Reflect.get(signatures, name);
      return [
        name,
        typeof value === 'function'
          ? checkMethod(above + name, value, signature as readonly Parameter[])
          : checkArguments<object>(value, signature as Signatures<object>, `${above}${name}.`),
      ];
    }),
  ) as Part; // each method takes and gives what it did

const checkMethod =
  (name: string, method: (...args: unknown[]) => unknown, parameters: readonly Parameter[]) =>
  async (...args: unknown[]): Promise<unknown> => {
    const mistakes = parameters.flatMap(({ name: place, check, isOptional, isRest }, at) => {
      if (isRest) return args.slice(at).flatMap((one) => check(one, place));
      return isOptional && args[at] === undefined ? [] : check(args[at], place);
    });
    if (mistakes.length > 0) throw new Error(`Failed to call ${name}: ${endSentence(mistakes.join('; '))}`);
    return method(
      ...args.map((value, at) =>
        parameters[at]?.isJson && value !== undefined ? parseJson(toJsonText(value)) : value,
      ),
    );
  };

const describeExpected = (expected: string, value: unknown, place: string): string =>
  value === undefined
    ? `${place}: it is missing: expected ${expected}`
    : `${place}: expected ${expected}, but found ${show(value)}`;

/** A check of values that one look tells. */
const of =
  (expected: string, fits: (value: unknown) => boolean): Check =>
  (value, place) =>
    fits(value) ? [] : [describeExpected(expected, value, place)];

/** As a message has it: short, whatever it is. */
const show = (value: unknown): string => {
  const text = toText(value);
  return text.length > 80 ? `${Array.from(text.slice(0, 160)).slice(0, 80).join('')}…` : text;
};

const toText = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return `a ${typeof value}`; // it contains itself, or what JSON has not
  }
};

const isText = (value: unknown): value is string => typeof value === 'string';

export const string = of('a string', isText);
export const boolean = of('a boolean', (value) => typeof value === 'boolean');
export const numberOf = (expected: string): Check => of(expected, Number.isFinite);
export const number = numberOf('a finite number');
/** It may be of another realm, or of a library. */
export const abortSignal = of(
  'an AbortSignal',
  (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
);
export const whole = of('a whole number', Number.isSafeInteger);
export const count = of(
  'a whole number from 0 on',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const text = of('a string of well-formed text', (value) => isText(value) && isWellFormed(value));

/** A text or a number, whatever it stands for. */
export const stringOrNumber = (expected: string): Check =>
  of(expected, (value) => isText(value) || Number.isFinite(value));

/** A whole number or one of these texts. */
export const wholeOr = (...texts: readonly string[]): Check =>
  of(
    `a whole number or ${quoteAll(texts)}`,
    (value) => Number.isSafeInteger(value) || texts.some((one) => one === value),
  );

export const oneOf = (...texts: readonly string[]): Check =>
  of(quoteAll(texts), (value) => texts.some((one) => one === value));

const quoteAll = (texts: readonly string[]): string => texts.map(show).join(' or ');

/** The id of a record: what can be none is refused, since no URL leads to it. */
export const recordId: Check = (value, place) => {
  if (!isText(value)) return string(value, place);
  if (Array.from(value).length > maxIdLength)
    return [`${place}: ${show(value)} is too long: at most ${maxIdLength}`];
  return isIdText(value) ? [] : [`${place}: ${show(value)} is no id: ${idTextRule}`];
};

/** Another name that stands in a URL, which servers take up to some 16,000 bytes. */
export const segment: Check = (value, place) =>
  isText(value) && value.length > maxSegment
    ? [`${place}: ${show(value)} is too long: at most ${maxSegment}`]
    : longSegment(value, place);

/** The same, however long. */
export const longSegment: Check = (value, place) => {
  if (!isText(value)) return string(value, place);
  return isSegment(value)
    ? []
    : [`${place}: ${show(value)} is no name: it must be well-formed text, and neither dots alone nor empty`];
};

const maxSegment = 1000;

/** A mapping of these keys, none of them required. */
export const keysOf =
  (keys: Readonly<Record<string, Check>>): Check =>
  (value, place) => {
    if (!isMapping(value)) return mapping(value, place);
    return Object.entries(value).flatMap(([key, inner]) => {
      const check = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (check !== undefined) return inner === undefined ? [] : check(inner, `${place}.${key}`);
      return [`${place}.${key}: there is no such key.${suggest(key, Object.keys(keys))}`];
    });
  };

export const mappingOf =
  (check: Check): Check =>
  (value, place) =>
    isMapping(value)
      ? Object.entries(value).flatMap(([key, inner]) =>
          key === '__proto__' ? [`${place}.${key}: ${reservedKeyRule}`] : check(inner, `${place}.${key}`),
        )
      : mapping(value, place);

export const listOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value)
      ? value.flatMap((inner: unknown, at) => check(inner, `${place}[${at}]`))
      : [describeExpected('a list', value, place)];

/** What a mapping may hold besides what every JSON does. */
interface JsonRules {
  readonly takesAnyKey?: boolean;
  readonly takesBigint?: boolean;
}

const jsonOf =
  (rules: JsonRules): Check =>
  (value, place) =>
    isMapping(value) ? findNoJson(value, place, rules) : mapping(value, place);

/** A mapping that JSON can write as it is. */
export const json = jsonOf({});

/** The same, with bigints for integers beyond 2^53: prompts keep their digits. */
export const jsonWithBigints = jsonOf({ takesBigint: true });

/** The same, of any keys: templates may name whatever they like. */
export const jsonOfAnyKeys = jsonOf({ takesBigint: true, takesAnyKey: true });

/** A mapping with prompts in it, or a name for one. */
export const jsonOrString: Check = (value, place) => {
  if (isText(value)) return [];
  return isMapping(value)
    ? jsonWithBigints(value, place)
    : [describeExpected('a string or a mapping', value, place)];
};

/** A plain one: what an object of a class holds is nothing that JSON could tell. It may be of another realm. */
const isMapping = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const mapping = of('a mapping', isMapping);

/** Over HTTP no more than 500 are read, and the value may stand some levels deep in a body. */
const maxLevels = 400;

const findNoJson = (
  value: unknown,
  place: string,
  rules: JsonRules,
  above: readonly unknown[] = [],
): string[] => {
  if (value === undefined || value === null || isText(value) || typeof value === 'boolean') return [];
  if (typeof value === 'bigint' && rules.takesBigint) return [];
  if (typeof value === 'number') return number(value, place);
  if (above.includes(value)) return [`${place}: it is no JSON: it contains itself`];
  if (above.length >= maxLevels)
    return [`${place.slice(0, 80)}…: it nests too deep: at most ${maxLevels} levels are read`];
  const below = [...above, value];
  if (Array.isArray(value))
    return value.flatMap((inner: unknown, at) => findNoJson(inner, `${place}[${at}]`, rules, below));
  if (!isMapping(value)) return [`${place}: it is no JSON: ${show(value)}`];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '__proto__' && !rules.takesAnyKey
      ? [`${place}.${key}: ${reservedKeyRule}`]
      : findNoJson(inner, `${place}.${key}`, rules, below),
  );
};
