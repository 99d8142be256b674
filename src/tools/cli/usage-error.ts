// Errors of the command line that are not bugs.
/** An error to print, with the exit code of the process. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message.trim());
    this.exitCode = exitCode;
  }

  /** The line for standard error. */
  get line(): string {
    return `gateway-mock: ${this.message}\n`;
  }
}

/** @throws UsageError */
export const fail = (message: string, exitCode?: number): never => {
  throw new UsageError(message, exitCode);
};

/** Writes a line to standard output. */
export type Print = (line: string) => void;
