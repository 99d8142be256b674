import { afterEach, expect, test } from 'vitest';
import { chatCompletion } from '../../../../test/support/contract-tables.ts';
import { describeTransports } from '../../../../test/support/transports.ts';
import type { Scenario } from '../../scenario/scenario-types.ts';
import { hyperparametersSchema } from './contract.ts';

const scenario: Scenario = { prompts: { p: { messages: [{ role: 'user', content: 'Hi {{v}}' }] } } };

/** Of each type of the contract a wrong value, and what is expected instead of it. */
const types: Readonly<Record<string, readonly [wrong: string, expected: string]>> = {
  array: ['{}', 'an array'],
  string: ['["a"]', 'a string'],
  number: ['1e400', 'a number'],
  integer: ['1.5', 'an integer'],
  boolean: ['"true"', 'a boolean'],
  object: ['"json"', 'an object'],
  'object|null': ['[]', 'an object'],
};

/** Each field of the contract's table with a wrong value, the path that the answer names, and what is expected there. */
const wrong = [
  ...chatCompletion.map(([field, type]) => {
    const [value = '', expected = ''] = types[type] ?? [];
    const sent = field.split('.').reduceRight((inner, name) => {
      const isList = name.endsWith('[]');
      return `{"${name.replace('[]', '')}":${isList ? `[{},${inner}]` : inner}}`;
    }, value);
    return [sent, field.replaceAll('[]', '[1]'), expected] as const;
  }),
  ['{"messages":["x"]}', 'messages[0]', 'an object'],
  ['{"tools":[{},1]}', 'tools[1]', 'an object'],
] as const;

/** The same with `variables` beside it; as text, since not every value outlives `JSON.stringify`. */
const withVariables = (sent: string): string =>
  sent === '{}' ? '{"variables":{}}' : `{"variables":{},${sent.slice(1)}`;

test("the table has every field of the contract's", () => {
  const tried = new Set(wrong.map(([, param]) => param.split(/[.[]/)[0]));
  expect([...tried].sort()).toEqual(Object.keys(hyperparametersSchema.shape).sort());
});

describeTransports('hyperparameters', { scenario }, ({ control, post, share }) => {
  afterEach(() => control().reset());

  const render = async (body: unknown) => {
    const response = await post('/prompts/p/render', body);
    const marks = response.headers.get('x-mock-assumptions')?.split(', ') ?? [];
    return { status: response.status, marks, reply: await response.json() };
  };
  const dataOf = async (sent: string): Promise<string> => {
    const { status, reply } = await render(withVariables(sent));
    expect(status).toBe(200);
    const { messages: _, ...data } = reply.data;
    return JSON.stringify(data);
  };

  test.each(share(wrong))('%s is refused, and %s named: it is not %s', async (sent, param, expected) => {
    const { status, reply, marks } = await render(withVariables(sent));
    expect(status).toBe(400);
    expect(reply.error).toMatchObject({ param, code: 'invalid_type', type: 'invalid_request_error' });
    expect(reply.message).toContain(`Invalid type for '${param}': expected ${expected}, but got `);
    expect(marks).toEqual(['hyperparameter-type', 'error-body']);
  });

  test('values of the right types are passed on as they are', async () => {
    const sent =
      '{"model":"","frequency_penalty":-2.5,"logit_bias":{"50256":-100},"logprobs":false,"top_logprobs":0,' +
      '"max_tokens":1,"n":0,"presence_penalty":0,"response_format":{"type":"json_schema","json_schema":{"a":[null]}},' +
      '"seed":-9007199254740991,"stop":"\\n","stream":false,"stream_options":{"include_usage":true},' +
      '"thinking":{"type":"enabled","budget_tokens":1024},"temperature":0,"top_p":1,' +
      '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","default":null},"strict":true}}],' +
      '"tool_choice":"none","parallel_tool_calls":true,"user":"ü","function_call":"none",' +
      '"functions":[{"name":"f","description":"d","parameters":{}}]}';
    expect(await dataOf(sent)).toBe(sent);
  });

  test.each([
    ['at the root', '{"temperature":null,"tools":null,"messages":null,"n":1}', '{"n":1}'],
    ['in an object', '{"thinking":{"type":null,"budget_tokens":1}}', '{"thinking":{"budget_tokens":1}}'],
    [
      'in items',
      '{"tools":[{"type":null,"function":{"strict":null,"name":"f"}},{"function":null}]}',
      '{"tools":[{"function":{"name":"f"}},{}]}',
    ],
    [
      'not where the contract allows it',
      '{"logit_bias":null,"stream_options":null}',
      '{"logit_bias":null,"stream_options":null}',
    ],
  ])('null is as if not sent, %s', async (_title, sent, kept) => {
    expect(await dataOf(sent)).toBe(kept);
  });

  test.each([
    '{"temperature":null,"tools":null,"n":1}',
    '{"thinking":{"type":null,"budget_tokens":1}}',
    '{"tools":[{"type":null,"function":{"strict":null,"name":"f"}}]}',
  ])('null is kept where hyperparameter-null says so: %s', async (sent) => {
    await control().assumptions.set('hyperparameter-null', 'kept');
    expect(await dataOf(sent)).toBe(sent);
    const { status, reply } = await render(withVariables('{"temperature":null,"n":"1"}'));
    expect([status, reply.error.param]).toEqual([400, 'n']);
  });

  test('null in a stored prompt is left out, and kept where hyperparameter-null says so', async () => {
    const messages = [{ role: 'assistant', content: null, tool_calls: [{ function: { name: '{{v}}' } }] }];
    const string = '[{"role":"assistant","content":null}]';
    const { prompts } = control().records;
    await prompts.update('p', { parameters: { temperature: null as never, n: 1 }, messages });
    await prompts.create({ id: 'text', parameters: {}, string });
    const read = async (id: string) =>
      (await (await post(`/prompts/${id}/render`, { variables: { v: 'f' } })).json()).data;
    const tool_calls = [{ function: { name: 'f' } }];
    expect(await read('p')).toEqual({ n: 1, messages: [{ role: 'assistant', tool_calls }] });
    await control().assumptions.set('hyperparameter-null', 'kept');
    expect(await read('p')).toEqual({
      temperature: null,
      n: 1,
      messages: [{ role: 'assistant', content: null, tool_calls }],
    });
    expect(await read('text')).toEqual({ messages: [{ role: 'assistant', content: null }] });
  });

  test("where null is kept, messages that are null leave the template's", async () => {
    await control().assumptions.set('hyperparameter-null', 'kept');
    const { reply } = await render(withVariables('{"messages":null}'));
    expect(reply.data.messages).toEqual([{ role: 'user', content: 'Hi ' }]);
  });
});
