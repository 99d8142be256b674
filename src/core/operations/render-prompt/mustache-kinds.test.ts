// Each kind of case that the specification of Mustache has, as a small table of our own: inputs and our results.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGateway } from '../../../../test/support/open-gateway.ts';
import { render } from '../../../../test/support/render-text.ts';
import { tries } from '../../../../test/support/settings.ts';

type Row = readonly [
  template: string,
  variables: object,
  expected: string,
  partials?: Record<string, string>,
];

const tables: Readonly<Record<string, readonly Row[]>> = {
  interpolation: [
    ['no tags', {}, 'no tags'],
    ['a {{v}} b', { v: 'x' }, 'a x b'],
    ['{{v}}{{v}}', { v: 1.25 }, '1.251.25'],
    ['[{{v}}][{{w}}]', { v: null }, '[][]'],
    ['{{a.b.c}} {{#a}}{{b.c}}{{/a}}', { a: { b: { c: 1 } } }, '1 1'],
    ['[{{a.b}}]', { a: {} }, '[]'],
    ['{{#a}}{{b.c}}{{/a}}', { a: { b: {} }, b: { c: 'outer' } }, ''],
    ['{{.}}{{#l}}{{.}}{{/l}}', { l: [1, 'b'] }, '{"l":[1,"b"]}1b'],
    [' {{v}}\n', { v: 'x' }, ' x\n'],
    ['|{{ v }}|{{{ v }}}|{{& v }}|', { v: 'x' }, '|x|x|x|'],
  ],
  sections: [
    ['{{#t}}yes{{/t}}{{#f}}no{{/f}}{{#n}}no{{/n}}{{#x}}no{{/x}}', { t: true, f: false, n: null }, 'yes'],
    ['{{#o}}{{v}}{{w}}{{/o}}', { o: { v: 1 }, w: 2 }, '12'],
    ['{{#l}}{{v}}{{/l}}{{#e}}no{{/e}}', { l: [{ v: 1 }, { v: 2 }], e: [] }, '12'],
    ['{{#l}}{{#.}}{{.}}{{/.}};{{/l}}', { l: [[1, 2], [3]] }, '12;3;'],
    ['{{#a}}{{one}}{{#b}}{{one}}{{two}}{{/b}}{{one}}{{/a}}', { a: { one: 1 }, b: { two: 2 } }, '1121'],
    ['{{#t}}a{{/t}} {{#t}}b{{/t}}', { t: true }, 'a b'],
    ['{{# a.b }}x{{/ a.b }}', { a: { b: true } }, 'x'],
  ],
  inverted: [
    [
      '{{^f}}yes{{/f}}{{^t}}no{{/t}}{{^n}}yes{{/n}}{{^x}}yes{{/x}}',
      { f: false, t: true, n: null },
      'yesyesyes',
    ],
    ['{{^l}}no{{/l}}{{^e}}yes{{/e}}{{^o}}no{{/o}}', { l: [1], e: [], o: {} }, 'yes'],
    ['{{^a.b}}yes{{/a.b}}', { a: {} }, 'yes'],
  ],
  partials: [
    ['[{{>p}}]', {}, '[x]', { p: 'x' }],
    ['{{> p }}', { v: 1 }, '*1*', { p: '*{{v}}*' }],
    ['{{>node}}', { v: 1, l: [{ v: 2, l: [] }] }, '1<2>', { node: '{{v}}{{#l}}<{{>node}}>{{/l}}' }],
  ],
  delimiters: [
    ['{{=<% %>=}}(<%v%>)', { v: 1 }, '(1)'],
    ['({{=[ ]=}}[v])', { v: 1 }, '(1)'],
    ['{{#s}}{{v}}{{/s}}{{= | | =}}|#s||v||/s|', { s: true, v: 1 }, '11'],
    ['{{>p}}{{= | | =}}|>p|', { v: 1 }, '.1..1.', { p: '.{{v}}.' }],
  ],
  comments: [
    ['a{{! gone }}b', {}, 'ab'],
    ['a{{!\n gone\n}}b', {}, 'ab'],
    ['a {{! gone }} b', {}, 'a  b'],
  ],
};

