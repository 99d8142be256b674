import { afterEach, describe, expect, test } from 'vitest';
import { expectRefusal, toRawReply } from '../support/raw-http.ts';
import { describeTransports, keys } from '../support/transports.ts';

const json = { ...keys, 'content-type': 'application/json' };
const render = '/prompts/prompt_welcome/render';
const runs = '/threads/thread_demo/runs';
const policy = '/policies/rate-limits/11111111-1111-4111-8111-111111111111';
const lists = [runs, '/batches', '/fine_tuning/jobs/ftjob_demo/checkpoints'];
const isJson = { 'content-type': 'application/json' };

type Row = readonly [title: string, body: string, param?: string | null];

const deep = (open: string, inner: string, close: string): string =>
  open.repeat(20_000) + inner + close.repeat(20_000);

/** Each is answered by 400. */
const badBodies: readonly Row[] = [
  ['malformed JSON', '{"variables": {', null],
  ['JSON with a comma too many', '{"variables": {},}', null],
  ['two documents', '{"variables": {}}{"variables": {}}', null],
  ['JavaScript', '{variables: {}}', null],
  ['NaN', '{"variables": {"name": NaN}}', null],
  ['a document of HTML', '<p onclick="alert(1)">x</p>', null],
  ['an array', '[]', null],
  ['a number', '1', null],
  ['a text', '"variables"', null],
  ['null', 'null', null],
  ['true', 'true', null],
  ['an empty body', '', null],
  ['a blank body', ' \r\n\t', null],
  ['no variables', '{}', 'variables'],
  ['null for variables', '{"variables": null}', 'variables'],
  ['an array for variables', '{"variables": []}', 'variables'],
  ['a text for variables', '{"variables": "{}"}', 'variables'],
  ['variables that only a prototype has', '{"__proto__": {"variables": {}}}', 'variables'],
  ['nested hyperparameters', '{"variables": {}, "hyperparameters": {"n": 1}}', 'hyperparameters'],
  ['arrays 20,000 deep', deep('[', '', ']'), null],
  ['objects 20,000 deep', deep('{"a":', '1', '}'), null],
  ['variables of arrays 20,000 deep', `{"variables": {"name": ${deep('[', '', ']')}}}`, null],
  ['variables of objects 20,000 deep', `{"variables": ${deep('{"a":', '1', '}')}}`, null],
  ['a hyperparameter 20,000 deep', `{"variables": {}, "logit_bias": ${deep('{"a":', '1', '}')}}`, null],
  ['20,000 brackets that nobody closes', '{"variables":'.repeat(20_000), null],
  ['a number beyond all numbers', '{"variables": {}, "temperature": 1e400}', 'temperature'],
  ['an integer beyond all numbers', '{"variables": {}, "seed": -1e400}', 'seed'],
  ['an integer beyond all safe ones', '{"variables": {}, "n": 1e300}', 'n'],
  ['a fraction for an integer', '{"variables": {}, "max_tokens": 1.5}', 'max_tokens'],
  [
    'a type that is wrong deep inside',
    '{"variables": {}, "tools": [{"function": {"strict": 1}}]}',
    'tools[0].function.strict',
  ],
];

