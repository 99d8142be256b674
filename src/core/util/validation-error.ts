import { limits } from './limits.ts';
import { toPathText } from './path-text.ts';
import { truncate } from './truncate.ts';

/** The most characters of the message of one listed error. */
const maxErrorText = 1000;

/** An error in a value that was checked, such as a scenario. */
export interface ValidationError {
  /** Where it is, such as `['threads', 'thread_a', 'runs']`. */
  readonly path: readonly PropertyKey[];
  /** What is wrong. */
  readonly message: string;
  /** The place in the text at `path`, from 0, if the error is in a template. */
  readonly at?: number;
  /** The file, if the scenario was read from a file. */
  readonly file?: string;
  /** The line in the file, from 1. */
  readonly line?: number;
  /** The column in the line, from 1. */
  readonly column?: number;
}

/** The errors to report: the first 100, with long keys and messages cut. If there are more, a last entry says so. */
export const listErrors = (errors: readonly ValidationError[]): ValidationError[] => {
  const listed = errors.slice(0, limits.errors).map((error) => ({
    ...error,
    path: error.path.map((key) => (typeof key === 'string' ? truncate(key) : key)),
    message: truncate(error.message, maxErrorText),
  }));
  const more = `and more: only the first ${limits.errors} are listed`;
  return errors.length > limits.errors ? [...listed, { path: [], message: more }] : listed;
};

/** Describes an error in one line: where it is, and what is wrong. */
export const describeError = ({ path, message, file, line, column }: ValidationError): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column} `;
  return `${place}${path.length === 0 ? '' : `${toPathText(path)}: `}${message}`;
};
