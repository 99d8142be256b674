// The checks as values, and as a run over worlds of our own: what they find, what they cannot see, and where they stop.
import { describe, expect, test } from 'vitest';
import { batches, chat, jobs, runs } from '../../src/calls.ts';
import {
  type AssumptionChoices,
  assumptions,
  type Scenario,
  type ShippedScenario,
  scenarioNames,
} from '../../src/index.ts';
import { differs, failed } from '../../src/tools/conformance/check.ts';
import { assumptionChecks } from '../../src/tools/conformance/checks/assumptions.ts';
import { checks } from '../../src/tools/conformance/checks.ts';
import { runs as listOfRuns } from '../../src/tools/conformance/lists.ts';
import { createReading } from '../../src/tools/conformance/run/reading.ts';
import { findAssumptions, toJson, toJunit, toTable } from '../../src/tools/conformance/run/report.ts';
import { type CheckReport, isOfContract, runChecks } from '../../src/tools/conformance/run/run-checks.ts';
import type { Check, CheckFinding, CheckTarget } from '../../src/tools/conformance/types.ts';
import { walkList } from '../../src/tools/conformance/walk.ts';
import { createAnswerTarget, findSamplesOf } from '../support/check-targets.ts';
import { ofList } from '../support/of-list.ts';
import { openGateway } from '../support/open-gateway.ts';
import { blocksOf } from '../support/printed-blocks.ts';
import { isFull, volume } from '../support/settings.ts';

/** The prompt that docs/verify.md gives for `--probe-prompt`. */
const printed = blocksOf('json').find(({ page, text }) => page === 'docs/verify.md' && text.includes('gwm'));
const probe = { id: 'gwm_probe', ...JSON.parse(printed?.text ?? '{}') };

const findingsOf = ({ results }: CheckReport, kind: CheckFinding['kind']) =>
  results.flatMap(({ check, findings }) =>
    findings.filter((finding) => finding.kind === kind).map((finding) => [check.id, finding] as const),
  );

const open = async (scenario: ShippedScenario | Scenario, choices: AssumptionChoices = {}) => {
  const opened = openGateway({ scenario, assume: choices });
  const { gateway } = opened;
  const target = await createAnswerTarget(opened, findSamplesOf(scenario, gateway));
  await gateway.records.prompts.create(probe);
  return { gateway, target: { ...target, samples: { ...target.samples, probePrompt: probe.id } } };
};

describe('the checks', () => {
  test('have an id of their own, a section, and a sentence', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    for (const { id, section, description } of checks) {
      expect(id).toMatch(/^(?:assumed:)?[a-z0-9-]+$/);
      expect(section).not.toBe('');
      expect(description).toMatch(/\.$/);
    }
  });

  test('are one for each assumption, beside those of the contract', () => {
    const ids = Object.keys(assumptions).map((id) => `assumed:${id}`);
    expect(checks.filter((check) => !isOfContract(check)).map(({ id }) => id)).toEqual(ids);
  });
});

/** In `npm test`, those that differ most from the lists of test/conformance/mutants.test.ts. */
const chosen = scenarioNames().filter(
  (name) => isFull || /^(?:lenient-answers|strict-answers|live|tied-timestamps|unicode)$/.test(name),
);

test.each(chosen)(
  'in the scenario %s no check fails, only what it switches differs, and calls only read',
  async (name) => {
    const { gateway, target } = await open(name);
    const written: string[] = [];
    const report = await runChecks({
      ...target,
      call: (call) => {
        const isRead = call.method !== 'POST' || /^\/prompts\/[^/]+\/render$/.test(call.path);
        if (!isRead) written.push(call.path);
        return target.call(call);
      },
    });
    expect([findingsOf(report, 'failed'), written]).toEqual([[], []]);
    const { assumptions: switched = {} } = await gateway.state.export();
    expect(switched).toMatchObject(findAssumptions(report));
    expect(report.cutShort).toBe(0); // the default of --max-calls is enough
  },
);

test('calls beside those of the contract are left alone: no check calls one', async () => {
  const opened = openGateway({ calls: [...runs, ...batches, ...jobs, ...chat] });
  const target = await createAnswerTarget(opened, findSamplesOf('default', opened.gateway));
  expect(findingsOf(await runChecks(target), 'failed')).toEqual([]);
  const requests = await opened.gateway.requests.list({}, { kept: true, bodies: false });
  expect(requests.filter(({ assumptions }) => assumptions.includes('own-call'))).toEqual([]);
});