const badEncodings: readonly (readonly [title: string, headers: Record<string, string>, status: number])[] = [
  ['another charset', { 'content-type': 'application/json; charset=iso-8859-1' }, 400],
  ['a charset in quotes', { 'content-type': 'application/json; charset="utf-16"' }, 400],
  ['gzip', { ...isJson, 'content-encoding': 'gzip' }, 400],
  ['two encodings', { ...isJson, 'content-encoding': 'identity, br' }, 400],
  ['text/plain', { 'content-type': 'text/plain' }, 415],
  ['a form', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ['a type that only starts like JSON', { 'content-type': 'application/jsonp' }, 415],
  ['JSON as a parameter of something else', { 'content-type': 'text/plain; x=application/json' }, 415],
  ['an invalid type', { 'content-type': ';;;' }, 415],
];

const badBytes: readonly (readonly [title: string, bytes: readonly number[]])[] = [
  ['a lone continuation byte', [0x7b, 0x22, 0x80, 0x22, 0x7d]],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
  ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['half a character at the end', [0x22, 0xe2, 0x82]],
  ['UTF-16', [...Buffer.from('\ufeff{"variables":{}}', 'utf16le')]],
];

const long = 'x'.repeat(10_000);

const badPaths: readonly (readonly [path: string, status: number, param: string | null])[] = [
  ['/threads/%zz/runs', 400, 'thread_id'],
  ['/threads/%/runs', 400, 'thread_id'],
  ['/threads/%ff/runs', 400, 'thread_id'],
  ['/threads/%ed%a0%80/runs', 400, 'thread_id'],
  ['/fine_tuning/jobs/%c3/checkpoints', 400, 'fine_tuning_job_id'],
  ['/policies/rate-limits/%zz', 400, 'rateLimitsPolicyId'],
  ['/policies/rate-limits/%00', 400, 'rateLimitsPolicyId'],
  [`/policies/rate-limits/${long}`, 400, 'rateLimitsPolicyId'],
  ['/policies/rate-limits/11111111-1111-4111-8111-111111111111%00', 400, 'rateLimitsPolicyId'],
  ['/threads/%00/runs', 404, null],
  ['/threads/thread_demo%00/runs', 404, null],
  ['/threads/%0d%0ax-evil:%201/runs', 404, null],
  ['/threads/thread_demo%2fruns/runs', 404, null],
  ['/threads/%252e%252e/runs', 404, null],
  [`/threads/${long}/runs`, 404, null],
  [`/fine_tuning/jobs/${long}/checkpoints`, 404, 'fine_tune_id'],
  ['/fine_tuning/jobs/%00/checkpoints', 404, 'fine_tune_id'],
  ['', 404, null],
  ['/', 404, null],
  ['/%zz', 404, null],
  [`/${long}`, 404, null],
  [`/${'a/'.repeat(4000)}`, 404, null],
  ['/Batches', 404, null],
  ['/threads/thread_demo/RUNS', 404, null],
  ['/batches/', 404, null],
  ['/threads/thread_demo/runs/', 404, null],
  ['//batches', 404, null],
  ['/threads//runs', 404, null],
  ['/threads/../runs', 404, null],
  ['/threads/%2e%2e/batches/x', 404, null],
];

const badQueries: readonly (readonly [query: string, status: number, param: string])[] = [
  ...['1e2', '%D9%A3', '%zz', '1.5', '0x10', '%2B5', '+5', '5%00', '٣', 'NaN', 'Infinity', '[]', '1_0'].map(
    (value) => [`limit=${value}`, 400, 'limit'] as const,
  ),
  ['limit=0', 400, 'limit'],
  [`limit=-${'9'.repeat(5000)}`, 400, 'limit'],
  ['limit=1&limit=2', 400, 'limit'],
  ['limit=1&limit=1', 400, 'limit'],
  ['limit=&limit=', 400, 'limit'],
  ['limit=1&%6cimit=1', 400, 'limit'],
  ['after=a&after=b', 400, 'after'],
  ['after=%00', 404, 'after'],
  ['after=%zz', 404, 'after'],
  [`after=${long}`, 404, 'after'],
];

const prototypeNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

describeTransports('bad input', {}, ({ call, post, getJson, share }) => {
  const refused = async (response: Response, ...expected: [status: number, param?: string | null]) =>
    expectRefusal(await toRawReply(response), ...expected);

  afterEach(async () => {
    expect((await getJson('/batches?limit=1')).data).toHaveLength(1);
  });

  describe('a body that cannot be rendered from is refused by 400', () => {
    test.each(share(badBodies))('a body of %s is refused', async (_title, body, param) =>
      refused(await post(render, body), 400, param),
    );

    test.each(share(badBytes))('bytes of %s are refused', async (_title, bytes) => {
      await refused(await call(render, { method: 'POST', headers: json, body: Uint8Array.from(bytes) }), 400);
    });
  });

  test.each(share(badEncodings))('a body of another form is refused: %s', async (_title, headers, status) => {
    await refused(await post(render, '{"variables": {}}', { ...keys, ...headers }), status);
  });

  test('a body of 5 MB is rendered', async () => {
    const name = 'n'.repeat(5_000_000);
    const response = await post(render, { variables: { name } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(name);
  });

  test('a body of 11 MB is refused by 413', async () => {
    await refused(await post(render, { variables: { name: 'n'.repeat(11_000_000) } }), 413);
  });

  test.each([
    ['inside a hyperparameter', '{"variables": {}, "logit_bias": {"50256": 1e400}}'],
    ['at a root key that nobody knows', '{"variables": {}, "x": [1e400]}'],
    ['in a variable', '{"variables": {"name": 1e400}}'],
  ])('a number beyond all numbers is refused, not turned into null or a word: %s', async (_title, body) => {
    await refused(await post(render, body), 400);
  });

  test('a lone surrogate in a variable comes back as it was', async () => {
    const response = await post(render, '{"variables": {}, "user": "\\ud800"}');
    expect(await response.json()).toMatchObject({ data: { user: '\ud800' } });
  });

  describe('a path that leads nowhere is refused', () => {
    test.each(share(badPaths))('the path %s is refused by %i', async (path, status, param) => {
      await refused(await call(path), status, param);
    });

    test.each(['/prompts/%zz/render', '/prompts/%ff/render'])(
      'the path %s is no text, and refused',
      async (path) => {
        await refused(await post(path, { variables: {} }), 400, 'promptId');
      },
    );

    test.each(share(['%00', long, 'prompt_welcome%00', 'prompt_welcome@', '@', '@@@', 'prompt_welcome@1e0']))(
      'a render of %s',
      async (id) => refused(await post(`/prompts/${id}/render`, { variables: {} }), 404, null),
    );
  });

  describe.each(lists)('a query that the list cannot follow is refused (%s)', (path) => {
    test.each(share(badQueries))('the query %s is answered by %i', async (query, status, param) => {
      await refused(await call(`${path}?${query}`), status, param);
    });

    test.each(share(prototypeNames))('after=%s', async (name) => {
      await refused(await call(`${path}?after=${name}`), 404, 'after');
    });
  });

  test.each([
    [`${runs}?order=ASC`, 'order'],
    [`${runs}?order=__proto__`, 'order'],
    [`${runs}?order=asc&order=asc`, 'order'],
    [`${policy}?status=constructor`, 'status'],
    [`${policy}?status=active&status=active`, 'status'],
  ])('a value that is not one of the named ones is refused with 400: %s', async (path, param) => {
    await refused(await call(path), 400, param);
  });

  test('a query of keys that nobody knows is ignored', async () => {
    const keysOfNobody = `__proto__=1&constructor=2&toString&&&=&=x&%zz=%zz&limit[]=5&${'a=1&'.repeat(1000)}`;
    expect((await getJson(`/batches?${keysOfNobody}limit=2`)).data).toHaveLength(2);
  });

  describe.each(share(prototypeNames))('what every object has is no record: %s', (name) => {
    test.each([
      [`/threads/${name}/runs`, 404, null],
      [`/fine_tuning/jobs/${name}/checkpoints`, 404, 'fine_tune_id'],
      [`/policies/rate-limits/${name}`, 400, 'rateLimitsPolicyId'],
      [`${runs}?before=${name}`, 404, 'before'],
    ] as const)('%s is refused by %i', async (path, status, param) =>
      refused(await call(path), status, param),
    );

    test.each([`${name}`, `${name}@latest`, `prompt_welcome@${name}`])('a render of %s', async (id) => {
      await refused(await post(`/prompts/${id}/render`, { variables: {} }), 404, null);
    });

    test('as an API key that is no listed one it is a key like any other', async () => {
      expect((await call('/batches', { headers: { ...keys, 'x-gateway-api-key': name } })).status).toBe(200);
    });

    test('as a variable and as a root key it is a name like any other', async () => {
      const response = await post(render, `{"variables": {"${name}": "x"}, "${name}": {"polluted": 1}}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(`"${name}":{"polluted":1}`);
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    });
  });
});
