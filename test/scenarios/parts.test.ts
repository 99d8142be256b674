// The parts of a scenario do not reach into one another.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scenario } from '../../src/index.ts';
import { openGateway } from '../support/open-gateway.ts';
import { partsOf, readPages } from '../support/scenario-calls.ts';
import { tries, volume } from '../support/settings.ts';

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

const most = volume(130, 10); // of more than a hundred, a list has a second page
const size = fc.nat({ max: most });
const few = fc.nat({ max: volume(6, 2) });
const runs = fc.oneof(
  size,
  fc.record({
    queued: few,
    in_progress: few,
    requires_action: few,
    completed: size,
    failed: few,
    expired: few,
  }),
);
const amount = fc.oneof(
  size,
  fc.record({ validating: few, in_progress: few, completed: size, failed: few, cancelled: few }),
);
const ties = fc.integer({ min: 1, max: 30 });
const policyId = (digit: number): string => `11111111-1111-4111-8111-00000000000${digit}`;
const promptOf = (content: string) => ({ messages: [{ role: 'user', content }] });

const amounts = fc.record({
  seed: fc.nat(),
  a: runs,
  b: runs,
  tied: ties,
  batches: amount,
  tenths: few,
  made: few,
  seeded: few,
});

type Amounts = typeof amounts extends fc.Arbitrary<infer Value> ? Value : never;

/** A scenario with two of each kind. */
const toScenario = ({ seed, a, b, tied, batches, tenths, made, seeded }: Amounts) => ({
  seed,
  threads: { thread_a: { runs: a }, thread_b: { runs: b, ties: tied } },
  batches: { seeded: batches },
  jobs: {
    ftjob_a: { checkpoints: tenths * 10 },
    ftjob_b: { checkpoints: 6 + tenths, made },
  },
  policies: {
    seeded,
    records: [
      { id: policyId(1), name: 'one' },
      { id: policyId(2), value: 5 },
    ],
  },
  prompts: { prompt_a: promptOf('a {{name}}'), prompt_b: promptOf('b {{name}}') },
});

const scenarios = amounts.map(toScenario);

type Whole = ReturnType<typeof toScenario>;

const first = { id: 'first', metadata: { by: 'hand' } };

/** One change to a part each, and which part that is. */
const changes: Readonly<Record<string, (scenario: Whole) => readonly [part: RegExp, changed: Scenario]>> = {
  'more runs': ({ threads, ...rest }) => [
    /^threads\/thread_a$/,
    { ...rest, threads: { ...threads, thread_a: { runs: most + 1 } } },
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
  'a thread less': ({ threads: { thread_b }, ...rest }) => [
    /^threads\/thread_a$/,
    { ...rest, threads: { thread_b } },
  ],
  'more batches': (scenario) => [/^batches$/, { ...scenario, batches: most + 1 }],
  'a batch by hand': ({ batches, ...rest }) => [
    /^batches$/,
    { ...rest, batches: { ...batches, records: [first] } },
  ],
  'no batches': ({ batches: _, ...rest }) => [/^batches$/, rest],
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
  'another name of a policy': ({ policies, ...rest }) => [
    /^policies\/.*1$/,
    {
      ...rest,
      policies: {
        ...policies,
        records: [
          { id: policyId(1), name: 'other' },
          { id: policyId(2), value: 5 },
        ],
      },
    },
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
  'the description': (scenario) => [/^nothing$/, { ...scenario, description: 'Another one.' }],
  'the counts of what came before': (scenario) => [/^nothing$/, { ...scenario, requests: 99, made: 99 }],
};

/** Each change is tried on the same scenarios, so that what these answer before it is read once for all changes. */
const [seed = 0] = fc.sample(fc.nat(), 1);
const known = new Map<string, ReturnType<typeof readParts>>();
const readBefore = (scenario: Scenario): ReturnType<typeof readParts> => {
  const text = JSON.stringify(scenario);
  const parts = known.get(text) ?? readParts(scenario);
  known.set(text, parts);
  return parts;
};

test.each(Object.entries(changes))('%s: every other part answers the same bytes', async (_name, change) => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const [touched, changed] = change(scenario);
      const [before, after] = [await readBefore(scenario), await readParts(changed)];
      expect(before.size).toBe(9 + scenario.policies.seeded);
      const others = [...before].filter(([part]) => !touched.test(part));
      const changedParts = others.filter(([part, pages]) => String(after.get(part)) !== String(pages));
      expect(changedParts.map(([part, pages]) => [part, after.get(part), 'instead of', pages])).toEqual([]);
    }),
    { ...tries(20), seed },
  );
});

test('the part that is changed does answer other bytes', async () => {
  const scenario = toScenario({ seed: 1, a: 40, b: 40, tied: 3, batches: 40, tenths: 3, made: 2, seeded: 3 });
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
