import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { validCalls } from '../../src/tools/conformance/calls.ts';
import { assumptionChecks } from '../../src/tools/conformance/checks/assumptions.ts';
import { checks } from '../../src/tools/conformance/checks.ts';
import { type CheckReport, isOfContract, runChecks } from '../../src/tools/conformance/run/run-checks.ts';
import type { Check, CheckReply, CheckTarget } from '../../src/tools/conformance/types.ts';
import { createAnswerTarget } from '../support/check-targets.ts';
import { longListMutants, type Mutant, mutants, rareMutants } from '../support/mutants.ts';
import { batches, both, type Change, inTextValues, letIn, refuse, runs } from '../support/mutate.ts';
import { ofList } from '../support/of-list.ts';
import { openGateway } from '../support/open-gateway.ts';
import { isFull } from '../support/settings.ts';
import { variants } from '../support/variants.ts';

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

const contractChecks = checks.filter(isOfContract);

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

test.each(Object.entries({ runs, batches }))(
  'where limit=100 is refused for %s, every other check is still done',
  async (_name, on) => {
    const { results } = await hold(on('limit=100')(refuse()));
    const left = results.filter(({ outcome }) => outcome === 'unchecked').map(({ check }) => check.id);
    expect(left.filter((id) => !id.startsWith('assumed:'))).toEqual([]);
  },
);

test('a call that also fails with the virtual key does not tell whether it is read', async () => {
  const change = both(runs('limit=1')(refuse()), letIn('x-gateway-virtual-key'));
  expect(brokenIn(await hold(change, heldBy(['runs-virtual-key'])))).toEqual(['runs-parameters']);
});

test('a finding shows the codes of characters that look like others', async () => {
  const change = inTextValues((text) => text.replaceAll('\u00a0', ' '));
  const { results } = await hold(change, heldBy(['render-unicode']));
  const failures = results.flatMap(({ findings }) => findings.filter(({ kind }) => kind === 'failed'));
  expect(failures).toContainEqual(
    expect.objectContaining({ expected: expect.stringContaining('… \\u00a0 \\u2028 \\u200b \\ufeff') }),
  );
});

/** The contract requires the header, and gateways are known that do without: it is told by a variant. */
const told = validCalls
  .filter(({ contract }) => contract.virtualKey)
  .map(({ name }) => `${name}-virtual-key`);

/** What a check is about, in lists of any kind. */
const partOf = (id: string): string => id.replace(ofList, '');

/** In `npm test`, one mutant for each check, of which lists have the same; in full, all of them. */
const choose = (all: readonly Mutant[]): readonly Mutant[] => {
  const covered = new Set<string>();
  return all.filter(([, breaks]) => {
    const keys = breaks.map(partOf);
    const isNew = keys.some((key) => !covered.has(key));
    for (const key of keys) covered.add(key);
    return isFull || isNew;
  });
};

test('each check of the contract fails for a mutant', () => {
  const ids = [...mutants, ...longListMutants, ...rareMutants].flatMap(([, breaks]) => breaks).concat(told);
  expect(
    [...new Set(ids)].sort(),
    'a check that no mutant fails: add one to test/support/mutants.ts',
  ).toEqual(contractChecks.map(({ id }) => id).sort());
});

describe.each([
  ['short', hold, choose(mutants)],
  ['long', holdLong, choose(longListMutants)],
] as const)('in %s lists', (_size, holdIt, chosen) => {
  test.each(chosen)('where %s, the failed checks are %j', async (_title, breaks, change) => {
    const broken = brokenIn(await holdIt(change, heldBy(breaks)));
    expect(broken).toEqual(expect.arrayContaining([...breaks]));
    expect(new Set(broken.map(subjectOf))).toEqual(new Set(breaks.map(subjectOf))); // none of other operations
  });
});

test.each(variants)('where %s, no check fails, and it differs from %o', async (_title, differs, change) => {
  const report = await hold(change, isFull ? checks : assumptionChecks);
  // Strictly: what no choice of the mock fits has the value undefined.
  expect([brokenIn(report), differingIn(report)]).toStrictEqual([[], differs]);
});

test.each(rareMutants)(
  'where %s, %j is among the failed checks, in lists of any length',
  async (_title, breaks, change) => {
    for (const holdIt of isFull ? [hold, holdLong] : [holdLong])
      expect(brokenIn(await holdIt(change, heldBy(breaks)))).toEqual(expect.arrayContaining([...breaks]));
  },
);
