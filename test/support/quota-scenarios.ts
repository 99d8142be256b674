// What the tests of quotas share: scenarios with policies written by hand, and the limits in a reply.
import type { Policy } from '../../src/core/operations/get-rate-limits-policy/types.ts';
import type { Reply } from '../../src/core/protocol/call.ts';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { SentCall } from './open-gateway.ts';

/** The id of one policy of a test. */
export const policyId = (number: number): string =>
  `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A policy of three requests a minute for all callers together, but for what is given. */
export const policy = (number: number, given: Partial<Policy> = {}): Partial<Policy> & { id: string } => ({
  id: policyId(number),
  type: 'requests',
  unit: 'rpm',
  value: 3,
  status: 'active',
  conditions: [],
  group_by: [],
  ...given,
});

/** It is noon, so that a minute and an hour begin, and half a day is left. */
export const scenarioUnder = (...records: Partial<Policy>[]): Scenario => ({
  clock: { start: '2026-01-15T12:00:00Z' },
  batches: 3,
  threads: { thread_a: { runs: 2 } },
  jobs: { job_a: { checkpoints: 2 } },
  prompts: {
    echo: { messages: [{ role: 'user', content: '{{text}}' }], parameters: { model: 'small' } },
    thrice: { messages: ['a', 'b', 'c'].map((content) => ({ role: 'user', content, name: 'not counted' })) },
  },
  policies: { records: records as NonNullable<NonNullable<Scenario['policies']>['records']> },
  quotas: true,
});

/** A render of which the messages are this text. */
export const render = (text: string): SentCall => ({
  path: '/prompts/echo/render',
  body: { variables: { text } },
});

/** What a reply tells of its limits, by the end of the header's name. */
export const limitsIn = ({ headers }: Reply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-ratelimit-') ? [[name.slice('x-ratelimit-'.length), value]] : [],
    ),
  );
