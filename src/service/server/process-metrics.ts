import { setTimeout } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { once } from '../../core/util/once.ts';

/**
 * The metrics of the process, which its servers share, as text. They start a timer and an observer of the garbage collection,
 * which prom-client cannot stop: so they start once, at the first scrape. They do not keep the process alive.
 */
export const readProcessMetrics = async (): Promise<string> => {
  const registry = openRegistry();
  // A scrape empties the measured lags of the event loop, and the next scrape needs some: measuring them takes a few turns of the loop.
  for (let turn = 0; ; turn += 1) {
    const text = await registry.metrics();
    if (turn === 10 || !/ nan$/im.test(text)) return text;
    await setTimeout(30);
  }
};

const openRegistry = once((): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of omitted) registry.removeSingleMetric(name);
  return registry;
});

/** Gauges with the names of counters, which can be summed up; and a minimum that is 292 years between two quick scrapes. */
const omitted = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_lag_min_seconds',
];
