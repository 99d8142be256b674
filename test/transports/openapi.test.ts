import { gateway as text } from 'virtual:openapi';
import { version } from 'virtual:shipped';
import { describe, expect, test } from 'vitest';
import { assumptions } from '../../src/core/assumptions/table.ts';
import { operations } from '../../src/core/scenario/scenario-schema.ts';
import { errorBody } from '../../src/service/openapi/schemas.ts';
import { endpoints, type Row } from '../support/contract-tables.ts';
import { openServer } from '../support/open-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as its readers do, who have JSON
const document: any = JSON.parse(text);

// biome-ignore lint/suspicious/noExplicitAny: as above
type Node = any;

const resolve = (node: Node): Node =>
  node?.$ref === undefined
    ? node
    : node.$ref
        .slice(2)
        .split('/')
        .reduce((at: Node, key: string) => at[key], document);

/** The schema of a field such as `data[].usage.total_tokens`, and whether the object that has it requires it. */
const findField = (root: Node, field: string): { readonly schema: Node; readonly isRequired: boolean } => {
  let [schema, isRequired] = [resolve(root), false];
  for (const step of field.split('.')) {
    const name = step.replace('[]', '');
    isRequired = (schema.required ?? []).includes(name);
    const found = resolve(schema.properties?.[name]);
    schema = found;
    if (step.endsWith('[]')) schema = resolve(schema?.items);
    if (schema === undefined) throw new Error(`There is no field ${field}.`);
  }
  return { schema, isRequired };
};

/** What a schema says in the words of the table. The default of absent-values adds null where the contract states nothing. */

const toTableType = (schema: Node): string => {
  const types = [schema.type].flat();
  if (schema.const !== undefined) return `const:${schema.const}`;
  if (schema.enum !== undefined) return `enum:${schema.enum.join(',')}`;
  if (schema.format !== undefined) return `format:${schema.format}`;
  const isAssumed = schema['x-assumptions']?.includes('absent-values') ?? false;
  return types.filter((type) => !(isAssumed && type === 'null')).join('|');
};

const expectRows = (root: Node, rows: readonly Row[]): void => {
  const found = rows.map(([field, , required]) => {
    const { schema, isRequired } = findField(root, field);
    return [field, toTableType(schema), ...(required ? [isRequired ? 'required' : 'optional'] : [])];
  });
  expect(found).toEqual(rows);
};

const operationOf = (id: string): Node =>
  Object.values<Node>(document.paths)
    .flatMap((item) => Object.values<Node>(item))
    .find(({ operationId }) => operationId === id);

describe.each(endpoints)('$id has all that the contract states', (endpoint) => {
  const operation = document.paths[endpoint.path]?.[endpoint.method];
  const parametersIn = (place: string): Node[] =>
    operation.parameters.filter((one: Node) => one.in === place);

  test('its method, its path and the parameter in it', () => {
    expect(operation.operationId).toBe(endpoint.id);
    const found = parametersIn('path').map(({ name, schema, required }) => [
      name,
      toTableType(schema),
      required,
    ]);
    expect(found).toEqual(
      'pathParameters' in endpoint ? endpoint.pathParameters.map((one) => [...one, true]) : [],
    );
  });

  test('its query parameters, with type, default, range and values', () => {
    const found = parametersIn('query').map(({ name, schema, required = false }) => ({
      name,
      required,
      ...schema,
    }));
    const wanted = endpoint.query.map(({ name, type, ...rest }) => ({
      name,
      type,
      required: false,
      ...('default' in rest && { default: rest.default }),
      ...('range' in rest && { minimum: rest.range[0], maximum: rest.range[1] }),
      ...('enum' in rest && { enum: rest.enum }),
    }));
    expect(found).toEqual(expect.arrayContaining(wanted));
    expect(found).toHaveLength(wanted.length);
  });

  test('its headers: keys as security, the beta header as an optional parameter', () => {
    expect(operation.security).toHaveLength(1);
    const [alternative] = operation.security;
    const schemes = Object.keys(alternative).map((name) => document.components.securitySchemes[name]);
    expect(schemes.map(({ type, in: place, name }) => [type, place, name])).toEqual(
      endpoint.headers.map((name) => ['apiKey', 'header', name]),
    );
    const headers = parametersIn('header').map(({ name, required, schema }) => [
      name,
      required,
      schema.const,
    ]);
    expect(headers).toEqual(endpoint.beta ? [['Vendor-Beta', false, 'assistants=v2']] : []);
  });

  test('the fields of its body and of its reply', () => {
    const { schema } = operation.responses[200].content['application/json'];
    expectRows(schema, endpoint.reply);
    if ('body' in endpoint)
      expectRows(operation.requestBody.content['application/json'].schema, endpoint.body);
    else expect(operation.requestBody).toBeUndefined();
    expect(operation.requestBody?.required ?? true).toBe(true);
  });
});

