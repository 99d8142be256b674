import type { Sessions } from '../control/sessions.ts';
import type { Sent } from '../protocol/call.ts';

/** Loads the library of the metrics, which takes 20 ms the first time: only a scrape needs it. */
export const loadPrometheus = () => import('./prometheus.ts');

/** Most calls take less than a millisecond; delays are up to ten minutes. In seconds. */
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, 600];
export const buckets = [...bounds, Number.POSITIVE_INFINITY];

/** What a server counts. Plain numbers, since counting a call in prom-client takes four times as long (0.6 µs). */
export interface Counts {
  /** Calls by their labels, separated by spaces. No label may have values that a caller chooses. */
  readonly requests: Map<string, number>;
  /** For each operation, how many calls took how long: a number for each bucket. */
  readonly durations: Map<string, { readonly counts: number[]; sum: number }>;
  readonly reloads: { succeeded: number; failed: number };
}

/** The metrics of one server. */
export const createMetrics = (sessions: Pick<Sessions, 'size' | 'counts' | 'journalBytes'>) => {
  const counts: Counts = {
    requests: new Map(),
    durations: new Map(),
    reloads: { succeeded: 0, failed: 0 },
  };
  const read = async () => (await loadPrometheus()).readPrometheus(sessions, counts);
  /** Counts a call, when its reply was sent or lost. */
  const count = ({ reply, status, duration: milliseconds }: Sent): void => {
    const { operation = 'none', faultKind = 'none' } = reply;
    const labels = `${operation} ${status ?? 'none'} ${faultKind}`;
    counts.requests.set(labels, (counts.requests.get(labels) ?? 0) + 1);
    const seconds = milliseconds / 1000;
    const duration = counts.durations.get(operation) ?? { counts: buckets.map(() => 0), sum: 0 };
    counts.durations.set(operation, duration);
    const at = buckets.findIndex((bound) => seconds <= bound);
    duration.counts[at] = (duration.counts[at] ?? 0) + 1;
    duration.sum += seconds;
  };
  return { counts, count, read };
};
