import { describeError, listErrors, type ValidationError } from '../util/validation-error.ts';

/** Thrown for an invalid scenario. Its message lists the first 100 errors, each with its file and line. */
export class ScenarioError extends Error {
  /** Always `ScenarioError`. */
  override readonly name = 'ScenarioError';
  /** The first 100 errors, in reading order. If there are more, the last entry says so. */
  readonly errors: readonly ValidationError[];

  constructor(title: string, errors: readonly ValidationError[]) {
    const listed = listErrors(errors);
    super(
      `Failed to load the scenario ${title}:\n${listed.map((error) => `  - ${describeError(error)}`).join('\n')}`,
    );
    this.errors = listed;
  }
}