describe.each(Object.entries(tables))('%s', (_kind, rows) => {
  for (const [template, variables, expected, partials = {}] of rows)
    test(`${JSON.stringify(template)} with ${JSON.stringify(variables)}, whatever becomes of lines`, () => {
      expect(render(template, variables, partials, 'kept').text).toBe(expected);
      expect(render(template, variables, partials, 'removed').text).toBe(expected);
    });
});

// The deviations from the specification: text goes in verbatim and an object is its JSON (template-syntax, structured-values), lines
// (template-lines), a partial that does not exist (missing-partial, in render-prompt.transports.test.ts),
// and what is refused (template-syntax: dynamic names and inheritance, in check-prompt.test.ts).
test('text goes in verbatim, where the specification escapes HTML', () => {
  expect(render('{{v}}', { v: '<"&' }).text).toBe('<"&');
});

test.each<
  [template: string, variables: object, kept: string, removed: string, partials?: Record<string, string>]
>([
  ['a\n{{#t}}\nb\n{{/t}}\nc', { t: true }, 'a\n\nb\n\nc', 'a\nb\nc'],
  ['a\n {{^t}}\nb\n {{/t}}\nc', {}, 'a\n \nb\n \nc', 'a\nb\nc'],
  ['a\r\n{{! gone }}\r\nb', {}, 'a\r\n\r\nb', 'a\r\nb'],
  ['a\n{{=<% %>=}}\nb', {}, 'a\n\nb', 'a\nb'],
  ['a\n  {{>p}}\nb', {}, 'a\n  x\ny\nb', 'a\n  x\n  yb', { p: 'x\ny' }],
  ['{{#t}}\nb{{/t}}\n{{#t}}\n{{/t}}', { t: true }, '\nb\n\n', 'b\n'],
])(
  'template-lines: %j with %j is %j, and %j by the specification',
  (template, variables, kept, removed, partials = {}) => {
    expect(render(template, variables, partials, 'kept').text).toBe(kept);
    expect(render(template, variables, partials, 'removed').text).toBe(removed);
  },
);

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '<', '{', '}', 'é', '🙂', '\u0001'),
  maxLength: 6,
});
/** Templates whose braces are tags: a text that ends in `{` would change the tag behind it. */
const plain = text.map((piece) => piece.replaceAll(/[{}]/g, ''));
const template = fc.letrec<{ parts: string }>((tie) => ({
  parts: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        plain,
        fc.constantFrom('{{v}}', '{{{w}}}', '{{o.v}}', '{{.}}', '{{! c }}', '{{missing}}'),
        fc
          .tuple(fc.constantFrom('#', '^'), fc.constantFrom('v', 'l', 'o', 'none'), tie('parts'))
          .map(([kind, name, inner]) => `{{${kind}${name}}}${inner}{{/${name}}}`),
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('')),
})).parts;

test('the same prompt as messages and as their JSON text renders the same', () => {
  const { send, gateway } = openGateway({ scenario: { prompts: {} } });
  let count = 0;
  return fc.assert(
    fc.asyncProperty(
      fc.array(template, { minLength: 1, maxLength: 3 }),
      text,
      text,
      async (contents, v, w) => {
        count += 1;
        const messages = contents.map((content) => ({ role: 'user', content, name: '{{w}}' }));
        // Outside of JSON, `JSON.stringify` would escape what a tag contains; these tags contain nothing of the kind.
        const string = JSON.stringify(messages);
        await gateway.records.prompts.create({ id: `m${count}`, messages });
        await gateway.records.prompts.create({ id: `s${count}`, string });
        const variables = { v, w, o: { v: w }, l: [v, { w }] };
        const [first, second] = ['m', 's'].map((form) =>
          send({ path: `/prompts/${form}${count}/render`, body: { variables } }),
        );
        expect(second?.status).toBe(200);
        expect(second?.body).toBe(first?.body);
      },
    ),
    tries(300),
  );
});