test('the report says how far each list was read', async () => {
  const reportOf = async (scenario: ShippedScenario | Scenario, id: string) =>
    toTable(
      await runChecks((await open(scenario)).target, { checks: checks.filter((check) => check.id === id) }),
    );
  expect(await reportOf({ threads: { one: { runs: 2100 } } }, 'runs-walk')).toMatch(
    /runs-walk +note +read 2000 records in order desc: only the first 20 pages were read\./,
  );
  expect(await reportOf('default', 'batches-walk')).toMatch(/batches-walk +note +read all 130 records\./);
});

/** What no call from outside can tell, or no polite call, or no call to `default`. */
const hidden = [
  'api-keys',
  'unknown-virtual-key',
  'retry-after-cap',
  'quota-headers',
  'quota-scope',
  'run-states',
  'batch-states',
  'extra-fields',
];

const alternatives = Object.entries(assumptions).flatMap(([id, { choices }]) =>
  hidden.includes(id) ? [] : choices.slice(1).map(([value]) => [id, value] as const),
);

test.each(alternatives)('a gateway that has %s: %j differs just in that', async (id, value) => {
  const { target } = await open('default', { [id]: value });
  const thread = id === 'empty-run-ends' ? 'thread_empty' : 'thread_small';
  const samples = { ...target.samples, thread, otherThread: target.samples.thread };
  const report = await runChecks({ ...target, samples }, { checks: isFull ? checks : assumptionChecks });
  expect(findingsOf(report, 'failed')).toEqual([]);
  expect(findAssumptions(report)).toEqual({ [id]: value });
});

test('a gateway with unknown statuses differs in the assumptions about states', async () => {
  const { target } = await open({
    extends: 'default',
    assumptions: { 'run-states': 'any', 'batch-states': 'any' },
    threads: { thread_small: { records: [{ id: 'run_1', status: 'paused' }] } },
    batches: { seeded: 1, records: [{ id: 'batch_1', status: 'succeeded' }] },
  });
  const samples = { ...target.samples, thread: 'thread_small' };
  const report = await runChecks({ ...target, samples }, { checks: assumptionChecks });
  expect(findAssumptions(report)).toEqual({ 'run-states': 'any', 'batch-states': 'any' });
  expect(toTable(report)).toContain('batch_1: unknown status "succeeded"');
});

test('keys that are listed are told from any', async () => {
  const report = await runChecks((await open('locked-out')).target, { checks: assumptionChecks });
  expect(findingsOf(report, 'differs')).toMatchObject([['assumed:api-keys', { value: 'listed' }]]);
});

/** Lists that have records already, and lists whose first pages fill up while they are read. */
const growing: readonly (readonly [sizes: string, by: string, scenario: ShippedScenario | Scenario])[] = [
  ['a few records', '1s', { threads: { one: { runs: 7 } }, batches: 4, jobs: { one: { checkpoints: 5 } } }],
  ['a page', '1s', { threads: { one: { runs: 100 } }, batches: 99, jobs: { one: { checkpoints: 10 } } }],
  ['hardly any', '0s', { threads: { one: { runs: 1 } }, batches: 0, jobs: { one: { checkpoints: 0 } } }],
  ['many pages', '0s', 'default'],
];

const ofLists = checks.filter(({ id }) => ofList.test(id));

test.each(isFull ? growing : growing.slice(0, 1))(
  'where lists of %s grow between calls, by time and records, no check fails and nothing differs',
  async (_sizes, by, scenario) => {
    const { gateway, target } = await open(scenario);
    const { thread: thread_id = '', job: fine_tuning_job_id = '' } = target.samples;
    let calls = 0;
    const call: CheckTarget['call'] = async (asked) => {
      calls += 1;
      if (calls % volume(1, 5) > 0) return target.call(asked);
      await gateway.clock.advance(by);
      await gateway.records.batches.create({});
      await gateway.records.runs.create({ thread_id });
      await gateway.records.checkpoints.create({ fine_tuning_job_id });
      return target.call(asked);
    };
    const report = await runChecks({ ...target, call }, { checks: isFull ? checks : ofLists });
    expect([findingsOf(report, 'failed'), findingsOf(report, 'differs')]).toEqual([[], []]);
  },
);

test('a list of which every page says that it is the last one is read to its end', async () => {
  const { target } = await open({ threads: { one: { runs: 250 } } });
  const call: CheckTarget['call'] = async (sent) => {
    const reply = await target.call(sent);
    return { ...reply, text: reply.text.replace('"has_more":true', '"has_more":false') };
  };
  const { ids, isComplete } = await walkList({ ...target, call }, listOfRuns);
  expect([ids.length, isComplete]).toEqual([250, true]);
});

