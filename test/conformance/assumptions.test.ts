// Every value of every assumption shows in the answer to some call, and no plain answer is marked.
import { describe, expect, test } from 'vitest';
import { hyperparametersSchema } from '../../src/core/operations/render-prompt/contract.ts';
import { type AssumptionId, assumptions, type ShippedScenario, scenarioNames } from '../../src/index.ts';
import { policyCall, renderCall } from '../../src/tools/conformance/calls.ts';
import { askUnder, assumptionCases, type Wanted } from '../support/assumption-cases.ts';
import { type AnswerTarget, createAnswerTarget, findSamplesOf } from '../support/check-targets.ts';
import { openGateway } from '../support/open-gateway.ts';
import { checkpointsOf, runsOf } from '../support/scenario-calls.ts';
import { isFull } from '../support/settings.ts';

const ids = Object.keys(assumptions) as AssumptionId[];
const isStanding = (id: AssumptionId): boolean => 'standing' in assumptions[id];

/** Each value of each assumption; what is no default is switched. */
const values = ids.flatMap((id) =>
  assumptions[id].choices.map(([value], index) => ({
    id,
    value,
    switched: index === 0 ? undefined : { [id]: value },
  })),
);

test.each(values)(
  'the assumption $id with the value $value is counted, marked unless it is standing, and answered as its meaning says',
  async ({ id, value, switched }) => {
    const { status, header, text, marks, listed } = await askUnder(assumptionCases[id], switched);
    if (!isStanding(id)) expect(marks).toContain(id);
    expect(listed.find((one) => one.id === id)).toMatchObject({ value, used: marks.includes(id) ? 1 : 0 });
    const answers: Readonly<Record<string, Wanted>> = assumptionCases[id].answers;
    const { headers = {}, ...wanted } = answers[value] ?? { status: 0 };
    const sent = Object.fromEntries(Object.keys(headers).map((name) => [name, header(name)]));
    expect({ status, headers: sent, body: text === '' ? undefined : JSON.parse(text) }).toMatchObject({
      headers,
      ...wanted,
    });
  },
);

/** Calls of one world, which notes what is not answered by an unmarked 200. */
const openPlain = async (scenario: ShippedScenario) => {
  const opened = openGateway({ scenario, journal: 0 });
  const { gateway } = opened;
  const target = await createAnswerTarget(opened, findSamplesOf(scenario, gateway));
  const odd: string[] = [];
  const ask: AnswerTarget['respond'] = (call) => {
    const reply = target.respond(call);
    const mark = reply.header('x-mock-assumptions');
    if (reply.status !== 200 || mark !== null)
      odd.push(`${call.method} ${call.path}?${call.query ?? ''} ${reply.status} ${mark}`);
    return reply;
  };
  const list = (path: string, query = ''): { readonly has_more: boolean; readonly last_id: string } =>
    JSON.parse(ask({ method: 'GET', path, query }).text);
  /** The first page of each size, and all pages to the end. */
  const readList = (path: string, orders: readonly string[] = ['']): void => {
    list(path);
    for (const order of orders) {
      for (const limit of [1, 20, 99]) list(path, `${order}limit=${limit}`);
      for (let after = ''; ; ) {
        const { has_more, last_id } = list(path, `${order}limit=100${after}`);
        if (!has_more) break;
        after = `&after=${encodeURIComponent(last_id)}`;
      }
    }
  };
  return { gateway, target, odd, ask, readList };
};

/** Every hyperparameter of the contract but messages, which `root-messages` is about. */
const rootParameters = {
  model: 'gpt-4o',
  frequency_penalty: 0.5,
  logit_bias: { 50256: -100 },
  logprobs: true,
  top_logprobs: 5,
  max_tokens: 256,
  n: 2,
  presence_penalty: -0.5,
  response_format: { type: 'text' },
  seed: 7,
  stop: '\n',
  stream: false,
  stream_options: null,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  temperature: 0,
  top_p: 0.9,
  tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: {}, strict: true } }],
  tool_choice: 'none',
  parallel_tool_calls: true,
  user: 'ada',
  function_call: 'none',
  functions: [{ name: 'f', description: 'd', parameters: {} }],
};

test('every hyperparameter of the contract is among those that are sent', () => {
  expect(Object.keys({ messages: [], ...rootParameters }).sort()).toEqual(
    Object.keys(hyperparametersSchema.shape).sort(),
  );
});

/** Those that can be read to their ends soon, of which `npm test` takes some. In `assistants-gone`, lists of runs are gone. */
const readable = scenarioNames().filter((name) =>
  isFull
    ? !['large', 'assistants-gone'].includes(name)
    : /^(?:default|lenient-answers|every-.*|training)$/.test(name),
);

// What the contract documents and yet leaves open has its case above: `before`, `messages`, and an empty page of runs.
describe.each(readable)('in the scenario %s nothing is marked', (scenario) => {
  test('on the lists, to their ends, in either order', async () => {
    const { gateway, odd, readList } = await openPlain(scenario);
    for (const { id } of await gateway.records.threads.list())
      if ((await gateway.records.runs.list({ thread_id: id, limit: 1 })).length > 0)
        readList(runsOf(id), ['order=desc&', 'order=asc&']);
    readList('/batches');
    for (const { id } of await gateway.records.jobs.list()) readList(checkpointsOf(id));
    expect(odd).toEqual([]);
  });

  test('on policies asked for by their status, and on renders with any hyperparameter', async () => {
    const { gateway, target, odd, ask } = await openPlain(scenario);
    for (const { id, status } of await gateway.records.policies.list()) {
      ask(policyCall(id, status));
      if (status === 'active') ask(policyCall(id));
    }
    if (target.samples.prompt !== undefined)
      for (const root of [{}, rootParameters, { stream: true }, { logit_bias: null }])
        ask(renderCall(target.samples, root));
    expect(odd).toEqual([]);
  });
});
