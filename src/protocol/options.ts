import { didYouMean } from './nearest.ts';

/** All options of a kind, the lists among them told apart: the compiler sees to it that none is left out. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, 'list' | 'other'>>;

/**
 * Refuses an option that there is not, and one that is no list where it should be. TypeScript does so, too; in JavaScript a slip would be ignored, and a test would be
 * about something else.
 *
 * @throws Error that tells the nearest name, and all of them
 */
export const checkOptions = <Options extends object>(given: Options, known: OptionKinds<Options>): void => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(
      `The options are an object, such as { scenario: 'default' }, but found ${JSON.stringify(given)}.`,
    );
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name))
      throw new Error(
        `There is no option "${name}".${didYouMean(name, names)} There are: ${names.join(', ')}.`,
      );
    if (Reflect.get(known, name) === 'list' && value !== undefined && !Array.isArray(value))
      throw new Error(`The option "${name}" is a list, but found ${JSON.stringify(value)}.`);
  }
};
