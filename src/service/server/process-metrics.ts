import { setTimeout } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The metrics of the process, which its servers share, as text. prom-client cannot stop what they start (a timer, and an observer of
 * the garbage collection), so that starts once, at the first scrape. It does not keep the process alive.
 */
export const readProcessMetrics = async (): Promise<string> => {
  registry ??= start();
  // A scrape empties the event-loop lags, of which the next one needs some: that takes a few turns of the loop.
  for (let turn = 0; ; turn += 1) {
    const text = await registry.metrics();
    if (turn === 10 || !/ nan$/im.test(text)) return text;
    await setTimeout(30);
  }
};

let registry: Registry | undefined;

const start = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of omitted) registry.removeSingleMetric(name);
  return registry;
};

/** Gauges with the names of counters, which can be summed up; and a minimum that is 292 years between two quick scrapes. */
const omitted = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_lag_min_seconds',
];
