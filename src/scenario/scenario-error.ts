import { toPathText } from '../util/path-text.ts';

/** One thing that is wrong in a scenario. */
export interface ScenarioMistake {
  /** Where it stands: `['threads', 'thread_a', 'runs']`. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The file, and the place in it, where the scenario came from one. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Everything that is wrong in a scenario, at once. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly mistakes: readonly ScenarioMistake[];

  constructor(title: string, mistakes: readonly ScenarioMistake[]) {
    super(
      `Failed to load the scenario ${title}:\n${mistakes.map((mistake) => `  - ${describeMistake(mistake)}`).join('\n')}`,
    );
    this.mistakes = mistakes;
  }
}

/** One line: where, and what. */
export const describeMistake = ({ path, message, file, line, column }: ScenarioMistake): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column} `;
  return `${place}${path.length === 0 ? '' : `${toPathText(path)}: `}${message}`;
};
