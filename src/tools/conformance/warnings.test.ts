import { expect, test } from 'vitest';
import { setLimit } from '../../../test/support/set-limit.ts';
import { readDocument } from '../../core/scenario/file.ts';
import { scenarioNames, shippedLibrary } from '../../core/scenario/library.ts';
import { describeError } from '../../core/util/validation-error.ts';
import type { Scenario } from '../../index.ts';
import { findWarnings } from './warnings.ts';

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;

/** The warnings about a scenario, as lines. */
const warningsOf = (value: Scenario): string[] =>
  findWarnings({ name: 'inline', value }, shippedLibrary).map(describeError);

test.each(scenarioNames())(
  'the shipped scenario %s has none, except a missing partial that is meant',
  (name) => {
    const missing = 'prompts.prompt_partial_missing.messages[0].content';
    const expected = name === 'prompt-library' ? [expect.stringContaining(missing)] : [];
    expect(warningsOf({ extends: name })).toEqual(expected);
  },
);

test('seeded records, and written ones that agree with their status, have none', () => {
  expect(
    warningsOf({
      threads: { t: { runs: 12, records: [{ id: 'run_a', status: 'failed' }, { id: 'run_b' }] } },
      batches: { seeded: 20, records: [{ id: 'batch_a', status: 'completed' }] },
    }),
  ).toEqual([]);
});

test('each contradiction of a written record is one', () => {
  const old = { id: 'batch_old', status: 'in_progress', created_at: start - 200_000 };
  expect(
    warningsOf({
      threads: {
        t: { records: [{ id: 'run_a' }, { id: 'run_b', status: 'completed', completed_at: null }] },
      },
      batches: {
        records: [{ id: 'batch_a', status: 'completed', failed_at: start - 10, errors: null }, old],
      },
    }),
  ).toEqual([
    'threads.t.records[1]: completed_at is null in completed',
    expect.stringMatching(/^batches\.records\[0\]: failed_at is \d+ in completed$/),
    'batches.records[0]: completed_at is after failed_at',
    'batches.records[1]: still in_progress after its expiry',
  ]);
});

test('records are read at the time of the clock, also if it runs', () => {
  const run = { id: 'run_a', status: 'queued', created_at: start };
  const at = (now: string): Scenario => ({ clock: { now, speed: 1000 }, threads: { t: { records: [run] } } });
  expect(warningsOf(at('2026-01-15T12:09:59Z'))).toEqual([]);
  expect(warningsOf(at('2026-01-15T12:10:00Z'))).toEqual([
    'threads.t.records[0]: still queued after its expiry',
  ]);
});

test('a status that the mock does not know is none', () => {
  const records = [{ id: 'run_a', status: 'paused', usage: null }];
  expect(warningsOf({ threads: { t: { records } }, assumptions: { 'run-states': 'any' } })).toEqual([]);
});

test('a file has positions, a file that extends it has those of the record, and not all are listed', () => {
  setLimit('errors', 2);
  const runs = [1, 2, 3].map((at) => `      - { id: run_${at}, status: completed, usage: null }`);
  const parent = readDocument('parent', 'parent.yaml', `threads:\n  t:\n    records:\n${runs.join('\n')}\n`);
  const library = { ...shippedLibrary, scenarios: { parent } };
  const child = readDocument('child', 'child.yaml', 'extends: parent\n');
  for (const document of [parent, child])
    expect(findWarnings(document, library).map(describeError)).toEqual([
      'parent.yaml:4:9 threads.t.records[0]: usage is null in completed',
      'parent.yaml:5:9 threads.t.records[1]: usage is null in completed',
      'and more: only the first 2 are listed',
    ]);
});

const slipsIn = (content: string): string[] =>
  warningsOf({ prompts: { known: { string: 'x' }, p: { messages: [{ role: 'user', content }] } } });

test.each([
  ['{{#a}}x{{else}}y{{/a}}', '{{else}} is not Mustache', '{{^name}}'],
  ['{{#a}}{{this.b}}{{/a}}', '{{this.b}} is not Mustache', '{{.}}'],
  ['{{@index}}', '{{@index}} is not Mustache', 'no index'],
  ['{{../a}}', '{{../a}} is not Mustache', 'further out'],
  ['{{ a|upper }}', '{{a|upper}} is not Mustache', 'no filters'],
  ['{{ a[0] }}', '{{a[0]}} is not Mustache', 'no indexes'],
  ['{{./a}} {{.}}', '{{./a}} is not Mustache', 'Write the name alone'],
  ['{{ a == "b" }}', '{{a == "b"}} is not Mustache', 'no expressions'],
  ['{{~a~}}', '{{~a~}} is not Mustache', 'trims no blanks'],
  ['{{ }}', '{{}} is not Mustache', 'needs a name'],
  ['{{#if a}}x{{/if a}}', '{{if a}} is not Mustache', '{{#a}}'],
  ['{{x}} {% if a %}', '{% if a %} is Jinja', '{{#name}}'],
  ['{% if a %}', '{% if a %} is Jinja', '{{#name}}'],
  ['{# a note #}', '{# a note #} is Jinja', '{{! words }}'],
  ['Hi <%= name %>', '<%= name %> is ERB', 'write {{name}}'],
  ['<% if a %>', '<% if a %> is ERB', '{{#name}}'],
  ['{{!-- was {{a}} --}}', '--}} is Handlebars', 'ends at the first }}'],
  ['{{>known name=a}}', '{{>known name=a}} does not exist', 'no arguments'],
  ['{{>knwon}}', '{{>knwon}} does not exist', 'Did you mean "known"?'],
])('%s in a prompt is one, with the way out', (content, said, way) => {
  expect(slipsIn(content)).toEqual([expect.stringContaining(said)]);
  expect(slipsIn(content)[0]).toContain(way);
});

test.each([
  '{{first name}} {{last-name}} {{thisness}} {{elsewhere}} {{größe}}',
  "{{user's name}} {{C++}} {{is_open?}}",
  '{{=<% %>=}}<% a %>',
  '{{>known}}',
  '{{>>v}}',
  '100 % {x} {"a":{"b":{{c}}}} <b> {#x}',
])('%s in a prompt is none', (content) => {
  expect(slipsIn(content)).toEqual([]);
});

test('slips in prompts have the line of the tag', () => {
  const text = `prompts:
  p:
    versions:
      - version: 1
        messages:
          - role: asistant
            content: |
              Rules:
              {{#a}}x
              {{else}}y{{/a}}
          - rol: user
            content: x
          - content: x
          - role: user
            content: # {{title}}
          - role: assistant
            tool_calls: []
`;
  expect(findWarnings(readDocument('p', 'p.yaml', text), shippedLibrary).map(describeError)).toEqual([
    'p.yaml:6:13 prompts.p.versions[0].messages[0].role: unknown role "asistant". Did you mean "assistant"?',
    'p.yaml:10:15 prompts.p.versions[0].messages[0].content: {{else}} is not Mustache: its value is always missing. For the other case, write {{^name}}…{{/name}}',
    'p.yaml:11:13 prompts.p.versions[0].messages[1].rol: unknown field "rol". Did you mean "role"?',
    'p.yaml:13:13 prompts.p.versions[0].messages[2]: the message has no role',
    'p.yaml:14:13 prompts.p.versions[0].messages[3]: the message has no content. In YAML, # begins a comment: put texts in quotes',
  ]);
});
