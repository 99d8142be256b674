import { expect, test } from 'vitest';
import { readDocument } from './file.ts';
import { shippedLibrary } from './library.ts';
import { loadDocument } from './load.ts';

const read = (content: string) =>
  readDocument('name', 'f.yaml', `prompts:\n  p:\n    messages:\n      - role: user\n        ${content}\n`);

test.each([
  ['content: {{name}}', 'content: "{{name}}"'],
  ['content: {{{name}}}', 'content: "{{{name}}}"'],
  ['content: {{name}}, welcome', 'content: "{{name}}…"'],
  ['content: {{name}}: welcome', 'content: "{{name}}…"'],
  ['content: {{name}} # greets', 'content: "{{name}}…"'],
  ['content: Hello {{name}}: welcome', 'content: "Hello {{name}}…"'],
  ['content: Hello {{ #premium }}yes{{/premium}}', 'content: "Hello {{ #premium }}yes{{/premium}}"'],
  ['content: Result: {{name}}', 'content: "Result: {{name}}"'],
  ['content: **{{name}}**: welcome', 'content: "**{{name}}…"'],
  ['content: *{{name}}*', 'content: "*{{name}}…"'],
  ['content: > {{name}}', 'content: "> {{name}}"'],
  ['content: &{{name}}', 'content: "&{{name}}"'],
  ['content: [{{name}}] welcome', '"{{name}}…"'],
  ['content: {% if name %}yes{% endif %}', 'content: "{% if name %}yes{% endif %}"'],
  ['{{name}}: welcome', '"{{name}}…"'],
  ['content: Say "hi" to {{name}}: now', undefined],
  ['content: {{#premium}}\n          yes\n          {{/premium}}', 'content: "{{#premium}}"'],
])(
  'a text with tags that is not in quotes is reported with its line, and how to write it: %s',
  (content, shown) => {
    const [error] = read(content).errors ?? [];
    expect(error).toMatchObject({ line: 5 });
    if (shown !== undefined)
      expect(error?.message).toBe(`not valid YAML: a text with tags must be in quotes: ${shown}`);
  },
);

test('a quote inside double quotes is reported, with the ways to write it', () => {
  expect(read('content: "Say "hi" to {{name}}"').errors?.[0]).toMatchObject({
    line: 5,
    message: expect.stringContaining('there is text after the closing quote: write \\" for a quote inside'),
  });
});

test.each([
  ['- { role: user, content: {{name}} }', 'content: "{{name}}"'],
  ['- { role: user, content: Hello {{name}} }', 'content: "Hello {{name}}"'],
  ['- { role: user, content: Hello {{name}}, name: x }', 'content: "Hello {{name}}…"'],
  ['- {{name}}', '- "{{name}}"'],
])('also in a flow mapping or a list: %s', (item, shown) => {
  const { errors } = readDocument('name', 'f.yaml', `prompts:\n  p:\n    messages:\n      ${item}\n`);
  expect(errors?.[0]).toMatchObject({ line: 4, message: expect.stringContaining(`in quotes: ${shown}`) });
});

test.each([
  'content: "{{name}}, # {{ #a }}{{/a}}: x"',
  "content: '{{name}}: x'",
  'content: |\n          {{name}} # {{#a}}{{/a}}',
  'content: >\n          {{name}}: {{ #a }}{{/a}}',
  'content: Hello {{name}}, welcome',
  'content: Hello {{name}} # a comment',
  'content: Hello {{#a}}x{{/a}}',
  'content: &anchor "{{a}}"',
])('in quotes, in a block and where YAML reads it as it is, it is no slip: %s', (content) => {
  expect(read(content).errors).toBeUndefined();
});

test('merge keys put the keys of a mapping into others', () => {
  const text =
    'prompts:\n  a: &a { parameters: { model: m }, messages: [{ role: user, content: hi }] }\n  b: { <<: *a, description: x }\n';
  expect(loadDocument(readDocument('name', 'f.yaml', text), shippedLibrary).scenario).toMatchObject({
    prompts: {
      b: { parameters: { model: 'm' }, messages: [{ role: 'user', content: 'hi' }], description: 'x' },
    },
  });
  const broken = text.replace('content: hi', 'content: "{{#x}}"');
  expect(() => loadDocument(readDocument('name', 'f.yaml', broken), shippedLibrary)).toThrow(
    /f\.yaml:2:72 prompts\.b\.messages\[0\]\.content/,
  );
  for (const merged of ['hi', '[*a, hi]', ''])
    expect(readDocument('name', 'f.yaml', text.replace('*a', merged)).errors).toMatchObject([
      { line: 3, column: 8, message: 'not valid YAML: << takes a mapping, or a list of mappings' },
    ]);
});