test('a page that cannot be read is no reason to pass: the checks of its list are not done, with that cause', async () => {
  const { target } = await open('default');
  const call: CheckTarget['call'] = async (sent) => {
    const reply = await target.call(sent);
    return sent.query?.includes('after') ? { ...reply, text: '[]' } : reply;
  };
  const ofWalk = checks.filter(({ id }) => id === 'runs-walk');
  const { results } = await runChecks({ ...target, call }, { checks: ofWalk });
  expect(results[0]?.findings).toContainEqual(
    expect.objectContaining({ kind: 'unchecked', cause: 'unreadable' }),
  );
});

test('without anything to look at, and without a virtual key, the checks that need it report what is missing', async () => {
  const { target } = await open('default');
  const calls: string[] = [];
  const report = await runChecks({
    samples: {},
    hasVirtualKey: false,
    call: (call) => {
      calls.push(call.path);
      return target.call(call);
    },
  });
  expect(findingsOf(report, 'failed')).toEqual([]);
  for (const need of ['thread', 'job', 'policy', 'archived policy', 'prompt', 'virtual key'])
    expect(toTable(report)).toContain(`no ${need} was given.`);
  expect(calls.filter((path) => /demo|small|welcome|1111|batches/.test(path))).toEqual([]);
  expect(report.cutShort).toBe(0);
});

describe('a run ends', () => {
  test.each([
    [{ maxCalls: 20 }, 20, 'the limit of 20 calls was reached.'],
    [{ maxTime: -1 }, 0, 'the limit of -1 ms was reached.'],
  ])(
    '%j: after so many calls, or so long, and counts the checks that are left',
    async (end, calls, reason) => {
      const report = await runChecks((await open('default')).target, end);
      const left = findingsOf(report, 'unchecked').filter((one) => JSON.stringify(one).includes(reason));
      expect(report).toMatchObject({ calls, cutShort: new Set(left.map(([id]) => id)).size });
      expect(report.cutShort).toBeGreaterThan(50);
      expect(findingsOf(report, 'failed')).toEqual([]);
    },
  );

  test.each([
    [1000, 1],
    [26_000_000, 3],
  ])(
    'with replies of %i characters kept: the same two calls, made twice, are %i times sent',
    async (size, times) => {
      let sent = 0;
      const call: CheckTarget['call'] = async ({ path }) => {
        if (path === '/a') sent += 1;
        return { status: 200, header: () => null, text: 'x'.repeat(size) };
      };
      const { target } = createReading({ samples: {}, call }, () => undefined);
      for (const path of ['/a', '/b', '/a', '/b', '/a']) await target.call({ method: 'GET', path });
      expect(sent).toBe(times);
    },
  );

  test('where three calls in a row got no reply', async () => {
    const answers = [false, false, true, false, false, false, true].values();
    const call: CheckTarget['call'] = async () => {
      if (answers.next().value !== true) throw new Error('no reply');
      return { status: 200, header: () => null, text: '{}' };
    };
    const { target } = createReading({ samples: {}, call }, () => undefined);
    const ask = () => target.call({ method: 'GET', path: '/a', fresh: true }).then(String, String);
    const ends: string[] = [];
    for (let at = 0; at < 7; at += 1) ends.push(await ask());
    expect(ends.map((end) => end.includes('the target stopped answering'))).toEqual([
      ...Array(6).fill(false),
      true,
    ]);
  });

  test('where each record of a page fails a check, at a hundred of them', async () => {
    const pad = 'x'.repeat(500);
    const data = Array.from({ length: volume(5000, 120) }, (_, id) => ({ id: `b${id}`, status: 5, pad }));
    const text = JSON.stringify({ object: 'list', data, has_more: true });
    const { target } = await open('default');
    const call: CheckTarget['call'] = async () => ({ status: 200, header: () => 'application/json', text });
    const ofSchema = checks.filter(({ id }) => id === 'batches-schema');
    const report = await runChecks({ ...target, call }, { checks: ofSchema });
    expect(report.results[0]?.findings).toHaveLength(100);
    expect(toTable(report)).toContain('and many more');
  });

  test('of one check, at ten failures about the same thing, in each of its three runs', async () => {
    let calls = 0;
    const endless: Check = {
      id: 'batches-endless',
      section: 'Limits',
      description: 'It never ends.',
      needs: [],
      run: async function* (target) {
        yield differs('api-keys', 'listed', 'GET /batches', 'another one');
        for (;;) {
          await target.call({ method: 'GET', path: '/batches', fresh: true });
          calls += 1;
          yield failed('GET /batches', `page ${calls}`, 'another one', calls % 2 === 0 ? 'even' : 'odd');
        }
      },
    };
    const report = await runChecks((await open('default')).target, { checks: [endless] });
    expect(calls).toBe(3 * 19); // the tenth odd one
    expect(report.results[0]?.outcome).toBe('failed');
    expect(toJunit('here', report)).not.toContain('the mock has'); // a failure lists only what failed
  });
});

