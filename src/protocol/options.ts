import { didYouMean } from './nearest.ts';

/** The names of all options of a kind: the compiler sees to it that none is left out. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Refuses an option that there is not. TypeScript does so, too; in JavaScript a slip would be ignored, and a test would be
 * about something else.
 *
 * @throws Error that tells the nearest name, and all of them
 */
export const checkOptions = <Options extends object>(given: Options, known: OptionNames<Options>): void => {
  if (typeof given !== 'object' || given === null)
    throw new Error(
      `The options are an object, such as { scenario: 'default' }, but found ${JSON.stringify(given)}.`,
    );
  const names = Object.keys(known);
  for (const name of Object.keys(given))
    if (!names.includes(name))
      throw new Error(
        `There is no option "${name}".${didYouMean(name, names)} There are: ${names.join(', ')}.`,
      );
};
