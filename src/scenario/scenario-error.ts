import { limits } from '../util/limits.ts';
import { toPathText } from '../util/path-text.ts';
import { truncate } from '../util/truncate.ts';
import { maxMistake } from './limits.ts';

/** A mistake in a scenario. */
export interface ScenarioMistake {
  /** Where it is, such as `['threads', 'thread_a', 'runs']`. */
  readonly path: readonly PropertyKey[];
  /** What is wrong. */
  readonly message: string;
  /** The file, if the scenario was read from one. */
  readonly file?: string;
  /** The line in the file, from 1. */
  readonly line?: number;
  /** The column in the line, from 1. */
  readonly column?: number;
}

/** Thrown for an invalid scenario. Its message lists the first 100 mistakes, each with its file and line. */
export class ScenarioError extends Error {
  /** Always `ScenarioError`. */
  override readonly name = 'ScenarioError';
  /** The first 100 mistakes, in reading order. If there are more, the last entry says so. */
  readonly mistakes: readonly ScenarioMistake[];

  constructor(title: string, mistakes: readonly ScenarioMistake[]) {
    const listed = listMistakes(mistakes);
    super(
      `Failed to load the scenario ${title}:\n${listed.map((mistake) => `  - ${describeMistake(mistake)}`).join('\n')}`,
    );
    this.mistakes = listed;
  }
}

/** The mistakes to report: the first 100, with long keys and messages cut. If there are more, a last entry says so. */
export const listMistakes = (mistakes: readonly ScenarioMistake[]): ScenarioMistake[] => {
  const listed = mistakes.slice(0, limits.errors).map((mistake) => ({
    ...mistake,
    path: mistake.path.map((key) => (typeof key === 'string' ? truncate(key) : key)),
    message: truncate(mistake.message, maxMistake),
  }));
  const more = `and more: only the first ${limits.errors} are listed`;
  return mistakes.length > limits.errors ? [...listed, { path: [], message: more }] : listed;
};

/** Describes a mistake in one line: where it is, and what is wrong. */
export const describeMistake = ({ path, message, file, line, column }: ScenarioMistake): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column} `;
  return `${place}${path.length === 0 ? '' : `${toPathText(path)}: `}${message}`;
};
