// How a command says that it cannot do what it was asked for.

/** What went wrong through no fault of the mock: in words, and with an exit code. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message.trim());
    this.exitCode = exitCode;
  }

  /** What standard error gets of it. */
  get line(): string {
    return `gateway-mock: ${this.message}\n`;
  }
}

/** @throws Mistake */
export const fail = (message: string, exitCode?: number): never => {
  throw new Mistake(message, exitCode);
};

/** Puts a line onto standard output. */
export type Print = (line: string) => void;
