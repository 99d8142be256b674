import { isMapping } from './mapping.ts';
import { didYouMean } from './nearest.ts';

/** The types of options. Options of the type `other` are checked where they are used. */
const kinds = {
  list: { expected: 'an array', fits: (value: unknown) => Array.isArray(value) },
  switch: { expected: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  text: { expected: 'a string', fits: (value: unknown) => typeof value === 'string' },
  number: { expected: 'a number', fits: (value: unknown) => typeof value === 'number' },
  function: { expected: 'a function', fits: (value: unknown) => typeof value === 'function' },
  mapping: { expected: 'an object', fits: (value: unknown) => isMapping(value) },
  scenario: {
    expected: 'a scenario name or a scenario object',
    fits: (value: unknown) => typeof value === 'string' || isMapping(value),
  },
  other: { expected: 'a value other than null', fits: (value: unknown) => value !== null },
};

/** The type of an option, or the list of its values. */
export type OptionKind = keyof typeof kinds | readonly string[];

/** The type of each option: the compiler checks that none is missing. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

/**
 * Checks the names and types of options, for users without TypeScript: if a misspelt option were ignored, a test would
 * test something else. Options that are undefined count as not given.
 *
 * @throws Error on an unknown option or a value of the wrong type, with the nearest name or value
 */
export const checkOptions = <Options extends object>(given: Options, known: OptionKinds<Options>): void => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(
      `The options must be an object, such as { scenario: 'default' }, but found ${show(given)}.`,
    );
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name))
      throw new Error(
        `Unknown option "${name}".${didYouMean(name, names)} Known options: ${names.join(', ')}.`,
      );
    const kind: OptionKind = Reflect.get(known, name);
    if (value !== undefined) checkValue(name, value, kind);
  }
};

const checkValue = (name: string, value: unknown, kind: OptionKind): void => {
  if (typeof kind === 'string') {
    const { expected, fits } = kinds[kind];
    if (!fits(value)) throw new Error(`The option "${name}" must be ${expected}, but found ${show(value)}.`);
  } else if (typeof value !== 'string' || !kind.includes(value)) {
    const hint = typeof value === 'string' ? didYouMean(value, kind) : '';
    throw new Error(
      `The option "${name}" must be ${kind.map(show).join(' or ')}, but found ${show(value)}.${hint}`,
    );
  }
};

/** As a message has it, also what JSON has not. */
const show = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return `a ${typeof value}`; // it contains itself, or a bigint
  }
};
