// Input that no client should send. What each part of a call is refused for: the tests of src/core/protocol.
import { afterEach, describe, expect, test } from 'vitest';
import { expectRefusal, toRawReply } from '../support/raw-http.ts';
import { volume } from '../support/settings.ts';
import { describeTransports, keys } from '../support/transports.ts';

const isJson = { 'content-type': 'application/json' };
const render = '/prompts/prompt_welcome/render';
const policy = '/policies/rate-limits/11111111-1111-4111-8111-111111111111';

const deep = (open: string, inner: string, close: string): string =>
  open.repeat(20_000) + inner + close.repeat(20_000);

/** Each is answered by 400. */
const badBodies: readonly (readonly [
  title: string,
  body: string | readonly number[],
  param?: string | null,
])[] = [
  ['two documents', '{"variables": {}}{"variables": {}}', null],
  ['nothing', '', null],
  ['variables that only a prototype has', '{"__proto__": {"variables": {}}}', 'variables'],
  ['arrays 20,000 deep', deep('[', '', ']'), null],
  ['20,000 brackets that nobody closes', '{"variables":'.repeat(20_000), null],
  ['an integer beyond all numbers', '{"variables": {}, "seed": -1e400}', 'seed'],
  ['a number beyond all numbers in a hyperparameter', '{"variables": {}, "logit_bias": {"50256": 1e400}}'],
  ['a lone continuation byte', [0x7b, 0x22, 0x80, 0x22, 0x7d]],
  ['UTF-16', [...Buffer.from('\ufeff{"variables":{}}', 'utf16le')]],
];

const long = 'x'.repeat(10_000);

const badPaths: readonly (readonly [path: string, status: number, param: string | null])[] = [
  ['/threads/%ff/runs', 400, 'thread_id'],
  [`${policy}%00`, 400, 'rateLimitsPolicyId'],
  ['/threads/%00/runs', 404, null],
  ['/threads/%0d%0ax-evil:%201/runs', 404, null],
  ['/threads/thread_demo%2fruns/runs', 404, null],
  [`/fine_tuning/jobs/${long}/checkpoints`, 404, 'fine_tune_id'],
  ['', 404, null],
  ['/%zz', 404, null],
  ['//batches', 404, null],
  ['/threads/../runs', 404, null],
];

describeTransports('bad input', {}, ({ call, post, getJson, share }) => {
  const refused = async (response: Response, ...expected: [status: number, param?: string | null]) =>
    expectRefusal(await toRawReply(response), ...expected);

  afterEach(async () => {
    expect((await getJson('/batches?limit=1')).data).toHaveLength(1);
  });

  test.for(share(badBodies))('a body of %s is refused', async ([, body, param]) => {
    const sent = typeof body === 'string' ? body : Uint8Array.from(body);
    await refused(
      await call(render, { method: 'POST', headers: { ...keys, ...isJson }, body: sent }),
      400,
      param,
    );
  });

  test.each(share(badPaths))('the path %s is refused by %i', async (path, status, param) => {
    await refused(await call(path), status, param);
  });

  test('a large body is rendered, and one of 11 MB is refused by 413', async () => {
    const name = 'n'.repeat(volume(5_000_000, 1_000_000));
    const response = await post(render, { variables: { name } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(name);
    await refused(await post(render, { variables: { name: 'n'.repeat(11_000_000) } }), 413);
  });

  test('a lone surrogate comes back as it was', async () => {
    const response = await post(render, '{"variables": {}, "user": "\\ud800"}');
    expect(await response.json()).toMatchObject({ data: { user: '\ud800' } });
  });

  test('a call that differs in a header or an invalid byte does not get the kept reply to a similar one', async () => {
    const renderOf = (name: readonly number[], headers: object = isJson) => {
      const bytes = [...Buffer.from('{"variables":{"name":"'), ...name, ...Buffer.from('"}}')];
      const init = { method: 'POST', headers: { ...keys, ...headers }, body: Uint8Array.from(bytes) };
      return call(render, init);
    };
    const replaced = [0xef, 0xbf, 0xbd]; // U+FFFD, which decoders put in place of invalid bytes
    expect(await (await renderOf(replaced)).text()).toContain('\ufffd');
    await refused(await renderOf([0x80]), 400);
    await refused(await renderOf(replaced, { ...isJson, 'content-encoding': 'undefined' }), 400);
    await refused(await renderOf(replaced, { 'content-type': 'undefined' }), 415);
  });

  describe.each(share(['__proto__', 'constructor', 'hasOwnProperty']))(
    'the name %s, which every object has,',
    (name) => {
      test.each([
        [`/threads/${name}/runs`, 404, null],
        [`/batches?after=${name}`, 404, 'after'],
      ] as const)('is no record: %s is refused by %i', async (path, status, param) =>
        refused(await call(path), status, param),
      );

      test('is no prompt and no version of one', async () => {
        for (const id of [name, `${name}@latest`, `prompt_welcome@${name}`])
          await refused(await post(`/prompts/${id}/render`, { variables: {} }), 404, null);
      });

      test('is a key, a variable and a key of the body like any other', async () => {
        const headers = { ...keys, ...isJson, 'x-gateway-api-key': name };
        const body = `{"variables": {"${name}": "x"}, "${name}": {"polluted": 1}}`;
        const response = await post(render, body, headers);
        expect(response.status).toBe(200);
        expect(await response.text()).toContain(`"${name}":{"polluted":1}`);
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect(Reflect.get({}, 'polluted')).toBeUndefined();
      });
    },
  );
});
