/** What the driver asks of one run of the tests. */
export interface Job {
  readonly type: 'cover' | 'try' | 'fresh';
  /** By the ids of tests: which mutants each is to be run with. */
  readonly tries: Readonly<Record<string, { readonly ms: number; readonly mutants: readonly Try[] }>>;
  /** Mutants that are not tried any more. */
  readonly settled: readonly string[];
  /** The mutant of a run for it alone. */
  readonly fresh?: string;
}

/** A mutant, and how often the test passes its place without it. */
export interface Try {
  readonly mutant: string;
  readonly hits: number;
}

/** What a run of the tests tells of itself, line by line. */
export type LogLine =
  | { readonly type: 'worker'; readonly pid: number }
  | { readonly type: 'failed'; readonly test: string; readonly name: string }
  | TestLine
  | { readonly type: 'file'; readonly file: string; readonly covered: Readonly<Record<string, number>> }
  | {
      readonly type: 'begins' | 'passed' | 'killed' | 'doubtful';
      readonly mutant: string;
      readonly test: string;
    };

/** A test, and the mutants whose places it passes, with how often. */
export interface TestLine {
  readonly type: 'test';
  readonly test: string;
  readonly name: string;
  readonly file: string;
  readonly ms: number;
  readonly covered: Readonly<Record<string, number>>;
  readonly isRepeatable: boolean;
}
