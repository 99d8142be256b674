import { toPathText } from '../util/path-text.ts';

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

/** Thrown for an invalid scenario. Its message lists all mistakes, each with its file and line. */
export class ScenarioError extends Error {
  /** Always `ScenarioError`. */
  override readonly name = 'ScenarioError';
  /** All mistakes, in reading order. */
  readonly mistakes: readonly ScenarioMistake[];

  constructor(title: string, mistakes: readonly ScenarioMistake[]) {
    super(
      `Failed to load the scenario ${title}:\n${mistakes.map((mistake) => `  - ${describeMistake(mistake)}`).join('\n')}`,
    );
    this.mistakes = mistakes;
  }
}

/** Describes a mistake in one line: where it is, and what is wrong. */
export const describeMistake = ({ path, message, file, line, column }: ScenarioMistake): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column} `;
  return `${place}${path.length === 0 ? '' : `${toPathText(path)}: `}${message}`;
};
