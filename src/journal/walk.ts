import { type Entry, toRecordedRequest } from './entry.ts';

/** How a client walked the pages of a list, set against the records that the list has now. */
export interface Walk {
  /** How many calls it took, those among them that were answered by an error. */
  readonly calls: number;
  /** Whether the client came to the last page, and asked for nothing behind it. */
  readonly stopped: boolean;
  /** Whether it saw each record of the list, and none twice. */
  readonly exactlyOnce: boolean;
  /** How many different records it saw. */
  readonly records: number;
  /** The records of the list that it did not see, in the list's own order, newest first. */
  readonly missed: readonly string[];
  /** The records that it saw more than once. */
  readonly repeated: readonly string[];
  /** The faults that it met, each as its line. */
  readonly faults: readonly string[];
}

/**
 * Judges a walk by the calls that were made.
 *
 * @param listed the ids that the list has now
 * @param seen what the client took for the list's records; by default all that was sent to it on pages that it went on
 * from or ended with: a page that it asked for again is one that it did not take
 */
export const judgeWalk = (
  entries: readonly Entry[],
  listed: readonly string[],
  seen: readonly string[] = takenIn(entries),
): Walk => {
  const distinct = new Set(seen);
  const missed = listed.filter((id) => !distinct.has(id));
  const repeated = [...distinct].filter((id) => seen.indexOf(id) !== seen.lastIndexOf(id));
  return {
    calls: entries.length,
    stopped: hasStopped(entries),
    exactlyOnce: missed.length === 0 && repeated.length === 0,
    records: distinct.size,
    missed,
    repeated,
    faults: [...new Set(entries.flatMap(({ trace }) => trace.faults ?? []))],
  };
};

const takenIn = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ call, trace }, index) => {
    const next = entries[index + 1];
    const isAskedAgain = next !== undefined && cursorsOf(next) === cursorsOf({ call });
    return isAskedAgain ? [] : (trace.page?.ids ?? []);
  });

const cursorsOf = ({ call }: Pick<Entry, 'call'>): string => {
  const sent = new URLSearchParams(call.query);
  return JSON.stringify([sent.get('after') || null, sent.get('before') || null]);
};

/** A last page came, and no call asked for what is behind its end. */
const hasStopped = (entries: readonly Entry[]): boolean => {
  const lastPages = entries.filter(({ trace }) => trace.page?.has_more === false);
  const ends = lastPages.flatMap(({ trace }) => trace.page?.ids.at(-1) ?? []);
  return (
    lastPages.length > 0 &&
    entries.every((entry) => {
      const { after } = toRecordedRequest(entry).query;
      return typeof after !== 'string' || !ends.includes(after);
    })
  );
};
