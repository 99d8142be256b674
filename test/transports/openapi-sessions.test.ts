// The OpenAPI document of a session describes what that session answers, whatever its assumptions are switched to.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { openapiText } from '../../src/openapi/document.ts';
import { type AssumptionChoices, type AssumptionId, assumptions } from '../../src/protocol/assumptions.ts';
import { openGateway, openServer } from '../support/open-gateway.ts';
import { checkpointsOf, runsOf } from '../support/scenario-calls.ts';
import { isFull, volume } from '../support/settings.ts';
import { keys } from '../support/transports.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as its readers do, who have JSON
type Json = any;

const read = async (url: string, init?: RequestInit): Promise<Json> => (await fetch(url, init)).json();

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

const ask = (baseUrl: string, { path, body, without }: BatteryCall): Promise<Response> => {
  const headers: Record<string, string> = { ...keys };
  if (without !== undefined) delete headers[without];
  return fetch(baseUrl + path, {
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body }),
  });
};

/** What of a reply the document does not allow. */
const createFindMisfits = (document: Json) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const operations = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
  return async ({ id }: BatteryCall, reply: Response): Promise<string[]> => {
    const documented = operations.find(({ operationId }) => operationId === id).responses[reply.status];
    if (documented === undefined) return [`the status ${reply.status} is not documented`];
    const { $ref } = documented.content['application/json'].schema;
    const validate = ajv.getSchema(`document${$ref}`); // compiled once
    if (validate === undefined) return [`there is no ${$ref}`];
    const body = await reply.json();
    return validate(body)
      ? []
      : [`${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 300)}`];
  };
};

const findAllMisfits = async (baseUrl: string, document: Json): Promise<string[]> => {
  const findMisfits = createFindMisfits(document);
  const misfits: string[] = [];
  for (const call of battery)
    for (const misfit of await findMisfits(call, await ask(baseUrl, call)))
      misfits.push(`${call.path} ${call.body ?? ''}: ${misfit}`);
  return misfits;
};

/** Every value of every assumption that can be switched; the first ones, which make no difference, only where everything is run. */
const choices = (Object.keys(assumptions) as AssumptionId[]).flatMap((id) =>
  assumptions[id].choices.length === 1
    ? []
    : assumptions[id].choices.slice(volume(0, 1)).map(([value]) => [id, value] as const),
);

/** What a linter complains about; a text that it has seen already is not looked at again: most choices leave it as it is. */
const linted = new Map<string, Promise<string[]>>();
const config = createConfig({ extends: ['recommended'] });
const lint = (source: string): Promise<string[]> => {
  const look = async (): Promise<string[]> => {
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config: await config });
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  };
  const found = linted.get(source) ?? look();
  linted.set(source, found);
  return found;
};

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
  ([id, value]) => isFull || !switchedBy.some((switched) => switched[id] === value),
);

describe.each(alone)('with %s: %s', (id, value) => {
  const switched = { [id]: value } as AssumptionChoices;

  test('every reply of a session is one that the document of that session allows', async () => {
    const server = await openServer();
    await server.session('a').scenario.load({ extends: 'default', assumptions: switched });
    const document = await read(`${server.url}/sessions/a/openapi.json`);
    expect(document['x-assumptions'].find((one: Json) => one.id === id).value).toBe(value);
    expect(await findAllMisfits(`${server.url}/sessions/a/v1`, document)).toEqual([]);
  });

  test('the document has nothing that a linter complains about, its examples included', async () => {
    expect(await lint(await openapiText('1.2.3', { choices: switched }))).toEqual([]);
  });
});

test.each(switching)(
  'with all that the scenario %s switches, every reply is one that the document allows',
  async (scenario) => {
    const server = await openServer({ scenario });
    expect(await findAllMisfits(server.baseUrl, await read(`${server.url}/openapi.json`))).toEqual([]);
  },
);

test('the document of the default session would be wrong for another one', async () => {
  const server = await openServer();
  const document = await read(`${server.url}/openapi.json`);
  const wrong = async (switched: AssumptionChoices): Promise<string> => {
    await server.session('a').scenario.load({ extends: 'default', assumptions: switched });
    return (await findAllMisfits(`${server.url}/sessions/a/v1`, document)).join('\n');
  };
  expect(await wrong({})).toBe('');
  expect(await wrong({ 'empty-run-ends': 'null' })).toContain('first_id must be string');
  expect(await wrong({ 'hyperparameter-type': 'passed-through' })).toContain(
    'messages/0/content must be string',
  );
});

