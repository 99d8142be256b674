import { setTimeout } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Sessions } from '../control/sessions.ts';
import { buckets, type Counts } from './metrics.ts';

/** The metrics of one server as text, and the content type of that. */
export const readPrometheus = async (
  sessions: Pick<Sessions, 'size' | 'counts' | 'journalBytes'>,
  counts: Counts,
) => {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'gateway_mock_requests_total',
    help: 'Answered requests, by operation, status and kind of fault.',
    labelNames: ['operation', 'status', 'fault'],
    registers,
  });
  for (const [labels, count] of counts.requests) {
    const [operation = '', status = '', fault = ''] = labels.split(' ');
    requests.inc({ operation, status, fault }, count);
  }
  new Gauge({
    name: 'gateway_mock_sessions',
    help: 'The sessions that there are, including the default one.',
    registers,
  }).set(sessions.size);
  new Counter({
    name: 'gateway_mock_sessions_started_total',
    help: 'Sessions that have started, including the default one.',
    registers,
  }).inc(sessions.counts.started);
  const ended = new Counter({
    name: 'gateway_mock_sessions_ended_total',
    help: 'Sessions that have ended: deleted, replaced, reloaded, removed because there were too many, or stored for lack of room.',
    labelNames: ['reason'],
    registers,
  });
  for (const [reason, count] of Object.entries(sessions.counts.ended)) ended.inc({ reason }, count);
  new Gauge({
    name: 'gateway_mock_journal_bytes',
    help: 'The size of the journals of all sessions.',
    registers,
  }).set(sessions.journalBytes);
  const reloads = new Counter({
    name: 'gateway_mock_reloads_total',
    help: 'Reloads of the scenario files, by result.',
    labelNames: ['result'],
    registers,
  });
  for (const [result, count] of Object.entries(counts.reloads)) reloads.inc({ result }, count);
  processMetrics ??= startProcessMetrics();
  const ofProcess = await (await processMetrics).metrics();
  const text = [await registry.metrics(), toHistogram(counts), ofProcess].join('\n');
  return { text, type: registry.contentType };
};

/** A histogram of prom-client takes single values alone, and no counts. */
const toHistogram = ({ durations }: Counts): string => {
  const name = 'gateway_mock_request_duration_seconds';
  const lines = [
    `# HELP ${name} The time from the arrival of a request until its reply was made; with a delay, until it was sent.`,
    `# TYPE ${name} histogram`,
  ];
  for (const [operation, { counts, sum }] of durations) {
    let total = 0;
    for (const [at, bound] of buckets.entries()) {
      total += counts[at] ?? 0;
      const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : bound;
      lines.push(`${name}_bucket{le="${le}",operation="${operation}"} ${total}`);
    }
    lines.push(`${name}_sum{operation="${operation}"} ${sum}`);
    lines.push(`${name}_count{operation="${operation}"} ${total}`);
  }
  return `${lines.join('\n')}\n`;
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