test('a policy may answer with its id in the other letter case', async () => {
  const id = 'abcdefab-0000-4000-8000-000000000000';
  const { target } = await open({ policies: { records: [{ id }] } });
  const call: CheckTarget['call'] = async (sent) => {
    const reply = await target.call(sent);
    return { ...reply, text: reply.text.replace(id, id.toUpperCase()) };
  };
  const ofPolicies = checks.filter((check) => check.id.startsWith('policy-'));
  expect(findingsOf(await runChecks({ ...target, call }, { checks: ofPolicies }), 'failed')).toEqual([]);
});

describe('a report', () => {
  /** A gateway that repeats the key, and more, in what it answers. */
  const key = 'key-that-nobody-may-see';
  const makeBrokenReport = async (): Promise<CheckReport> => {
    const { target } = await open('default', { 'hyperparameter-type': 'passed-through' });
    return runChecks({
      ...target,
      hide: (text) => text.replaceAll(key, '***'),
      call: async (call) => {
        const reply = await target.call(call);
        if (call.path !== '/batches') return reply;
        return {
          ...reply,
          status: 500,
          text: `<b a="${key}">&\u001b[31m\u202e\ufffe\uffff]]>${'x'.repeat(210)}${key}`,
        };
      },
    });
  };
  const made = makeBrokenReport();
  const brokenReport = (): Promise<CheckReport> => made;

  test('groups what it found, and sums it up', async () => {
    const table = toTable(await brokenReport());
    expect(table).toMatch(/^Fails the contract\n {2}batches-success +failed +GET \/batches: expected/);
    expect(table).toContain('\n\nNot checked\n');
    expect(table).toMatch(/\d+ checks in \d+ calls: \d+ passed, 1 failed, \d+ differ .*, \d+ not checked$/m);
  });

  test('of a rendering states the difference ahead of the call with all its fields', async () => {
    const { target } = await open('default');
    const call: CheckTarget['call'] = async (sent) => {
      const reply = await target.call(sent);
      return { ...reply, text: reply.text.replace('"temperature":0.25', '"temperature":25') };
    };
    const ofHyperparameters = checks.filter(({ id }) => id === 'render-hyperparameters');
    expect(toTable(await runChecks({ ...target, call }, { checks: ofHyperparameters }))).toMatch(
      /failed {5}expected data\.temperature 0\.25, as it was sent, got data\.temperature 25, in POST \/prompts/,
    );
  });

  test('shows no key and nothing that controls a terminal, in any form', async () => {
    const report = await brokenReport();
    for (const text of [toTable(report), toJson('http://gateway.test/v1', report), toJunit('here', report)]) {
      expect(text).not.toContain('key-that');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that must not be there
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e\ufffe\uffff]/);
    }
  });

  test('in JSON has each check with its outcome, and the assumptions to switch', async () => {
    const report = await brokenReport();
    const read = JSON.parse(toJson('http://gateway.test/v1', report));
    expect(read).toMatchObject({
      against: 'http://gateway.test/v1',
      calls: report.calls,
      counts: { failed: 1 },
      assumptions: { 'hyperparameter-type': 'passed-through' },
      deviations: ['assumed:hyperparameter-type differs passed-through', 'batches-success failed status 500'],
    });
    expect(read.results.map(({ id }: { id: string }) => id)).toEqual(checks.map(({ id }) => id));
  });

  test('in JUnit XML counts failures and what was skipped, and escapes what stands in it', async () => {
    const report = await brokenReport();
    const xml = toJunit('a <gateway> & "more"', report);
    const count = (pattern: RegExp): number => [...xml.matchAll(pattern)].length;
    expect(xml).toContain('name="gateway-mock verify a &lt;gateway&gt; &amp; &quot;more&quot;"');
    expect(xml).toContain(
      `tests="${checks.length}" failures="1" errors="0" skipped="${count(/<skipped /g)}"`,
    );
    expect([count(/<testcase /g), count(/<failure /g)]).toEqual([checks.length, 1]);
    expect(xml).toContain('&lt;b a=&quot;***&quot;&gt;&amp;');
    expect(xml.match(/<(?!\/?(?:testsuites?|testcase|failure|skipped|system-out|\?xml)\b)/)).toBeNull();
  });
});