test('each reference names a part of the document', () => {
  const references = new Set([...text.matchAll(/"\$ref": ?"([^"]+)"/g)].map(([, $ref]) => $ref));
  expect(references.size).toBeGreaterThan(10);
  for (const $ref of references) expect([$ref, resolve({ $ref })]).toEqual([$ref, expect.any(Object)]);
});

test('a format is named, without a pattern for it', () => {
  expect(text).toContain('"format": "uuid"');
  expect(text).not.toContain('"pattern"');
});

test('the headers of quotas are those of 429', () => {
  for (const { id } of operations) {
    const headersOf = (status: number) => Object.keys(operationOf(id).responses[status].headers);
    expect(headersOf(429).filter((name) => !headersOf(200).includes(name))).toEqual([
      'retry-after',
      ...['limit', 'remaining', 'reset'].flatMap((what) =>
        ['requests', 'tokens'].map((type) => `x-ratelimit-${what}-${type}`),
      ),
    ]);
  }
});

test('it has the operations of the contract and no others', () => {
  const tables = new Set<string>(endpoints.map(({ id }) => id));
  const missing = operations.map(({ id }) => id).filter((id) => !tables.has(id));
  expect(
    missing,
    'test/support/contract-tables.ts has no table of these: add to `endpoints` what the contract states, by hand',
  ).toEqual([]);
  expect(Object.keys(document.paths)).toEqual(endpoints.map(({ path }) => path));
});

describe('its examples', () => {
  const replies = operations.flatMap(({ contract }) =>
    Object.entries<Node>(operationOf(contract.id).responses).flatMap(([status, response]) =>
      Object.entries<Node>(response.content['application/json'].examples ?? {}).map(([name, example]) => ({
        operation: contract.id,
        status,
        name,
        example,
        response,
        schema: status === '200' ? contract.reply : errorBody,
      })),
    ),
  );

  test('are what their schemas say; errors rest on the assumption that they are named by', () => {
    expect(replies.filter(({ status }) => status !== '200')).toHaveLength(operations.length);
    for (const { operation, status, name, example, response, schema } of replies) {
      const { error } = schema.safeParse(example.value);
      expect([operation, status, name, error]).toEqual([operation, status, name, undefined]);
      if (status === '200') continue;
      expect(example['x-assumptions']).toContain(name);
      expect(response['x-assumptions']).toEqual(expect.arrayContaining(example['x-assumptions']));
    }
  });
});

describe('x-assumptions', () => {
  const findAll = (node: Node): string[] =>
    typeof node !== 'object' || node === null
      ? []
      : Object.entries(node).flatMap(([key, inner]) =>
          key === 'x-assumptions' ? (inner as string[]) : findAll(inner),
        );
  const { 'x-assumptions': listed, ...rest } = document;
  const used = new Set(findAll(rest));

  test('at the root tells what each assumption says and can be', () => {
    expect(listed.map(({ id }: Node) => id)).toEqual(Object.keys(assumptions));
    expect(listed.find(({ id }: Node) => id === 'unknown-cursor')).toMatchObject({
      description: assumptions['unknown-cursor'].description,
      choices: [{ value: '404' }, { value: '400' }, { value: 'empty-page' }],
    });
  });

  test('stands where something rests on one: only those of what is no operation stand nowhere', () => {
    expect([...used].filter((id) => !(id in assumptions))).toEqual([]);
    expect(Object.keys(assumptions).filter((id) => !used.has(id))).toEqual([
      'session-name',
      'session-required',
      'session-removed',
      'session-lost',
      'unknown-path',
      'method-not-served',
      'own-call',
    ]);
  });
});

describe('it is given out', () => {
  test('by a server, to pages of any site, and the same for every session', async () => {
    const server = await openServer({ scenario: 'strict-answers' });
    const served = await fetch(`${server.url}/openapi.json`, { headers: { 'x-mock-session': 'a' } });
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(served.headers.get('access-control-allow-origin')).toBe('*');
    expect(await served.text()).toBe(text);
    expect(document.info.version).toBe(version);
    expect((await fetch(`${server.url}/openapi.json?x=1`, { method: 'HEAD' })).status).toBe(200);
    expect(await server.sessions.list()).toEqual(['default']);
    expect((await fetch(`${server.url}/sessions/a/openapi.json`)).status).toBe(404);
  });

  test("with the user's own first prompt as the example of a rendering, without its texts", async () => {
    const prompts = { mine: { parameters: {}, messages: [{ role: 'user', content: 'Secret {{word}}' }] } };
    const server = await openServer({ scenario: { prompts } });
    const served = await (await fetch(`${server.url}/openapi.json`)).text();
    const { parameters, requestBody } = JSON.parse(served).paths['/prompts/{promptId}/render'].post;
    expect(parameters[0].example).toBe('mine');
    expect(requestBody.content['application/json'].examples.success.value).toEqual({
      variables: { word: 'word' },
    });
    expect(served).not.toMatch(/Secret|prompt_welcome/);
  });

  test('with addresses that are true for every server and session', () => {
    expect(document.servers.map(({ url }: Node) => url)).toEqual([
      '/v1',
      '/sessions/{session}/v1',
      '{baseUrl}',
    ]);
  });
});
