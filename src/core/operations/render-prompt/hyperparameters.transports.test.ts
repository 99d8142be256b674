import { afterEach, expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';
import type { Scenario } from '../../scenario/scenario-types.ts';
import { hyperparametersSchema } from './contract.ts';

const scenario: Scenario = { prompts: { p: { messages: [{ role: 'user', content: 'Hi {{v}}' }] } } };

/** A wrong value of each field of the contract's table, the path that the answer names, and what is expected there. */
const wrong: readonly (readonly [sent: string, param: string, expected: string])[] = [
  ['{"messages":"x"}', 'messages', 'an array'],
  ['{"messages":["x"]}', 'messages[0]', 'an object'],
  ['{"messages":[{},{"content":[{"type":"text"}]}]}', 'messages[1].content', 'a string'],
  ['{"messages":[{"content":1}]}', 'messages[0].content', 'a string'],
  ['{"model":1}', 'model', 'a string'],
  ['{"frequency_penalty":"0"}', 'frequency_penalty', 'a number'],
  ['{"frequency_penalty":1e400}', 'frequency_penalty', 'a number'],
  ['{"logit_bias":[]}', 'logit_bias', 'an object'],
  ['{"logprobs":1}', 'logprobs', 'a boolean'],
  ['{"top_logprobs":1.5}', 'top_logprobs', 'an integer'],
  ['{"max_tokens":"5"}', 'max_tokens', 'an integer'],
  ['{"n":true}', 'n', 'an integer'],
  ['{"presence_penalty":{}}', 'presence_penalty', 'a number'],
  ['{"response_format":"json"}', 'response_format', 'an object'],
  ['{"response_format":{"type":1}}', 'response_format.type', 'a string'],
  ['{"seed":"1"}', 'seed', 'an integer'],
  ['{"stop":["a"]}', 'stop', 'a string'],
  ['{"stream":"true"}', 'stream', 'a boolean'],
  ['{"stream_options":true}', 'stream_options', 'an object'],
  ['{"thinking":true}', 'thinking', 'an object'],
  ['{"thinking":{"type":[]}}', 'thinking.type', 'a string'],
  ['{"thinking":{"budget_tokens":1.5}}', 'thinking.budget_tokens', 'an integer'],
  ['{"temperature":"1"}', 'temperature', 'a number'],
  ['{"top_p":[1]}', 'top_p', 'a number'],
  ['{"tools":{}}', 'tools', 'an array'],
  ['{"tools":[{},1]}', 'tools[1]', 'an object'],
  ['{"tools":[{"function":"f"}]}', 'tools[0].function', 'an object'],
  ['{"tools":[{"function":{"name":1}}]}', 'tools[0].function.name', 'a string'],
  ['{"tools":[{"function":{"strict":"yes"}}]}', 'tools[0].function.strict', 'a boolean'],
  ['{"tool_choice":{"type":"function"}}', 'tool_choice', 'a string'],
  ['{"parallel_tool_calls":0}', 'parallel_tool_calls', 'a boolean'],
  ['{"user":5}', 'user', 'a string'],
  ['{"function_call":{}}', 'function_call', 'a string'],
  ['{"functions":"f"}', 'functions', 'an array'],
  ['{"functions":[{"name":1}]}', 'functions[0].name', 'a string'],
];

/** The same with `variables` beside it; as text, since not every value outlives `JSON.stringify`. */
const withVariables = (sent: string): string =>
  sent === '{}' ? '{"variables":{}}' : `{"variables":{},${sent.slice(1)}`;

test("the table of wrong values has every field of the contract's", () => {
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
