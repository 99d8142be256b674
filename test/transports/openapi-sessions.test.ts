// The OpenAPI document describes what each session answers: by its schemas under the default assumptions, otherwise in words.
import { gateway as text } from 'virtual:openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type AssumptionChoices, type AssumptionId, assumptions } from '../../src/core/assumptions/table.ts';
import { scenarioNames } from '../../src/index.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { checkpointsOf, partsOf, readPages, runsOf } from '../support/scenario-calls.ts';
import { isFull, volume } from '../support/settings.ts';
import type { keys } from '../support/transports.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as its readers do, who have JSON
type Json = any;

interface BatteryCall {
  readonly id: string;
  readonly path: string;
  readonly body?: string;
  readonly without?: keyof typeof keys;
}

const list = (id: string, path: string, query = ''): BatteryCall => ({ id, path: path + query });
const render = (body: object, prompt = 'prompt_welcome'): BatteryCall => ({
  id: 'renderPrompt',
  path: `/prompts/${prompt}/render`,
  body: JSON.stringify(body),
});
const policy = '/policies/rate-limits/11111111-1111-4111-8111-111111111111';
const lists: readonly (readonly [id: string, path: string])[] = [
  ['listRuns', runsOf('thread_demo')],
  ['listBatches', '/batches'],
  ['listCheckpoints', checkpointsOf('ftjob_demo')],
];

/** Calls on all sides of every assumption that can be switched. */
const battery: readonly BatteryCall[] = [
  ...lists.flatMap(([id, path]) => [
    ...[
      '',
      '?limit=100',
      '?limit=101',
      '?limit=0',
      '?limit=x',
      '?after=none',
      '?colour=red',
      '?limit=1&limit=1',
    ].map((query) => list(id, path, query)),
    { ...list(id, path), without: 'x-gateway-api-key' as const },
    { ...list(id, path), without: 'x-gateway-virtual-key' as const },
  ]),
  list('listRuns', runsOf('thread_empty')),
  list('listRuns', runsOf('thread_none')),
  list('listRuns', runsOf('thread_demo'), '?before=none&order=asc'),
  list('listCheckpoints', checkpointsOf('ftjob_none')),
  list('listCheckpoints', checkpointsOf('ftjob_empty')),
  list('getRateLimitsPolicy', policy),
  list('getRateLimitsPolicy', policy, '?status=archived'),
  list('getRateLimitsPolicy', policy, '?colour=red'),
  render({ variables: { product: 'Pear', name: 'Ada', language: 'English', question: 'Why?' } }),
  render({ variables: {} }),
  render({ variables: {}, messages: [{ role: 'user', content: 'Hi' }] }),
  render({ variables: {}, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }),
  render({
    variables: {},
    stop: ['a'],
    seed: 'x',
    tools: 1,
    thinking: { budget_tokens: '7' },
    logit_bias: 5,
  }),
  render({ variables: {} }, 'prompt_none'),
  render({}),
];

const document: Json = JSON.parse(text);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');
const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.values<Json>(item).map((operation) => ({
    ...operation,
    url: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`),
  })),
);

/** What of a reply the document does not allow. */
const findMisfits = (id: string, status: number, body: unknown): string[] => {
  const documented = operations.find(({ operationId }) => operationId === id).responses[status];
  if (documented === undefined) return [`the status ${status} is not documented`];
  const { $ref } = documented.content['application/json'].schema;
  const validate = ajv.getSchema(`document${$ref}`); // compiled once
  if (validate === undefined) return [`there is no ${$ref}`];
  return validate(body)
    ? []
    : [`${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 300)}`];
};

const findAllMisfits = ({ send }: OpenGateway, session?: string): string[] =>
  battery.flatMap(({ id, path, body, without }) => {
    const headers = without === undefined ? {} : { [without]: undefined };
    const reply = send({ path, body, headers, session });
    return findMisfits(id, reply.status, JSON.parse(reply.body ?? '')).map(
      (misfit) => `${path} ${body ?? ''}: ${misfit}`,
    );
  });

/** Every value of every assumption that can be switched; the first ones, which make no difference, only where everything is run. */
const choices = (Object.keys(assumptions) as AssumptionId[]).flatMap((id) =>
  assumptions[id].choices.length === 1
    ? []
    : assumptions[id].choices.slice(volume(0, 1)).map(([value]) => [id, value] as const),
);

/** The document says in words alone what these lead to: the schemas are the contract's. */
const inWords: readonly string[] = ['hyperparameter-type', 'empty-run-ends'];

/** The shipped scenarios that switch assumptions, each with what it switches. */
const switching = ['lenient-answers', 'strict-answers'] as const;
const switchedBy = await Promise.all(
  switching.map(async (scenario) => {
    const { gateway } = openGateway({ scenario });
    return (await gateway.state.export()).assumptions ?? {};
  }),
);

/** In `npm test` each choice is switched once: alone, unless one of the scenarios switches it. */
const alone = choices.filter(
  ([id, value]) =>
    !inWords.includes(id) && (isFull || !switchedBy.some((switched) => switched[id] === value)),
);

test.each(alone)(
  'with %s: %s, every reply of a session is one that the document allows',
  async (id, value) => {
    const opened = openGateway();
    const assumptions = { [id]: value } as AssumptionChoices; // each value belongs to its id
    await opened.gateway.session('a').scenario.load({ extends: 'default', assumptions });
    expect(findAllMisfits(opened, 'a')).toEqual([]);
  },
);

const defaults = Object.fromEntries(
  Object.entries(assumptions).map(
    ([
      id,
      {
        choices: [[value]],
      },
    ]) => [id, value],
  ),
) as AssumptionChoices; // each value belongs to its id

test.each(scenarioNames().filter((name) => isFull || /^(?:default|every-.*|.*-answers)$/.test(name)))(
  'under the default assumptions, every reply of the scenario %s is one that the document allows',
  async (scenario) => {
    const { send, gateway } = openGateway({ scenario, assume: defaults });
    for (const call of Object.values(await partsOf(gateway))) {
      const { path } = call;
      const { operationId: id } = operations.find(({ url }) => url.test(path)) ?? expect.fail(path);
      for (const page of await readPages(send, call, 3)) {
        const [status, , body] = /^(\d+) (\S+) (.*)$/s.exec(page)?.slice(1) ?? [];
        expect([path, findMisfits(id, Number(status), JSON.parse(body ?? ''))]).toEqual([path, []]);
      }
    }
  },
);

test('a reply that no session gives is not allowed', () => {
  const reply = { object: 'list', data: [{ id: 5 }], first_id: '', last_id: null, has_more: false };
  expect(findMisfits('listRuns', 200, reply)).toEqual([
    expect.stringContaining("data/0 must have required property 'object'"),
  ]);
  expect(findMisfits('listRuns', 415, {})).toEqual(['the status 415 is not documented']);
});

describe('the text says what another value of an assumption leads to', () => {
  const { get: batches } = document.paths['/batches'];
  const { Run, RunList, RenderedPrompt } = document.components.schemas;

  test.each([
    [
      'a reply instead of a status',
      batches.responses[200],
      'If unknown-cursor is empty-page: an empty page.',
    ],
    ['a missing field', Run, 'missing if absent-values is omitted'],
    ['null', RunList.properties.first_id, 'If empty-run-ends is null, it is null there'],
    ['another type', RenderedPrompt.properties.data, 'If hyperparameter-type is passed-through'],
  ])('%s', (_what, { description }, words) => {
    expect(description).toContain(words);
  });
});
