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
  ['alone on a line is not indented', 'a\n  {{>p}}\nb', {}, { p: 'x\n\ny\n' }, 'a\n  x\n\ny\n\nb'],
  [
    'may be named by a variable',
    '{{>>v}}{{#l}}{{>> v }}{{/l}}',
    { v: 'p', l: [{ v: 'q' }] },
    { p: 'x' },
    'xx',
  ],
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
