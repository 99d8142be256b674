// What `capture` keeps of an account, and what it hides. The whole of it, from a server to a file: test/conformance/capture.test.ts.
import { expect, test } from 'vitest';
import type { CheckedList } from '../conformance/lists.ts';
import { batches as batchList, checkpoints, runs as runList } from '../conformance/lists.ts';
import { type Account, hideAccount, type Walked } from './account.ts';
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
  ['a model that is no text', { model: { note: secret } }, { model: { note: hidden } }],
  ['a fine-tuned model', { model: 'ft:gpt-4o:acme:launch:9x7' }, { model: 'ft:gpt-4o:model_0001' }],
  ['its step', { model: 'ft:m:acme:launch:9x7:ckpt-step-88' }, { model: 'ft:m:model_0001:ckpt-step-88' }],
  ['no step', { model: 'ft:m:acme:launch:9x7:ckpt-step-eve' }, { model: 'ft:m:model_0001' }],
  ['a step within a name', { model: 'ft:m:acme:launch:my-ckpt-step-8' }, { model: 'ft:m:model_0001' }],
  ['a step before a name', { model: 'ft:m:acme:ckpt-step-8-eve' }, { model: 'ft:m:model_0001' }],
  ['the name of a function', { tool_choice: 'autopilot' }, { tool_choice: 'function_0001' }],
  [
    'the choice of a function',
    { tool_choice: { type: 'function', function: { name: 'lookup' } } },
    { tool_choice: { type: 'function', function: { name: 'function_0001' } } },
  ],
  [
    'a flat choice of a function',
    { tool_choice: { type: 'function', name: 'lookup' } },
    { tool_choice: { type: 'function', name: 'function_0001' } },
  ],
  [
    'a choice of another type',
    { tool_choice: { type: 'custom', note: secret } },
    { tool_choice: { type: 'custom', note: hidden } },
  ],
  [
    'a function, with one name wherever it stands',
    {
      tools: [
        { type: 'code_interpreter' },
        { type: 'function', function: { name: 'first', description: secret } },
        { type: 'function', function: { name: 'second' } },
      ],
      tool_choice: 'second',
    },
    {
      tools: [
        { type: 'code_interpreter' },
        { type: 'function', function: { name: 'function_0001', description: hidden } },
        { type: 'function', function: { name: 'function_0002' } },
      ],
      tool_choice: 'function_0002',
    },
  ],
  ['tools of no known type', { tools: [{ type: secret }, secret] }, { tools: [{ type: hidden }, hidden] }],
  [
    'arguments',
    { function: { arguments: `{"a":"${secret}","b":7}` } },
    { function: { arguments: `{"a":"${hidden}","b":7}` } },
  ],
  [
    'unknown fields',
    { a: [secret, 7, null, true], run_Ab12: { b: secret } },
    { a: [hidden, 7, null, true], run_Ab12: { b: hidden } },
  ],
  ['a record that is none', [secret, null], [hidden, null]],
  [
    'metadata',
    { metadata: { status: 'word', run_Ab12: 'text' } },
    { metadata: { status: 'text 0001', run_0001: 'text 0002' } },
  ],
  [
    'the messages of a rendering',
    { messages: [{ role: 'user', content: secret }] },
    { messages: [{ role: 'user', content: hidden }] },
  ],
  [
    'an error',
    { last_error: { code: 'server_error', message: secret } },
    { last_error: { code: 'server_error', message: hidden } },
  ],
  [
    'a checkpoint',
    { id: 'ftckpt_last1', fine_tuning_job_id: 'tuning' },
    { id: 'ftckpt_0001', fine_tuning_job_id: 'ftjob-0001' },
  ],
  [
    'conditions, of which a model is kept',
    {
      conditions: [
        { key: 'model', value: 'gpt-4o' },
        { key: 'model', value: secret },
        { key: 'workspace', value: 'gpt-4o' },
      ],
    },
    {
      conditions: [
        { key: 'model', value: 'gpt-4o' },
        { key: 'model', value: hidden },
        { key: 'workspace', value: 'text 0002' },
      ],
    },
  ],
])('%s: %j becomes %j', (_what, value, expected) => {
  expect(hide(value)).toEqual(expected);
});

test.each([`"${secret}"`, `["${secret}"]`, '{"broken'])(
  'arguments that are no object are hidden: %s',
  (text) => {
    expect(hide({ function: { arguments: text } })).toEqual({
      function: { arguments: hideAll(text, createReplacements()) },
    });
  },
);

test.each<[value: unknown, expected: unknown]>([
  [secret, hidden],
  [
    {
      type: ['object', 'null'],
      description: secret,
      required: ['name', 'kind'],
      properties: {
        name: { type: 'string', format: 'date-time', default: secret, const: secret },
        kind: { enum: [secret], examples: [secret], example: secret, format: secret, type: secret },
        list: { type: 'array', items: [{ type: 'integer' }, { $ref: '#/$defs/word' }] },
        other: { $ref: secret },
        required: { type: 'boolean' },
      },
      patternProperties: { '^a': { type: 'number' } },
      $defs: { word: { type: 'string' } },
      dependentRequired: { name: ['kind'] },
      minimum: 3,
    },
    {
      type: ['object', 'null'],
      description: hidden,
      required: ['name', 'kind'],
      properties: {
        name: { type: 'string', format: 'date-time', default: hidden, const: hidden },
        kind: { enum: [hidden], examples: [hidden], example: hidden, format: hidden, type: hidden },
        list: { type: 'array', items: [{ type: 'integer' }, { $ref: '#/$defs/word' }] },
        other: { $ref: hidden },
        required: { type: 'boolean' },
      },
      patternProperties: { '^a': { type: 'number' } },
      $defs: { word: { type: 'string' } },
      dependentRequired: { name: ['kind'] },
      minimum: 3,
    },
  ],
  [
    { properties: secret, required: secret, dependentRequired: [secret] },
    { properties: hidden, required: hidden, dependentRequired: [hidden] },
  ],
  [
    { properties: { run_Ab12: {} }, user_7: 1, thread_Ab1: 1 },
    { properties: { run_0001: {} }, user_7: 1, thread_0001: 1 },
  ],
  [{ format: 'relative-json-pointer' }, { format: 'relative-json-pointer' }],
  [{ format: 'my-date-time' }, { format: hideAll('my-date-time', createReplacements()) }],
])('a schema keeps its structure, and hides what is said and listed in it: %j', (value, expected) => {
  expect(hide({ function: { parameters: value } })).toEqual({ function: { parameters: expected } });
});

const nothing: Account = { lists: [], policies: new Map(), prompts: new Map() };
const listOf = (list: CheckedList, owner: string, ...records: Walked['records']): Walked => ({
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
