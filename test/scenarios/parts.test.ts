// The parts of a scenario do not reach into one another.
import { expect, test } from 'vitest';
import type { Scenario } from '../../src/index.ts';
import { openGateway } from '../support/open-gateway.ts';
import { partsOf, readPages } from '../support/scenario-calls.ts';

/** What each part answers: the texts of all its pages, without the ids of the requests, which are counted over all. */
const readParts = async (scenario: Scenario): Promise<Map<string, string[]>> => {
  const { gateway, send } = openGateway({ scenario });
  const parts = new Map<string, string[]>();
  for (const [part, call] of Object.entries(await partsOf(gateway))) {
    const pages = await readPages(send, call, 10);
    parts.set(
      part,
      pages.map((page) => page.replace(/ req_[0-9a-f]{24} /, ' ')),
    );
  }
  return parts;
};

const policyId = (digit: number): string => `11111111-1111-4111-8111-00000000000${digit}`;
const promptOf = (content: string) => ({ messages: [{ role: 'user', content }] });

/** A scenario with two of each kind. */
const scenario = {
  seed: 1,
  threads: { thread_a: { runs: 12 }, thread_b: { runs: { queued: 2, completed: 9 }, ties: 3 } },
  batches: { seeded: 30 },
  jobs: { ftjob_a: { checkpoints: 10 }, ftjob_b: { checkpoints: 9, made: 2 } },
  policies: {
    seeded: 3,
    records: [
      { id: policyId(1), name: 'one' },
      { id: policyId(2), value: 5 },
    ],
  },
  prompts: { prompt_a: promptOf('a {{name}}'), prompt_b: promptOf('b {{name}}') },
} satisfies Scenario;
const { threads, batches, jobs, policies, prompts } = scenario;
const { thread_a, thread_b } = threads;

const first = { id: 'first', metadata: { by: 'hand' } };

test.each<[changed: string, into: Scenario]>([
  ['threads/thread_a', { threads: { thread_b, thread_a: { runs: 31 } } }],
  ['threads/thread_b', { threads: { thread_a, thread_b: { runs: { cancelled: 3, queued: 1 } } } }],
  ['threads/thread_a', { threads: { thread_b, thread_a: { ...thread_a, ties: 11 } } }],
  ['threads/thread_a', { threads: { thread_b, thread_a: { ...thread_a, records: [first] } } }],
  ['threads/thread_0', { threads: { thread_0: { runs: 7 }, ...threads } }],
  ['batches', { batches: 31 }],
  ['batches', { batches: { ...batches, records: [first] } }],
  ['jobs/ftjob_b', { jobs: { ...jobs, ftjob_b: { checkpoints: 13, made: 2 } } }],
  ['jobs/ftjob_0', { jobs: { ftjob_0: { checkpoints: 4, made: 2 }, ...jobs } }],
  ['policies/', { policies: { ...policies, seeded: 4 } }], // a new one, with an id of its own
  ['prompts/prompt_a', { prompts: { ...prompts, prompt_a: promptOf('other {{name}}') } }],
  ['prompts/prompt_0', { prompts: { prompt_0: 'prompt_welcome', ...prompts } }],
  ['', { keys: { valid: ['one'], expired: ['two'], limited: { three: [] }, virtual: ['four'] } }],
  ['', { assumptions: { 'unknown-thread': 'empty-list', 'empty-run-ends': 'empty-string' } }],
  ['', { requests: 99, made: 99 }],
])('a change of one part changes the bytes of that part alone: "%s" by %j', async (changed, into) => {
  const [before, after] = [await readParts(scenario), await readParts({ ...scenario, ...into })];
  const parts = [...new Set([...before.keys(), ...after.keys()])];
  const differing = parts.filter((part) => String(before.get(part)) !== String(after.get(part)));
  expect(differing).toEqual(changed === '' ? [] : [expect.stringContaining(changed)]);
});
