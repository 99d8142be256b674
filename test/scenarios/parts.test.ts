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

interface Amounts {
  readonly seed: number;
  readonly a: number | Record<string, number>;
  readonly b: number;
  readonly batches: number | Record<string, number>;
}

/** A scenario with two of each kind. */
const toScenario = ({ seed, a, b, batches }: Amounts) => ({
  seed,
  threads: { thread_a: { runs: a }, thread_b: { runs: b, ties: 3 } },
  batches: { seeded: batches },
  jobs: {
    ftjob_a: { checkpoints: 10 },
    ftjob_b: { checkpoints: 9, made: 2 },
  },
  policies: {
    seeded: 3,
    records: [
      { id: policyId(1), name: 'one' },
      { id: policyId(2), value: 5 },
    ],
  },
  prompts: { prompt_a: promptOf('a {{name}}'), prompt_b: promptOf('b {{name}}') },
});

type Whole = ReturnType<typeof toScenario>;

const first = { id: 'first', metadata: { by: 'hand' } };

/** One change to a part each, and which part that is. */
const changes: Readonly<Record<string, (scenario: Whole) => readonly [part: RegExp, changed: Scenario]>> = {
  'more runs': ({ threads, ...rest }) => [
    /^threads\/thread_a$/,
    { ...rest, threads: { ...threads, thread_a: { runs: 131 } } },
  ],
  'other states': ({ threads, ...rest }) => [
    /^threads\/thread_b$/,
    { ...rest, threads: { ...threads, thread_b: { runs: { cancelled: 3, queued: 1 } } } },
  ],
  'other ties': ({ threads, ...rest }) => [
    /^threads\/thread_a$/,
    { ...rest, threads: { ...threads, thread_a: { ...threads.thread_a, ties: 31 } } },
  ],
  'a run by hand': ({ threads, ...rest }) => [
    /^threads\/thread_a$/,
    { ...rest, threads: { ...threads, thread_a: { ...threads.thread_a, records: [first] } } },
  ],
  'a thread more, ahead of the others': ({ threads, ...rest }) => [
    /^threads\/thread_0$/,
    { ...rest, threads: { thread_0: { runs: 7 }, ...threads } },
  ],
  'more batches': (scenario) => [/^batches$/, { ...scenario, batches: 131 }],
  'a batch by hand': ({ batches, ...rest }) => [
    /^batches$/,
    { ...rest, batches: { ...batches, records: [first] } },
  ],
  'more checkpoints': ({ jobs, ...rest }) => [
    /^jobs\/ftjob_b$/,
    { ...rest, jobs: { ...jobs, ftjob_b: { ...jobs.ftjob_b, checkpoints: 13 } } },
  ],
  'another job': ({ jobs, ...rest }) => [
    /^jobs\/ftjob_0$/,
    { ...rest, jobs: { ftjob_0: { checkpoints: 4, made: 2 }, ...jobs } },
  ],
  'another policy, seeded': ({ policies, ...rest }) => [
    /^policies\/new$/,
    { ...rest, policies: { ...policies, seeded: policies.seeded + 1 } },
  ],
  'another text of a prompt': ({ prompts, ...rest }) => [
    /^prompts\/prompt_a$/,
    { ...rest, prompts: { ...prompts, prompt_a: promptOf('other {{name}}') } },
  ],
  'another prompt': ({ prompts, ...rest }) => [
    /^prompts\/prompt_0$/,
    { ...rest, prompts: { prompt_0: 'prompt_welcome', ...prompts } },
  ],
  keys: (scenario) => [
    /^nothing$/,
    { ...scenario, keys: { valid: ['one'], expired: ['two'], limited: { three: [] }, virtual: ['four'] } },
  ],
  assumptions: (scenario) => [
    /^nothing$/,
    {
      ...scenario,
      assumptions: {
        'unknown-thread': 'empty-list',
        'unknown-cursor': '400',
        'empty-run-ends': 'empty-string',
      },
    },
  ],
  'the counts of what came before': (scenario) => [/^nothing$/, { ...scenario, requests: 99, made: 99 }],
};

test.each<Amounts>([
  { seed: 1, a: 40, b: 12, batches: 130 },
  { seed: 2, a: { queued: 2, requires_action: 1, completed: 9 }, b: 1, batches: { failed: 2, completed: 7 } },
])('a change of one part changes the bytes of that part alone: %j', async (amounts) => {
  const scenario = toScenario(amounts);
  const before = await readParts(scenario);
  for (const [name, change] of Object.entries(changes)) {
    const [touched, changed] = change(scenario);
    const after = await readParts(changed);
    const parts = [...new Set([...before.keys(), ...after.keys()])];
    const differing = parts.filter((part) => String(before.get(part)) !== String(after.get(part)));
    const expected = name === 'another policy, seeded' ? /^policies\// : touched;
    expect([name, differing.filter((part) => !expected.test(part))]).toEqual([name, []]);
    expect([name, differing.length]).toEqual([name, touched.source === '^nothing$' ? 0 : 1]);
  }
});
