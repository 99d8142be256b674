import fc from 'fast-check';
import mustache from 'mustache';
import { describe, expect, test } from 'vitest';
import { render } from '../../../../test/support/render-text.ts';
import { tries } from '../../../../test/support/settings.ts';

type Row = readonly [title: string, template: string, variables: unknown, expected: string];

/** From JSON, where `__proto__` is a key like any other. */
const json = (text: string): unknown => JSON.parse(text);

const tables: Readonly<Record<string, readonly Row[]>> = {
  'a tag': [['may be named in any script', '{{名前}} {{a b}}', { 名前: '1', 'a b': '3' }, '1 3']],
  'a dotted path': [
    ['leads into no text', '[{{a.b}}{{a.0}}]', { a: 'text' }, '[]'],
    ['is no key with a dot', '[{{a.b}}]', { 'a.b': 'flat' }, '[]'],
  ],
  'a section': [
    ['has each item as the dot', '{{#l}}({{.}}){{/l}}', { l: ['a', 2, true] }, '(a)(2)(true)'],
    ['shows once for a true scalar', '{{#t}}{{.}}{{/t}}{{#n}}{{.}}{{/n}}', { t: true, n: 7 }, 'true7'],
    ['hides an outer name by null', '{{#a}}[{{x}}]{{/a}}', { x: 1, a: { x: null } }, '[]'],
    ['may be named by a path', '{{#a.b}}{{.}}{{/a.b}}', { a: { b: ['x', 'y'] } }, 'xy'],
  ],
  'a comment': [['leaves nothing', 'a{{! not {{this}}b', {}, 'ab']],
  'other delimiters': [['hold from there on', '{{=<% %>=}}<%v%> {{v}}', { v: 1 }, '1 {{v}}']],
  'a line with one tag that renders nothing': [
    ['stays, with its blanks', 'a\n  {{#t}}  \n  b\n\t{{/t}}\nc', { t: true }, 'a\n    \n  b\n\t\nc'],
    ['stays with CRLF', 'a\r\n{{#t}}\r\nb\r\n{{/t}}\r\nc', { t: true }, 'a\r\n\r\nb\r\n\r\nc'],
    ['stays around a section that is not rendered', 'a\n{{#t}}\nb\n{{/t}}\nc', {}, 'a\n\nc'],
    ['stays for a comment and other delimiters', '{{! c }}\n{{=<% %>=}}\na', {}, '\n\na'],
  ],
  'a text': [
    ['keeps what JSON escapes', '"\\{{v}}\\n\u0001\ud800"', { v: '"' }, '"\\"\\n\u0001\ud800"'],
    ['names what JSON escapes', '{{a"b\\c}}', { 'a"b\\c': 1 }, '1'],
  ],
  'what is no text': [
    ['goes in as the text of a number', '{{a}} {{b}} {{c}}', { a: 0, b: -1.5, c: 1e21 }, '0 -1.5 1e+21'],
    ['goes in as the JSON of an object', '{{o}}', { o: { a: '"', b: [null] } }, '{"a":"\\"","b":[null]}'],
    ['goes in as the JSON of an array', '{{l}}{{e}}', { l: [1, 'a', {}], e: [] }, '[1,"a",{}][]'],
    ['is empty where it is null or missing', '[{{n}}{{x}}]', { n: null }, '[]'],
  ],
  'what JSON does not have': [
    ['is missing: constructor', '[{{constructor}}{{a.constructor}}{{toString}}]', { a: {} }, '[]'],
    ['is missing: __proto__', '[{{__proto__}}{{a.__proto__.x}}]', { a: {} }, '[]'],
    ['is missing: the length of a text', '[{{s.length}}{{#s}}{{length}}{{/s}}]', { s: 'abc' }, '[]'],
    ['is missing: methods', '[{{l.map}}{{s.at}}{{#l.map}}x{{/l.map}}]', { l: [1], s: 'a' }, '[]'],
    ['is seen where it does: constructor', '{{constructor}}', { constructor: 'mine' }, 'mine'],
    ['is seen where it does: __proto__', '{{__proto__.b}}', json('{"__proto__":{"b":1}}'), '1'],
    ['is not inherited from an own __proto__', '[{{b}}]', json('{"__proto__":{"b":1}}'), '[]'],
  ],
};

describe.each(Object.entries(tables))('%s', (_title, rows) => {
  test.each(rows)('%s', (_row, template, variables, expected) => {
    expect(render(template, variables).text).toBe(expected);
  });
});

test.each([false, '', null, []].map((value) => [value]))('%j is false in sections', (value) => {
  expect(render('{{#v}}yes{{/v}}{{^v}}no{{/v}}', { v: value }).text).toBe('no');
});

test.each([
  ['HTML', '<a href="x">&amp; \'`=/</a>'],
  ['tags', '{{v}} {{#v}}{{/v}} {{>v}} {{=<% %>=}} <%v%>'],
  ['what replacing text reads', "$& $1 $$ $` $' \\1 \\n %s"],
])('%s goes in verbatim, by every kind of tag', (_title, value) => {
  expect(render('{{v}}|{{{v}}}|{{&v}}|{{#v}}{{.}}{{/v}}', { v: value }).text).toBe(
    [value, value, value, value].join('|'),
  );
});

test('names that are missing or null are noted, those of sections are not', () => {
  expect(render('{{a}}{{b.c}}{{#d}}{{/d}}{{^e}}{{/e}}{{f}}', { a: null, f: '' }).missing).toEqual([
    'a',
    'b.c',
  ]);
});

test('each token costs a step for each value in which its name is looked up, even where nothing comes of it', () => {
  const variables = { l: Array(1000).fill({ o: { o: {} } }) };
  expect(render(`{{#l}}${'{{!x}}'.repeat(100)}{{/l}}`, variables).steps).toBeGreaterThanOrEqual(100_000);
  expect(render(`{{#l}}{{#o}}{{#o}}{{missing}}{{/o}}{{/o}}{{/l}}`, variables).steps).toBeGreaterThanOrEqual(
    4000,
  );
});

test('tags that an app sets in the library do not change ours', () => {
  const before = mustache.tags;
  mustache.tags = ['<%', '%>'];
  try {
    expect(render('set globally: {{v}} <%v%>', { v: 1 }).text).toBe('set globally: 1 <%v%>');
  } finally {
    mustache.tags = before;
  }
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('{{', '}}', '{{v}}', '$&', '\n', '\ud800'),
  ),
});

test('any text of a variable appears verbatim, and is never rendered again', () => {
  fc.assert(
    fc.property(anyText, anyText, (value, other) => {
      expect(render('<{{v}}|{{#l}}{{.}}{{/l}}>', { v: value, l: [other] }).text).toBe(`<${value}|${other}>`);
    }),
    tries(1000),
  );
});
