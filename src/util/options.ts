import { isMapping } from './mapping.ts';
import { didYouMean } from './nearest.ts';

/** What an option may be, each with its words; those of `other` are checked where they are used. */
const kinds = {
  list: { expected: 'a list', fits: (value: unknown) => Array.isArray(value) },
  switch: { expected: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  text: { expected: 'a text', fits: (value: unknown) => typeof value === 'string' },
  number: { expected: 'a number', fits: (value: unknown) => typeof value === 'number' },
  function: { expected: 'a function', fits: (value: unknown) => typeof value === 'function' },
  mapping: { expected: 'an object', fits: (value: unknown) => isMapping(value) },
  scenario: {
    expected: 'the name of a scenario, or one as an object',
    fits: (value: unknown) => typeof value === 'string' || isMapping(value),
  },
  other: { expected: 'given, or left out', fits: (value: unknown) => value !== null },
};

/** What one option may be: something of a kind, or one of these texts. */
export type OptionKind = keyof typeof kinds | readonly string[];

/** All options of a kind: the compiler sees to it that none is left out. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

/**
 * Refuses an option that there is not, and one whose value is of another type than it should be. TypeScript does so, too;
 * in JavaScript a slip would be ignored, and a test would be about something else. What is undefined is not given.
 *
 * @throws Error that tells the nearest name or value, and all of them
 */
export const checkOptions = <Options extends object>(given: Options, known: OptionKinds<Options>): void => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(`The options are an object, such as { scenario: 'default' }, but found ${show(given)}.`);
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name))
      throw new Error(
        `There is no option "${name}".${didYouMean(name, names)} There are: ${names.join(', ')}.`,
      );
    const kind: OptionKind = Reflect.get(known, name);
    if (value !== undefined) checkValue(name, value, kind);
  }
};

const checkValue = (name: string, value: unknown, kind: OptionKind): void => {
  if (typeof kind === 'string') {
    const { expected, fits } = kinds[kind];
    if (!fits(value)) throw new Error(`The option "${name}" is ${expected}, but found ${show(value)}.`);
  } else if (typeof value !== 'string' || !kind.includes(value)) {
    const hint = typeof value === 'string' ? didYouMean(value, kind) : '';
    throw new Error(
      `The option "${name}" is ${kind.map(show).join(' or ')}, but found ${show(value)}.${hint}`,
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
