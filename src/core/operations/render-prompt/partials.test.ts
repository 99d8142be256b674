import { expect, test } from 'vitest';
import { render } from '../../../../test/support/render-text.ts';

type Row = readonly [
  title: string,
  template: string,
  variables: object,
  partials: Record<string, string | string[]>,
  expected: string,
];

test.each<Row>([
  ['puts its text in', '[{{>p}}]', {}, { p: 'text' }, '[text]'],
  [
    'sees the variables around it',
    '{{#l}}{{>p}},{{/l}}',
    { l: [1, 2], v: 'x' },
    { p: '{{.}}{{v}}' },
    '1x,2x,',
  ],
  ['alone on a line is not indented', 'a\n  {{>p}}\nb', {}, { p: 'x\n\ny\n' }, 'a\n  x\n\ny\n\nb'],
  [
    'may be named by a variable',
    '{{>>v}}{{#l}}{{>> v }}{{/l}}',
    { v: 'p', l: [{ v: 'q' }] },
    { p: 'x' },
    'xx',
  ],
  [
    'may include itself as long as the data ends',
    '{{>p}}',
    { n: 1, more: [{ n: 2, more: [{ n: 3, more: [] }] }] },
    { p: '{{n}}{{#more}}({{>p}}){{/more}}' },
    '1(2(3))',
  ],
  [
    'has the usual delimiters, whatever those around it',
    '{{=<% %>=}}<%>p%>',
    { v: 1 },
    { p: '{{v}}<%v%>' },
    '1<%v%>',
  ],
  ['keeps its delimiters to itself', '{{>p}}{{v}}', { v: 1 }, { p: '{{=<% %>=}}<%v%>' }, '11'],
  ['joins several texts by a blank line', '{{>p}}', { v: 1 }, { p: ['{{v}}', 'b\n', 'c'] }, '1\n\nb\n\n\nc'],
  [
    'has texts that do not touch each other',
    '{{>p}}',
    { v: 1 },
    { p: ['{{=<% %>=}}<%v%>', '50 <% of {{v}}'] },
    '1\n\n50 <% of 1',
  ],
  ['is named by its whole text', '{{>a.b}}{{>a@1}}', {}, { 'a.b': 'x', 'a@1': 'y' }, 'xy'],
])('a partial %s', (_title, template, variables, partials, expected) => {
  expect(render(template, variables, partials).text).toBe(expected);
});

test.each([
  ['itself', { a: '{{>a}}' }, 'main > a > a'],
  ['itself by way of another', { a: '{{>b}}', b: '{{#v}}{{>a}}{{/v}}' }, 'main > a > b > a'],
])('a partial that includes %s without end is refused with the chain', (_title, partials, chain) => {
  expect(() => render('{{>a}}', { v: 1 }, partials)).toThrow(chain);
});

test('a partial costs steps by its length', () => {
  expect(render('{{>a}}', {}, { a: `{{! ${'x'.repeat(1000)} }}` }).steps).toBeGreaterThan(1000);
});
