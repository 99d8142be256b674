import { expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';
import type { Scenario } from '../../scenario/scenario-types.ts';

const user = (content: string) => ({ messages: [{ role: 'user', content }] });
const scenario: Scenario = {
  prompts: {
    prompt_versions: 'prompt_versions',
    prompt_support: 'prompt_support',
    prompt_support_signature: 'prompt_support_signature',
    plain: {
      parameters: { stream: true, stream_options: { a: 1 }, model: 'm', extra: 1 },
      ...user('Hi {{a}}{{b}}'),
    },
    parts: {
      messages: [
        { role: '{{a}}', content: '{{a}}', name: '{{a}}' },
        { role: 'user', content: 'b', note: [{ text: '{{a}}', role: '{{a}}', n: 1 }] },
      ],
    },
    two: {
      versions: [
        {
          version: 1,
          messages: [
            { role: 'system', content: 'S{{a}}' },
            { role: 'user', content: 'U' },
          ],
        },
        { version: 7, labels: ['old'], ...user('seven') },
      ],
    },
    includes: user('[{{>two@1}}] [{{>two}}] [{{>two@old}}]'),
    lost: user('{{#on}}{{>two@2}}{{/on}}{{>within}}'),
    within: user('{{^on}}{{>nobody}}{{/on}}'),
    by_name: user('{{>>which}}{{#on}}{{>>what}}{{/on}}'),
    lines: user('{{^off}}A\n{{#on}}\nB{{v}}\n{{/on}}\nC{{/off}}{{#off}}none{{/off}}'),
  },
};

describeTransports('rendering a prompt', { scenario }, ({ post }) => {
  const render = async (id: string, body: unknown) => {
    const response = await post(`/prompts/${id}/render`, body);
    const marks = response.headers.get('x-mock-assumptions')?.split(', ') ?? [];
    return { status: response.status, marks, reply: await response.json() };
  };

  test("the template's parameters come first, then the root's, then the messages", async () => {
    const { reply } = await render('prompt_versions', {
      user: 'u',
      messages: null,
      variables: { text: 'x' },
      zeta: 1,
      temperature: 2,
      prompt_id: 'prompt_versions',
      alpha: 2,
    });
    expect(Object.entries(reply)).toEqual([
      ['success', true],
      ['data', expect.anything()],
    ]);
    expect(Object.keys(reply.data).slice(-4)).toEqual(['user', 'zeta', 'alpha', 'messages']);
    expect(reply.data).toEqual({
      model: 'gpt-4o',
      temperature: 2,
      max_tokens: 300,
      user: 'u',
      zeta: 1,
      alpha: 2,
      messages: [
        { role: 'system', content: 'You summarise texts in three bullet points.' },
        { role: 'user', content: 'x' },
      ],
    });
  });

  test.each([
    { sent: {} },
    { sent: { stream: null } },
    { sent: { stream: false } },
    { sent: { stream: true } },
  ])('stream appears only as it was sent: $sent', async ({ sent }) => {
    const { reply } = await render('plain', { variables: {}, ...sent });
    const { stream } = sent;
    expect(reply.data).toEqual({
      model: 'm',
      stream_options: { a: 1 },
      extra: 1,
      ...(typeof stream === 'boolean' && { stream }),
      messages: [{ role: 'user', content: 'Hi ' }],
    });
  });

  test.each([{ messages: [] }, { messages: [{ role: 'user', content: 'Mine: {{a}}', name: 'n', x: [1] }] }])(
    "messages at the root replace the template's, and are no template: $messages",
    async ({ messages }) => {
      const { reply, marks } = await render('plain', { variables: { a: 1 }, messages });
      expect(reply.data.messages).toEqual(messages);
      expect(marks).toEqual(['root-messages']);
    },
  );

  test('every text of a message is rendered, at any depth, and nothing that is not sent as a variable', async () => {
    const { reply } = await render('parts', { variables: { a: '{{a}}' }, a: 'root' });
    expect(reply.data.messages).toEqual([
      { role: '{{a}}', content: '{{a}}', name: '{{a}}' },
      { role: 'user', content: 'b', note: [{ text: '{{a}}', role: '{{a}}', n: 1 }] },
    ]);
    const other = await render('parts', { variables: { a: 'X' } });
    expect(other.reply.data.messages).toEqual([
      { role: 'X', content: 'X', name: 'X' },
      { role: 'user', content: 'b', note: [{ text: 'X', role: 'X', n: 1 }] },
    ]);
  });

  test('partials name versions, too', async () => {
    const { reply, marks } = await render('includes', { variables: { a: 1 } });
    expect(reply.data.messages[0].content).toBe('[S1\n\nU] [seven] [seven]');
    expect(marks).toEqual([]);
  });

  test.each([
    ['lost', {}, 'Missing prompt partials: two@2, nobody', null],
    ['lost', { on: true }, 'Missing prompt partials: two@2, nobody', null],
    ['by_name', {}, 'Missing variable partials: which, what', 'variables'],
    ['by_name', { which: 'two', what: 'lost_too' }, 'Missing prompt partials: lost_too', null],
  ])('%s with %j lacks partials, wherever it names them: 400', async (id, variables, message, param) => {
    const { status, reply, marks } = await render(id, { variables });
    expect(status).toBe(400);
    expect(reply.error).toMatchObject({ message, param });
    expect(marks).toEqual(['missing-partial', 'error-body']);
  });

  test('a partial whose name is the value of a variable is that prompt', async () => {
    const { reply } = await render('by_name', { variables: { which: 'two@1', what: 'two@old', a: 1 } });
    expect(reply.data.messages[0].content).toBe('S1\n\nU');
  });

  test.each([
    [{ on: true, v: 1 }, 'A\n\nB1\n\nC', ['template-lines']],
    [{}, 'A\n\nC', ['template-lines']],
    [{ off: true }, 'none', []],
  ])(
    'the line of a lone tag stays with %j, and marks the reply if it makes a difference',
    async (variables, content, marks) => {
      const rendered = await render('lines', { variables });
      expect(rendered.reply.data.messages[0].content).toBe(content);
      expect(rendered.marks).toEqual(marks);
    },
  );
});
