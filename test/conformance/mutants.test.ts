import { expect, test } from 'vitest';
import { goodCalls } from '../../src/conformance/calls.ts';
import { checks, contractChecks } from '../../src/conformance/checks.ts';
import { type CheckReport, runChecks } from '../../src/conformance/run/run-checks.ts';
import type { Check, CheckReply, CheckTarget } from '../../src/conformance/types.ts';
import type { Scenario } from '../../src/scenario/types.ts';
import { createAnswerTarget } from '../support/check-targets.ts';
import { mutants, variants } from '../support/mutants.ts';
import { smallPageMutants } from '../support/mutants-of-blind-spots.ts';
import { flakyMutants, longListMutants, rareMutants } from '../support/mutants-of-long-lists.ts';
import { batches, type Change, refuseWith, runs } from '../support/mutate.ts';
import { openGateway } from '../support/open-gateway.ts';
import { isFull } from '../support/settings.ts';
import { lookVariants } from '../support/variants-of-looks.ts';

/** Enough of everything, so that every check finds what it needs. */
const toScenario = (runs: number, batches: number, checkpoints: number) =>
  ({
    threads: { thread_a: { runs }, thread_b: { runs: 3 } },
    batches,
    jobs: { job_a: { checkpoints } },
    policies: {
      records: [
        {
          id: 'abcdef11-1111-4111-8111-111111111111',
          status: 'active',
          conditions: [{ key: 'metadata.env', value: 'a' }],
        },
        { id: '22222222-2222-4222-8222-222222222222', status: 'archived' },
      ],
    },
    prompts: {
      greeting: {
        parameters: { model: 'gpt-4o', temperature: 1, max_tokens: 99 },
        messages: [
          { role: 'system', content: 'You help {{name}}.' },
          { role: 'user', content: 'Hello {{name}}, {{question}}' },
        ],
      },
    },
  }) satisfies Scenario;

/** A server to be changed. The same calls have the same answers in a world that stands still: each is asked for once. */
const openServer = async (...sizes: [runs: number, batches: number, checkpoints: number]) => {
  const { samples, respond } = await createAnswerTarget(openGateway({ scenario: toScenario(...sizes) }));
  const answers = new Map<string, CheckReply>();
  const respondOnce: typeof respond = (call) => {
    const key = JSON.stringify(call);
    const reply = answers.get(key) ?? respond(call);
    answers.set(key, reply);
    return reply;
  };
  return (change: Change, held?: readonly Check[]): Promise<CheckReport> => {
    const target: CheckTarget = { samples, call: async (call) => change(call, respondOnce) };
    return runChecks(target, held && { checks: held });
  };
};

const hold = await openServer(27, 25, 13);
const holdLong = await openServer(230, 230, 230);

/** The operation of a check: `runs` of `runs-order`. */
const subjectOf = (id: string): string | undefined => id.split('-')[0];

/** What a mutant is held to: in full everything, otherwise the contract, as far as it is about the same operations. */
const heldBy = (breaks: readonly string[]): readonly Check[] =>
  isFull
    ? checks
    : contractChecks.filter(({ id }) => breaks.some((broken) => subjectOf(broken) === subjectOf(id)));

const brokenIn = ({ results }: CheckReport): string[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check.id);

const differingIn = ({ results }: CheckReport): Record<string, string | undefined> =>
  Object.fromEntries(
    results.flatMap(({ findings }) =>
      findings.flatMap((finding) =>
        finding.kind === 'differs' ? [[finding.assumption, finding.value]] : [],
      ),
    ),
  );

test.each([
  ['short', hold],
  ['long', holdLong],
])(
  'the server of %s lists passes every check, and each check of the contract is done',
  async (_size, holdIt) => {
    const report = await holdIt((call, ask) => ask(call));
    const { results } = report;
    expect([brokenIn(report), differingIn(report)]).toEqual([[], {}]);
    const left = results.filter(({ outcome }) => outcome === 'unchecked').map(({ check }) => check.id);
    expect(left.filter((id) => !id.startsWith('assumed:'))).toEqual([]);
  },
);

test.each([runs, batches])(
  'where limit=100 is refused for %s, every other check is still done',
  async (pattern) => {
    const { results } = await hold(refuseWith(pattern, ['limit', '100']));
    const left = results.filter(({ outcome }) => outcome === 'unchecked').map(({ check }) => check.id);
    expect(left.filter((id) => !id.startsWith('assumed:'))).toEqual([]);
  },
);

/** The contract requires the header, and gateways are known that do without: it is told by a variant. */
const told = goodCalls.filter(({ contract }) => contract.virtualKey).map(({ name }) => `${name}-virtual-key`);

test('each check of the contract fails for a mutant', () => {
  const ids = [...mutants, ...longListMutants, ...smallPageMutants, ...flakyMutants, ...rareMutants]
    .flatMap(([, breaks]) => breaks)
    .concat(told);
  expect(
    [...new Set(ids)].sort(),
    'a check that no mutant fails: add one to test/support/mutants.ts',
  ).toEqual(contractChecks.map(({ id }) => id).sort());
});

/** The named checks fail, and none of other operations. */
const expectBroken = (report: CheckReport, breaks: readonly string[]): void => {
  const broken = brokenIn(report);
  expect(broken).toEqual(expect.arrayContaining([...breaks]));
  expect(new Set(broken.map(subjectOf))).toEqual(new Set(breaks.map(subjectOf)));
};

test.each(mutants)('where %s, the failed checks are %j', async (_title, breaks, change) => {
  expectBroken(await hold(change, heldBy(breaks)), breaks);
});

test.each([...longListMutants, ...smallPageMutants, ...flakyMutants])(
  'where %s, the failed checks are %j, in long lists',
  async (_title, breaks, change) => {
    expectBroken(await holdLong(change, heldBy(breaks)), breaks);
  },
);

test.each([...variants, ...lookVariants])(
  'where %s, no check fails, and it differs from %o',
  async (_title, differs, change) => {
    const report = await hold(change);
    // Strictly: what no choice of the mock fits has the value undefined.
    expect([brokenIn(report), differingIn(report)]).toStrictEqual([[], differs]);
  },
);

test.each(rareMutants)(
  'where %s, %j is among the failed checks, in lists of any length',
  async (_title, breaks, change) => {
    expect(brokenIn(await hold(change))).toEqual(expect.arrayContaining([...breaks]));
    expect(brokenIn(await holdLong(change))).toEqual(expect.arrayContaining([...breaks]));
  },
);
