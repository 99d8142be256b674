// What `capture` keeps of an account, and what it hides. The whole of it, from a server to a file: test/conformance/capture.test.ts.
import { expect, test } from 'vitest';
import type { CheckedList } from '../conformance/lists.ts';
import { batches as batchList, checkpoints, runs as runList } from '../conformance/lists.ts';
import { type Account, type CapturedList, hideAccount } from './account.ts';
import { hideAll, hideRecord } from './hide.ts';
import { createReplacements } from './replacements.ts';

const hide = (value: unknown): unknown => hideRecord(value, createReplacements());

/** A secret, and the text that stands for it if it is the first that is replaced. */
const secret = 'Call Ms Lovelace at home';
const hidden = hideAll(secret, createReplacements());

test('a text is hidden', () => {
  expect(hidden).toMatch(/^text 0001 [a-z ]+\.?$/);
});

test.each<[field: string, texts: readonly string[]]>([
  ['model', ['gpt-4o', 'anthropic/claude-3.5@20240620', 'a:b+c_D', 'm', 'm'.repeat(200)]],
  ['tool_choice', ['none', 'auto', 'required']],
  ['status', ['completed', 'server_error', 'a', `a${'b'.repeat(63)}`, 'v1.2']],
  ['unit', ['rpm', 'rph', 'rpd']],
  ['role', ['system', 'developer', 'user', 'assistant', 'tool', 'function']],
  ['reason', ['max_prompt_tokens', 'max_completion_tokens']],
  ['created_at', ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.123+01:00']],
  ['endpoint', ['/v1/chat/completions', '/v1/embeddings']],
  ['completion_window', ['24h']],
])('the field %s keeps %j', (field, texts) => {
  for (const text of texts) expect(hide({ [field]: text })).toEqual({ [field]: text });
});

test.each<[field: string, texts: readonly string[]]>([
  ['model', [secret, 'gpt-4o of Ms Lovelace', 'gpt-4o\n', ' gpt-4o', 'm'.repeat(201), 'modèle']],
  ['status', ['Completed', 'is it', '_a', '7', `a${'b'.repeat(64)}`, 'done!']],
  ['unit', [secret]],
  ['toString', [secret]],
  [
    'created_at',
    ['2026-01-15', '2026-01-15T12:00:00', 'x2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z by Ada'],
  ],
  ['endpoint', ['/v1', '/v1/of Ada', 'https://ada.example/v1/chat']],
  ['completion_window', ['24hours', 'in 24h']],
])('the field %s hides %j', (field, texts) => {
  for (const text of texts) expect(hide({ [field]: text })).not.toEqual({ [field]: text });
});

test.each<[what: string, value: unknown, expected: unknown]>([
  ['a model that is an id', { model: 'asst_Ab1' }, { model: 'asst_0001' }],
  ['a fine-tuned model', { model: 'ft:gpt-4o:acme:launch:9x7' }, { model: 'ft:gpt-4o:model_0001' }],
  ['its step', { model: 'ft:m:acme:launch:9x7:ckpt-step-88' }, { model: 'ft:m:model_0001:ckpt-step-88' }],
  ['no step', { model: 'ft:m:acme:launch:9x7:ckpt-step-eve' }, { model: 'ft:m:model_0001' }],
  ['a step within a name', { model: 'ft:m:acme:launch:my-ckpt-step-8' }, { model: 'ft:m:model_0001' }],
  ['the name of a function', { tool_choice: 'autopilot' }, { tool_choice: 'function_0001' }],
  [
    'metadata',
    { metadata: { status: 'word', run_Ab12: 'text' } },
    { metadata: { status: 'text 0001', run_0001: 'text 0002' } },
  ],
  ['ids that differ in case', { a: ['run_Ab1', 'run_aB1'] }, { a: ['run_0001', 'run_0002'] }],
  [
    'a checkpoint',
    { id: 'ftckpt_last1', fine_tuning_job_id: 'tuning' },
    { id: 'ftckpt_0001', fine_tuning_job_id: 'ftjob-0001' },
  ],
])('%s: %j becomes %j', (_what, value, expected) => {
  expect(hide(value)).toEqual(expected);
});

test.each<(text: string, name: (text: string) => string) => unknown>([
  (text) => ({ model: { note: text } }),
  (text) => ({ tool_choice: { type: 'custom', note: text } }),
  (text) => ({ tools: [{ type: text }, text] }),
  (text) => ({ function: { arguments: `{"a":"${text}","b":7}` } }),
  (text) => ({ a: [text, 7, null, true], run_Ab12: { b: text } }),
  (text) => [text, null],
  (text) => ({ messages: [{ role: 'user', content: text }] }),
  (text) => ({ last_error: { code: 'server_error', message: text } }),
  (text) => ({ conditions: ['gpt-4o', text].map((value) => ({ key: 'model', value })) }),
  (text) => ({ conditions: [{ key: 'workspace', value: text }] }),
  (_, name) => ({ tool_choice: { type: 'function', function: { name: name('lookup') } } }),
  (_, name) => ({ tool_choice: { type: 'function', name: name('lookup') } }),
  (text, name) => ({
    tools: [
      { type: 'code_interpreter' },
      { type: 'function', function: { name: name('first'), description: text } },
    ],
    tool_choice: name('first'), // the same name as above
  }),
])('only what is secret is hidden: %s', (toRecord) => {
  const given = toRecord(secret, (name) => name);
  expect(hide(given)).toEqual(toRecord(String(hidden), () => 'function_0001'));
});

test.each([`"${secret}"`, `["${secret}"]`, '{"broken'])(
  'arguments that are no object are hidden: %s',
  (text) => {
    expect(hide({ function: { arguments: text } })).toEqual({
      function: { arguments: hideAll(text, createReplacements()) },
    });
  },
);

test.each<(text: string) => unknown>([
  (text) => text,
  (text) => ({
    type: ['object', 'null'],
    description: text,
    required: ['name', 'kind'],
    properties: {
      name: { type: 'string', format: 'date-time', default: text, const: text },
      kind: { enum: [text], examples: [text], example: text, format: text, type: text },
      list: { type: 'array', items: [{ type: 'integer' }, { $ref: '#/$defs/word' }] },
      other: { $ref: text },
      required: { type: 'boolean' },
    },
    patternProperties: { '^a': { type: 'number' } },
    $defs: { word: { type: 'string' } },
    dependentRequired: { name: ['kind'] },
    minimum: 3,
  }),
  (text) => ({ properties: text, required: text, dependentRequired: [text] }),
])('a schema keeps its structure, and hides what is said and listed in it: %s', (toSchema) => {
  const hiddenIn = (text: unknown) => ({ function: { parameters: toSchema(String(text)) } });
  expect(hide(hiddenIn(secret))).toEqual(hiddenIn(hidden));
});

test('a UUID is one id in upper and lower case', () => {
  const { id } = createReplacements();
  const uuid = '6f2c249c-4082-4d7f-8c6a-e2a7aaa61495';
  expect(id(uuid.toUpperCase(), '')).toBe(id(uuid, ''));
});

test('a schema has no id in its keys, and formats of a known name', () => {
  expect(
    hide({ function: { parameters: { properties: { run_Ab12: {} }, format: 'relative-json-pointer' } } }),
  ).toEqual({ function: { parameters: { properties: { run_0001: {} }, format: 'relative-json-pointer' } } });
});

const nothing: Account = { lists: [], policies: new Map(), prompts: new Map() };
const listOf = (list: CheckedList, owner: string, ...records: CapturedList['records']): CapturedList => ({
  list,
  owner,
  records,
  isCut: true,
  isOpen: false,
});

test('an account has no id left in a text, wherever it first stands, and the rest of its lists as they are', () => {
  const words = 'talk helper second nightly wishes replies tuning early limits greeting';
  const instructions = `${words} and a long text, so that all of them have room: ${'.'.repeat(80)}`;
  const { lists, policies } = hideAccount(
    {
      lists: [
        listOf(
          runList,
          'talk',
          { id: 'first', instructions },
          { id: 'second', assistant_id: 'helper' },
          { id: 'third', assistant_id: null },
        ),
        listOf(
          batchList,
          '',
          { id: 'nightly', input_file_id: 'wishes', output_file_id: 'replies' },
          { id: 'daily', error_file_id: null },
        ),
        listOf(checkpoints, 'tuning', { id: 'early' }),
      ],
      policies: new Map([['limits', {}]]),
      prompts: new Map([['greeting@3', {}]]),
    },
    createReplacements(),
  );
  expect(lists[0]?.records[0]?.instructions).toContain(
    'text 0001 thread_0001 asst_0001 run_0002 batch_0001 file-0001 file-0002 ftjob-0001 ftckpt_0001 0001 prompt_0001 ',
  );
  expect(lists[0]?.records[2]).toEqual({ id: 'run_0003', assistant_id: null });
  expect(lists[1]?.records[1]).toEqual({ id: 'batch_0002', error_file_id: null });
  expect(lists[2]).toEqual(listOf(checkpoints, 'ftjob-0001', { id: 'ftckpt_0001' }));
  expect([...policies]).toEqual([['0001', {}]]);
});

test.each([
  ['greeting', 'prompt_0001'],
  ['greeting@12', 'prompt_0001@12'],
  ['greeting@latest', 'prompt_0001@latest'],
  ['greeting@home', 'prompt_0001'],
  ['a@3@4', 'prompt_0001@4'],
  ['@3', 'prompt_0001'],
])('an account has the prompt %s as %s', (id, expected) => {
  const prompts = new Map([[id, { messages: [{ role: 'user', content: secret }] }]]);
  const { prompts: found } = hideAccount({ ...nothing, prompts }, createReplacements());
  expect([...found]).toEqual([[expected, { messages: [{ role: 'user', content: hidden }] }]]);
});
