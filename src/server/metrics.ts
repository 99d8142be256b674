import type { Sessions } from '../control/sessions.ts';
import { whenEnded } from '../protocol/call.ts';
import type { AnswerCall } from '../transports/answer.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import type { CountedCall, Prometheus } from './prometheus.ts';

/** Loads the library of the metrics, which takes 20 ms the first time. */
export const loadPrometheus = () => import('./prometheus.ts');

/** How many calls wait for the library before it is loaded. */
const maxWaiting = 1000;

/** The metrics of one server. They count from its start, but their library is loaded only at the first scrape, or after some calls. */
export const createMetrics = (sessions: Pick<Sessions, 'size' | 'counts' | 'journalBytes'>) => {
  const reloads = { succeeded: 0, failed: 0 };
  let waiting: CountedCall[] = [];
  let loaded: Prometheus | undefined;
  let loading: Promise<Prometheus> | undefined;
  const load = async (): Promise<Prometheus> => {
    const { createPrometheus } = await loadPrometheus();
    loaded = createPrometheus(sessions, reloads);
    for (const call of waiting) loaded.count(call);
    waiting = [];
    return loaded;
  };
  const loadOnce = (): Promise<Prometheus> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined; // the next scrape tries again
      throw error;
    });
    return loading;
  };
  return {
    reloads,
    count: (call: CountedCall): void => {
      if (loaded !== undefined) {
        loaded.count(call);
        return;
      }
      waiting.push(call);
      if (waiting.length % maxWaiting !== 0) return;
      loadOnce().catch(() => {
        waiting = []; // each scrape reports why
      });
    },
    read: async () => (await loadOnce()).read(),
  };
};

/** Counts each call: when its reply is made, or when a reply that a fault delays or breaks has ended. */
export const countCalls =
  (answer: AnswerCall, count: (call: CountedCall) => void): AnswerCall =>
  (call) => {
    const arrived = readStopwatch();
    const reply = answer(call);
    const { operation = 'none', faultKind = 'none' } = reply;
    const end = (status: number | null): void =>
      count({
        operation,
        status: status ?? 'none',
        fault: faultKind,
        seconds: (readStopwatch() - arrived) / 1000,
      });
    return whenEnded(reply, end);
  };
