import { expect, test } from 'vitest';
import { openGateway } from '../../../../test/support/open-gateway.ts';
import { readDocument } from '../../scenario/file.ts';
import { shippedLibrary } from '../../scenario/library.ts';
import { loadDocument } from '../../scenario/load.ts';
import { ScenarioError } from '../../scenario/scenario-error.ts';
import type { Scenario } from '../../scenario/scenario-types.ts';
import { findPromptErrors } from './check-prompt.ts';

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

test.each([
  ['{{#a}}', 'the section {{#a}} is not closed by {{/a}}', 0],
  ['x {{^ a }}\n{{#b}}{{/b}}', 'the section {{^ a }} is not closed by {{/a}}', 2],
  ['{{/a}}', '{{/a}} closes a section that is not open', 0],
  ['{{#a}}x\n{{/b}}', '{{/b}} closes a section that is not open: {{#a}} is', 8],
  ['{{#a}}\n{{#b}}x{{/a}}', 'the section {{#b}} is not closed by {{/b}}', 7],
  ['Hello {{name', 'the tag {{name is not closed by }}', 6],
  ['Hello {{name\n{{#a}}{{/a}}', 'the tag {{name is not closed by }}', 6],
  ['Hello {{name, {{#a}}{{/a}}', 'the tag {{name, is not closed by }}', 6],
  ['Hello {{name\n}}', 'the tag {{name is not closed on its line', 6],
  ['{{=<% %>=}}<%#a%>', 'not valid Mustache: Unclosed section "a"', 0],
  ['"é{{=n n=}}', 'the delimiters of {{=n n=}} begin with a letter, a digit, a quote or a backslash', 2],
  ['a {{<p}}{{/p}}', '{{<p}} is inheritance, which the gateway does not have', 2],
  ['a {{$p}}{{/p}}', '{{$p}} is inheritance, which the gateway does not have', 2],
  ['a {{>*p}}', '{{>*p}} is a dynamic name, which the gateway does not have. Write {{>>p}}', 2],
  [`{{a${' '.repeat(20_000)}b}}`, 'more than 1000 blanks in a row', 3],
  [`{{${'x'.repeat(100)}`, `the tag {{${'x'.repeat(58)}… is not closed by }}`, 0],
  ['{{#each items}}- {{this}}{{/each}}', 'in Mustache, write {{#items}}…{{/items}}', 0],
  ['{{#unless a}}x{{/unless}}', 'in Mustache, write {{^a}}…{{/a}}', 0],
  ['{{#if premium}}yes{{else}}no', 'in Mustache, write {{#premium}}…{{/premium}}', 0],
])('%s is reported with its tag, in one line, and its place', (content, said, at) => {
  for (const version of [{ ...user('fine'), messages: [{}, { role: 'user', note: [{ content }] }] }])
    expect([...findPromptErrors({ versions: [version] }, {})]).toEqual([
      {
        path: ['versions', 0, 'messages', 1, 'note', 0, 'content'],
        message: expect.stringContaining(said),
        at,
      },
    ]);
});

test('long texts are valid only without tags, since parsing them takes hundreds of times their size', () => {
  const long = 'x'.repeat(100_001);
  const messagesOf = (...contents: string[]) => ({ messages: contents.map((content) => ({ content })) });
  expect([...findPromptErrors(messagesOf(long + long), {})]).toEqual([]);
  expect([...findPromptErrors(messagesOf(`{{a}}${long}`, long), {})]).toEqual([]);
  const [error] = findPromptErrors(messagesOf(`{{a}}${long}`, `{{b}}${long}`), {});
  expect(error?.message).toBe('the texts with tags have more than 200000 characters together');
});

const placesIn = (file: string, text: string): string[] => {
  try {
    loadDocument(readDocument('name', file, text), shippedLibrary);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.errors.map(({ line, column, path }) => `${line}:${column} ${path.join('.')}`);
  }
};

test.each([
  ['a literal block', 'content: |\n          One\n          Two\n\n            {{#a}}', '9:13'],
  ['a literal block with an indicator', 'content: |2\n          {{#a}}', '6:11'],
  ['a folded block: where it begins', 'content: >\n          One\n          {{#a}}', '6:11'],
  ['a plain text', 'content: One {{#a}}', '5:22'],
  ['double quotes with escapes', 'content: "\\"\\u00e9\\x41\\n\\U0001F600{{#a}}"', '5:43'],
  ['single quotes', "content: 'It''s {{#a}}'", '5:25'],
  ['quotes over lines: where they begin', 'content: "One\n          {{#a}}"', '5:18'],
])('an error is found in %s', (_title, content, place) => {
  const text = `prompts:\n  p:\n    messages:\n      - role: user\n        ${content}\n`;
  for (const lines of [text, text.replaceAll('\n', '\r\n')])
    expect(placesIn('f.yaml', lines)).toEqual([`${place} prompts.p.messages.0.content`]);
});

test('an error is found in JSON, in a string prompt, in an alias and in a merged mapping', () => {
  expect(
    placesIn('f.json', '{"prompts": {"p": {"messages":\n [{"content": "a\\n\\u00e9{{#a}}"}]}}}'),
  ).toEqual(['2:25 prompts.p.messages.0.content']);
  expect(placesIn('f.yaml', 'prompts:\n  p:\n    string: |\n      [\n       {{#a}}\n      ]\n')).toEqual([
    '5:8 prompts.p.string',
  ]);
  expect(placesIn('f.yaml', 'prompts:\n  p: &p\n    messages: [{ content: "{{#a}}" }]\n  q: *p\n')).toEqual([
    '3:28 prompts.p.messages.0.content',
    '3:28 prompts.q.messages.0.content',
  ]);
});

const lenient: Scenario = {
  assumptions: { 'hyperparameter-type': 'passed-through' },
  prompts: {
    p: {
      parameters: {
        model: 'm',
        stop: ['a', 'b'] as unknown as string,
        tool_choice: { type: 'function' } as unknown as string,
        seed: null as unknown as number,
      },
      messages: [
        {
          content: [
            { type: 'text', text: 'Hi {{name}}' },
            { type: 'image_url', image_url: { url: 'x:{{name}}' } },
          ],
        },
      ],
    },
  },
};

test('what a request may contain, a stored prompt may contain, under the same assumption', async () => {
  const { gateway, send } = openGateway({ scenario: lenient });
  const { status, headers, body } = send({ path: '/prompts/p/render', body: { variables: { name: 'Ada' } } });
  expect(status).toBe(200);
  expect(JSON.parse(body ?? '').data).toEqual({
    model: 'm',
    stop: ['a', 'b'],
    tool_choice: { type: 'function' },
    messages: [
      {
        content: [
          { type: 'text', text: 'Hi Ada' },
          { type: 'image_url', image_url: { url: 'x:Ada' } },
        ],
      },
    ],
  });
  expect(headers['x-mock-assumptions']).toBe('hyperparameter-type');
  await expect(gateway.assumptions.set('hyperparameter-type', '400')).rejects.toThrow(
    /at prompts\.p\.messages\[0\]\.content: expected a string, but got an array/,
  );
  await gateway.records.prompts.delete('p');
  await gateway.assumptions.set('hyperparameter-type', '400');
  await expect(
    gateway.records.prompts.create({ id: 'q', ...(lenient.prompts?.p as object) }),
  ).rejects.toThrow('set the assumption hyperparameter-type to "passed-through"');
  expect(() => openGateway({ scenario: { ...lenient, assumptions: {} } })).toThrow(
    'prompts.p.parameters.stop: expected a string, but got an array',
  );
});
