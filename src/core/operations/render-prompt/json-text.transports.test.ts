import { expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';
import type { Scenario } from '../../scenario/scenario-types.ts';

const scenario: Scenario = {
  prompts: {
    quoted: {
      parameters: { model: 'm' },
      string: '[{"role":"{{r}}","name":"{{r}}","content":"Say {{v}}","note":[{"text":"{{{v}}}{{&v}}"}]}]',
    },
    loop: {
      string:
        '[{{#turns}}{"role":"{{role}}","content":"{{text}}"},{{/turns}}{"role":"user","content":"end"}]',
    },
    spliced: { string: '[\n  {"role":"user","content":"start"},\n  {{history}}\n]' },
    bare: { string: '[{"role":"user","content":"x","n":{{n}},"o":{{o}},"list":[{{list}}]}]' },
    plain: { string: 'Sign "{{name}}"\n{{#x}}\nas {{x}}\n{{/x}}' },
    signed: { string: '[{"role":"user","content":"Hi!\\n{{>plain}}"}]' },
    signed_text: { messages: [{ role: 'user', content: 'Hi!\n{{>plain}}' }] },
    piece: { string: '{"role":"system","content":"Be {{how}}"}' },
    pieces: { string: '[{{>piece}},{"role":"user","content":"x"}]' },
    parts: {
      messages: [
        { role: 'user', content: 'a {{v}}' },
        { role: 'user', content: 'b "{{v}}"' },
      ],
    },
    from_parts: { string: '[{"role":"user","content":"{{>parts}}"}]' },
    object: { string: '{"role":"user","content":"x"}' },
    nulls: { string: '[{"role":"assistant","content":null,"tool_calls":[{"id":"{{v}}"}]}]' },
    typed: {
      string: '[{"role":"user","content":"a"},{"role":"user","content":[{"type":"text","text":"{{v}}"}]}]',
    },
    odd: { string: '["{{v}}"]' },
  },
};

describeTransports('a prompt as one JSON text', { scenario }, ({ post }) => {
  const render = async (id: string, variables: object) => {
    const response = await post(`/prompts/${id}/render`, { variables });
    const marks = response.headers.get('x-mock-assumptions')?.split(', ') ?? [];
    return { status: response.status, marks, reply: await response.json() };
  };
  const user = (content: string, more = {}) => ({ role: 'user', content, ...more });

  test.each<[id: string, variables: object, messages: object[], marks?: string[]]>([
    [
      'quoted',
      { r: 'u"', v: '"a"\n\\{{r}}' },
      [{ role: 'u"', name: 'u"', content: 'Say "a"\n\\{{r}}', note: [{ text: '"a"\n\\{{r}}"a"\n\\{{r}}' }] }],
    ],
    [
      'loop',
      {
        turns: [
          { role: 'user', text: '1' },
          { role: 'assistant', text: '"2"' },
        ],
      },
      [user('1'), { role: 'assistant', content: '"2"' }, user('end')],
    ],
    ['loop', {}, [user('end')]],
    ['spliced', { history: [user('a'), user('"b"')] }, [user('start'), user('a'), user('"b"')]],
    ['spliced', { history: '{"role":"user","content":"as text"}' }, [user('start'), user('as text')]],
    [
      'bare',
      { n: 1.5, o: { a: [1] }, list: [1, 'a', {}] },
      [user('x', { n: 1.5, o: { a: [1] }, list: [1, 'a', {}] })],
    ],
    ['signed', { name: 'Ada', x: 'a "b"' }, [user('Hi!\nSign "Ada"\n\nas a "b"\n')], ['template-lines']],
    ['signed_text', { name: 'Ada', x: 'a "b"' }, [user('Hi!\nSign "Ada"\n\nas a "b"\n')], ['template-lines']],
    ['pieces', { how: '"kind"' }, [{ role: 'system', content: 'Be "kind"' }, user('x')]],
    ['from_parts', { v: 1 }, [user('a 1\n\nb "1"')]],
    [
      'quoted',
      { r: 'user', v: { a: '"' } },
      [
        {
          role: 'user',
          name: 'user',
          content: 'Say {"a":"\\""}',
          note: [{ text: '{"a":"\\""}{"a":"\\""}' }],
        },
      ],
      ['structured-values'],
    ],
    ['nulls', { v: 'id' }, [{ role: 'assistant', tool_calls: [{ id: 'id' }] }]],
  ])('%s with %j is rendered as a whole', async (id, variables, messages, marked = []) => {
    const { status, reply, marks } = await render(id, variables);
    expect([status, reply.message]).toEqual([200, undefined]);
    expect(reply.data.messages).toEqual(messages);
    expect(marks).toEqual(marked);
  });

  test.each([
    ['spliced', { history: [] }, 'A comma is left over', '}, ▸]'],
    ['bare', { o: {}, list: [] }, 'at character', '"n":▸,"o"'],
    ['plain', { name: 'x' }, 'at character 1: ', '▸Sign "x"'],
    ['piece', { how: 'x' }, 'it is an object', '▸{"role"'],
    ['object', {}, 'it is an object', '▸{"role"'],
    ['odd', { v: 'x' }, 'an item of the list is not an object', '["x"]'],
  ])('%s with %j is not a list of messages: 500, with the place', async (id, variables, said, shown) => {
    const { status, reply, marks } = await render(id, variables);
    expect(status).toBe(500);
    expect(reply.message).toContain('The rendered prompt is not a JSON list of messages: ');
    expect(reply.message).toContain(said);
    expect(reply.message).toContain(shown);
    expect(marks.slice(-2)).toEqual(['template-text', 'error-body']);
  });

  test('its list is checked like the messages of a request: 500 with the path and the switch', async () => {
    const { status, reply, marks } = await render('typed', { v: 'b' });
    expect(status).toBe(500);
    expect(reply.message).toContain("at 'messages[1].content': expected a string, but got an array");
    expect(reply.message).toContain('set the assumption hyperparameter-type to "passed-through"');
    expect(marks).toEqual(['hyperparameter-type', 'error-body']);
  });
});
