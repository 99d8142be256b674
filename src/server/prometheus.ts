import { setTimeout } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Sessions } from '../control/sessions.ts';

/** An answered call, as it is counted. No label may have values that a caller chooses. */
export interface CountedCall {
  /** The id of the operation; `none` if no operation matched. */
  readonly operation: string;
  /** The status; `none` if the connection was reset. */
  readonly status: number | 'none';
  /** The kind of the fault that acted, without its numbers and texts; `none` if none did. */
  readonly fault: string;
  readonly seconds: number;
}

/** The metrics of one server, in prom-client. */
export interface Prometheus {
  readonly count: (call: CountedCall) => void;
  /** The metrics as text, and the content type of that. */
  readonly read: () => Promise<{ readonly text: string; readonly type: string }>;
}

/** Most calls take less than a millisecond; delays are up to ten minutes. In seconds. */
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, 600];

/** Creates the metrics of one server, in a registry of its own. */
export const createPrometheus = (
  sessions: Pick<Sessions, 'size' | 'counts' | 'journalBytes'>,
  reloads: Readonly<Record<string, number>>,
): Prometheus => {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'gateway_mock_requests_total',
    help: 'Answered requests, by operation, status and kind of fault.',
    labelNames: ['operation', 'status', 'fault'],
    registers,
  });
  const durations = new Histogram({
    name: 'gateway_mock_request_duration_seconds',
    help: 'The time from the arrival of a request until its reply was made; with a delay, until it was sent.',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  new Gauge({
    name: 'gateway_mock_sessions',
    help: 'The sessions that there are, including the default one.',
    registers,
    collect() {
      this.set(sessions.size);
    },
  });
  new Counter({
    name: 'gateway_mock_sessions_started_total',
    help: 'Sessions that have started, including the default one.',
    registers,
    collect() {
      this.reset();
      this.inc(sessions.counts.started);
    },
  });
  new Counter({
    name: 'gateway_mock_sessions_ended_total',
    help: 'Sessions that have ended: deleted, replaced, reloaded, removed because there were too many, or stored for lack of room.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(sessions.counts.ended)) this.inc({ reason }, count);
    },
  });
  new Gauge({
    name: 'gateway_mock_journal_bytes',
    help: 'The size of the journals of all sessions.',
    registers,
    collect() {
      this.set(sessions.journalBytes);
    },
  });
  new Counter({
    name: 'gateway_mock_reloads_total',
    help: 'Reloads of the scenario files, by result.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(reloads)) this.inc({ result }, count);
    },
  });
  return {
    count: ({ operation, status, fault, seconds }) => {
      requests.inc({ operation, status, fault });
      durations.observe({ operation }, seconds);
    },
    read: async () => {
      processMetrics ??= startProcessMetrics();
      const texts = [await registry.metrics(), await (await processMetrics).metrics()];
      return { text: texts.join('\n'), type: registry.contentType };
    },
  };
};

/**
 * The metrics of the process, which its servers share. prom-client cannot stop what they start (a timer, and an observer of
 * the garbage collection), so that starts once, at the first scrape. It does not keep the process alive.
 */
let processMetrics: Promise<Registry> | undefined;

const startProcessMetrics = async (): Promise<Registry> => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of omitted) registry.removeSingleMetric(name);
  // Until there is a first event-loop lag, which needs some turns of the loop, however long each takes.
  for (let turn = 0; turn < 5; turn += 1) await setTimeout(10);
  return registry;
};

/** Gauges with the names of counters, which can be summed up; and a minimum that is 292 years between two quick scrapes. */
const omitted = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_lag_min_seconds',
];
