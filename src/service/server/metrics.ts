import type { SettledCall } from '../../core/protocol/call.ts';
import type { Sessions } from '../control/sessions.ts';

/** Loads the library that measures the process, which takes 20 ms the first time: only a scrape needs it. */
export const loadProcessMetrics = () => import('./process-metrics.ts');

/** Most calls take less than a millisecond; delays are up to ten minutes. In seconds. */
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, 600];

/**
 * The calls of an operation: the number of replies by their labels, and the number of durations by bucket; the last number
 * counts durations beyond all buckets.
 */
interface CallCounts {
  readonly replies: Map<string, number>;
  readonly counts: number[];
  sum: number;
}

/** The metrics of one server, in the text format of Prometheus. Counting a call in a library would take four times as long (0.6 µs). */
export class Metrics {
  readonly reloads = { succeeded: 0, failed: 0 };
  readonly #sessions: Pick<Sessions, 'inMemory' | 'counts' | 'memory'>;
  readonly #operations = new Map<string, CallCounts>();

  constructor(sessions: Pick<Sessions, 'inMemory' | 'counts' | 'memory'>) {
    this.#sessions = sessions;
  }

  /** Counts a call, when its reply was sent or lost. */
  readonly count = ({ reply, status, duration: milliseconds }: SettledCall): void => {
    const { operation = 'none', faultKind = 'none' } = reply;
    const seconds = milliseconds / 1000;
    const calls = this.#operations.get(operation) ?? {
      replies: new Map(),
      counts: [...buckets, 0].map(() => 0),
      sum: 0,
    };
    this.#operations.set(operation, calls);
    // No label may have values that a caller chooses.
    const labels = `status="${status ?? 'none'}",fault="${faultKind}"`;
    calls.replies.set(labels, (calls.replies.get(labels) ?? 0) + 1);
    const bucket = buckets.findIndex((bound) => seconds <= bound);
    const at = bucket === -1 ? buckets.length : bucket;
    calls.counts[at] = (calls.counts[at] ?? 0) + 1;
    calls.sum += seconds;
  };

  readonly read = async () => {
    const { inMemory, counts, memory } = this.#sessions;
    const own = [
      toText('requests_total', 'Answered requests, by operation, status and kind of fault.', this.#replies()),
      toText('sessions', 'Number of sessions, including the default session.', [['', inMemory.size]]),
      toText('sessions_started_total', 'Sessions that have started, including the default session.', [
        ['', counts.started],
      ]),
      toText(
        'sessions_ended_total',
        'Sessions that have ended: deleted, replaced, reloaded, removed because there were too many, or moved to the state directory for the same reason.',
        toSamples('reason', counts.ended),
      ),
      toText('journal_bytes', 'The size of the journals of all sessions.', [['', memory.used]]),
      toText('reloads_total', 'Reloads of the scenario files, by result.', toSamples('result', this.reloads)),
      toText(
        'request_duration_seconds',
        'The time from the end of a request until its reply was sent, cut or lost.',
        this.#durations(),
      ),
    ];
    const { readProcessMetrics } = await loadProcessMetrics();
    const text = [...own, await readProcessMetrics()].join('\n');
    return { text, type: 'text/plain; version=0.0.4; charset=utf-8' };
  };

  #replies(): Sample[] {
    return [...this.#operations].flatMap(([operation, { replies }]) =>
      [...replies].map(([labels, count]): Sample => [`{operation="${operation}",${labels}}`, count]),
    );
  }

  #durations(): Sample[] {
    return [...this.#operations].flatMap(([operation, { counts, sum }]) => {
      let total = 0;
      const below = counts.map((count, at): Sample => {
        total += count;
        return [`_bucket{le="${buckets[at] ?? '+Inf'}",operation="${operation}"}`, total];
      });
      const labels = `{operation="${operation}"}`;
      return [...below, [`_sum${labels}`, sum], [`_count${labels}`, total]];
    });
  }
}

/** The suffix of a metric's name with its labels, and its value. */
type Sample = readonly [suffix: string, value: number];

const toSamples = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => [`{${label}="${name}"}`, value]);

const toText = (name: string, help: string, samples: readonly Sample[]): string => {
  const type = name.endsWith('_total') ? 'counter' : name.endsWith('_seconds') ? 'histogram' : 'gauge';
  const lines = samples.map(([suffix, value]) => `gateway_mock_${name}${suffix} ${value}\n`);
  return `# HELP gateway_mock_${name} ${help}\n# TYPE gateway_mock_${name} ${type}\n${lines.join('')}`;
};