describe('what the document says of', () => {
  const documentOf = async (switched: AssumptionChoices): Promise<Json> =>
    JSON.parse(await openapiText('1.2.3', { choices: switched }));
  const batchesOf = ({ paths }: Json) => paths['/batches'].get;

  test('unknown cursors is the status that they get', async () => {
    const { responses } = batchesOf(await documentOf({ 'unknown-cursor': '400' }));
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '429']);
    expect(responses[400].content['application/json'].examples['unknown-cursor'].value.error.param).toBe(
      'after',
    );
    const empty = batchesOf(await documentOf({ 'unknown-cursor': 'empty-page' }));
    expect(empty.responses[200].content['application/json'].examples['unknown-cursor'].value.data).toEqual(
      [],
    );
  });

  test('fields that do not apply is null, or that they are missing', async () => {
    const typeOf = ({ components }: Json) => components.schemas.Run.properties.failed_at.type;
    expect(typeOf(await documentOf({}))).toEqual(['integer', 'null']);
    const omitted = await documentOf({ 'absent-values': 'omitted' });
    expect(typeOf(omitted)).toBe('integer');
    expect(JSON.stringify(omitted.components.schemas.Run)).not.toContain('"null"');
    expect(JSON.stringify(omitted.components.schemas.Batch)).not.toContain('"null"');
    expect(omitted.components.schemas.RateLimitsPolicy.properties.name.type).toEqual(['string', 'null']);
  });

  test('the ends of an empty page of runs is the empty text, or null', async () => {
    const typeOf = ({ components }: Json) => components.schemas.RunList.properties.first_id.type;
    expect(typeOf(await documentOf({}))).toBe('string');
    expect(typeOf(await documentOf({ 'empty-run-ends': 'null' }))).toEqual(['string', 'null']);
  });

  test('headers is which of them a call must carry', async () => {
    const runsOfDocument = ({ paths }: Json) => paths['/threads/{thread_id}/runs'].get;
    const required = runsOfDocument(await documentOf({ 'beta-header': 'required' }));
    expect(required.parameters.find(({ name }: Json) => name === 'Vendor-Beta').required).toBe(true);
    expect(required.responses[400].content['application/json'].examples['beta-header']).toBeDefined();
    const { security } = batchesOf(await documentOf({ 'missing-virtual-key': 'ignored' }));
    expect(security).toEqual([{ apiKey: [], virtualKey: [] }, { apiKey: [] }]);
  });

  test('the limit of checkpoints is its bounds', async () => {
    const { paths } = await documentOf({ 'checkpoint-limit-bounds': '1-to-100' });
    const { parameters } = paths['/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints'].get;
    expect(parameters.find(({ name }: Json) => name === 'limit').schema).toMatchObject({
      minimum: 1,
      maximum: 100,
    });
  });
});

describe('a server gives out the document', () => {
  const valueIn = (document: Json, id: string): string =>
    document['x-assumptions'].find((one: Json) => one.id === id).value;

  test('of the default session, of the one in the path, and of the one in the header, each with its base URL', async () => {
    const server = await openServer({ assumptions: { 'unknown-cursor': '400' } });
    await server.session('a').scenario.load({ assumptions: { 'unknown-cursor': 'empty-page' } });
    // The options go over what a scenario says, so that this one is another assumption.
    await server.session('b').scenario.load({ assumptions: { 'empty-run-ends': 'null' } });
    const own = await read(`${server.url}/openapi.json`);
    expect(valueIn(own, 'unknown-cursor')).toBe('400');
    expect(own.servers[0].variables.baseUrl.default).toBe(server.baseUrl);
    const inPath = await read(`${server.url}/sessions/b/openapi.json`);
    expect([valueIn(inPath, 'unknown-cursor'), valueIn(inPath, 'empty-run-ends')]).toEqual(['400', 'null']);
    expect(inPath.servers[0].variables.baseUrl.default).toBe(`${server.url}/sessions/b/v1`);
    expect(await read(`${server.url}/openapi.json`, { headers: { 'x-mock-session': 'b' } })).toEqual(inPath);
    expect(await read(`${server.url}/openapi.json`)).toEqual(own);
  });

  test('of a session that does not exist yet as it would begin, and does not begin it', async () => {
    const server = await openServer({ scenario: { assumptions: { 'unknown-cursor': '400' } } });
    await server.scenario.load('default');
    expect(valueIn(await read(`${server.url}/openapi.json`), 'unknown-cursor')).toBe('404');
    expect(valueIn(await read(`${server.url}/sessions/new/openapi.json`), 'unknown-cursor')).toBe('400');
    expect(await server.sessions.list()).toEqual(['default']);
  });

  test('with keys that a scenario lists', async () => {
    const server = await openServer({ scenario: 'locked-out' });
    expect(valueIn(await read(`${server.url}/openapi.json`), 'api-keys')).toBe('listed');
  });

  test('not of an invalid session name, and says so', async () => {
    const server = await openServer();
    const reply = await fetch(`${server.url}/sessions/a%20b/openapi.json`);
    expect(reply.status).toBe(400);
    expect((await reply.json()).message).toContain("Invalid session name 'a%20b'");
  });
});
