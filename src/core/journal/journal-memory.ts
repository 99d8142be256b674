import { limits } from '../util/limits.ts';
import type { Journal } from './journal.ts';

/** The engine frees memory late: a process takes about twice as much memory as its requests (measured). */
const overhead = 2;

/** The memory that all journals of a gateway share. */
export class JournalMemory {
  readonly megabytes: number;
  readonly journals = new Set<Journal>();
  used = 0;

  /** @param megabytes may be a fraction */
  constructor(megabytes: number = limits.journalMemory) {
    this.megabytes = megabytes;
  }

  /** While all journals take too much, the largest drops its oldest request, so no session can push out the requests of a smaller session. */
  makeRoom(): void {
    while (this.used > (this.megabytes * 1_000_000) / overhead)
      [...this.journals]
        .reduce((largest, other) => (other.memoryUsed > largest.memoryUsed ? other : largest))
        .dropForMemory();
  }
}