describe('the probe prompt', () => {
  const ofProbe = checks.filter(({ id }) => /^assumed:(?:template-lines|missing-partial)$/.test(id));

  test('shows a gateway that renders without the partial that is missing', async () => {
    const { target } = await open('default');
    const call: CheckTarget['call'] = async (sent) => {
      const reply = await target.call(sent);
      return reply.status === 400 ? { ...reply, status: 200 } : reply;
    };
    const report = await runChecks({ ...target, call }, { checks: ofProbe });
    expect(findingsOf(report, 'differs')).toMatchObject([
      ['assumed:missing-partial', { actual: 'status 200' }],
    ]);
  });

  test('with another text than the docs give is not compared, and its text is shown', async () => {
    const { target } = await open('default');
    const samples = { ...target.samples, probePrompt: 'prompt_welcome' };
    const report = await runChecks({ ...target, samples }, { checks: ofProbe.slice(0, 1) });
    expect(toTable(report)).toMatch(/the probe prompt has another text than docs\/verify\.md gives: "/);
  });
});

describe('the variables of a prompt', () => {
  const content = 'Hello {{name}}, {{#list}}{{.}}{{/list}} {{list}} {{user}} {{user.first}}';
  const prompts = { hello: { parameters: { model: 'gpt-4o' }, messages: [{ role: 'user', content }] } };
  const ofRenderings = checks.filter(({ id }) => !ofList.test(id));

  test.each<Record<string, unknown>>([
    { name: { first: 'Ada', of: ['a "b"', 'c'] } },
    { name: 'Ada', list: ['a', 'b'], user: { first: 'Ada' } },
  ])(
    '%j differ from nothing in the mock itself, though arrays and objects are put in as JSON',
    async (variables) => {
      const { target } = await open({ prompts });
      const samples = { prompt: 'hello', variables };
      const report = await runChecks({ ...target, samples }, { checks: ofRenderings });
      expect([findingsOf(report, 'failed'), findingsOf(report, 'differs')]).toEqual([[], []]);
      expect(report.results.find(({ check }) => check.id === 'render-letters')?.outcome).toBe('passed');
    },
  );
});

describe('a record that is not on a page', () => {
  /** What the check finds in pages, one after the other, such as `abc` or `asc cba`. */
  const findLost = async (...pages: readonly string[]) => {
    const check = checks.find(({ id }) => id === 'runs-none-lost') ?? expect.fail('no such check');
    const watched = check.watch?.() ?? expect.fail('it watches nothing');
    return pages.flatMap((page) => {
      const [ids = '', order = 'desc'] = page.split(' ').reverse();
      const call = { method: 'GET', path: '/threads/t/runs', query: `order=${order}` } as const;
      const text = JSON.stringify({ data: [...ids].map((id) => ({ id })) });
      return [...watched(call, { status: 200, header: () => null, text }, { thread: 't' })];
    });
  };

  test.each([
    ['was deleted', ['abcd', 'abd', 'abd', 'ab']],
    ['came again at the beginning', ['bcd', 'abcd', 'bcd', 'abcd']],
    ['came again at the end', ['abc', 'abcd', 'abc', 'abcd']],
    ['is on the page behind', ['abcd', 'ab', 'cd', 'abcd']],
    ['stands elsewhere', ['abcd', 'acbd', 'abcd', 'dcba', 'abcd']],
  ])('is not lost where it %s', async (_why, pages) => {
    expect(await findLost(...pages)).toEqual([]);
  });

  test.each([
    [['abcd', 'abd', 'abcd']],
    [['abcde', 'abe', 'abcde']],
    [['ab', 'bc', 'cd', 'abd', 'bc']],
    [['abcd', 'asc dcba', 'abd', 'abcd']],
  ])('is lost where it was there before and comes again: %j', async (pages) => {
    expect(await findLost(...pages)).toContainEqual(
      expect.objectContaining({ kind: 'failed', expected: expect.stringContaining('c between') }),
    );
  });
});

test('the order of all runs is not checked if reading them failed, with that reason', async () => {
  const { target } = await open('default');
  const { results } = await runChecks(
    {
      ...target,
      call: (call) => target.call({ ...call, query: call.query?.replace(/after=[^&]*/, '') }),
    },
    { checks: checks.filter(({ id }) => id === 'assumed:total-order') },
  );
  expect(results.flatMap(({ findings }) => findings)).toMatchObject([
    {
      kind: 'unchecked',
      reason: expect.stringMatching(/^failed to read all runs: GET .* repeats .*\.$/),
    },
  ]);
});
