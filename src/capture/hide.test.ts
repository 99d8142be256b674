// What `capture` keeps of an account, and what it hides. The whole of it, from a server to a file: test/conformance/capture.test.ts.
import { describe, expect, test } from 'vitest';
import type { CheckedList } from '../conformance/lists.ts';
import { batches as batchList, checkpoints, runs as runList } from '../conformance/lists.ts';
import { type Account, hideAccount, type Walked } from './account.ts';
import { hideAll, hideRecord } from './hide.ts';
import { createReplacements, type Replacements } from './replacements.ts';

type Hide = (value: unknown, given: Replacements) => unknown;

/** Hides a value as that of a field. */
const inField =
  (...path: readonly string[]): Hide =>
  (value, given) => {
    const record = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    return path.reduce<unknown>((outer, name) => Object(outer)[name], hideRecord(record, given));
  };

const hideModel = inField('model');
const hideChoice = inField('tool_choice');
const hideTools = inField('tools');
const hideSchema = inField('function', 'parameters');

const secret = 'Call Ms Lovelace at home';
const hide = (how: Hide, value: unknown): unknown => how(value, createReplacements());
/** The text that stands for the secret where it is the first that is replaced. */
const hidden = hide(hideAll, secret);

test('a text is hidden', () => {
  expect(hidden).toMatch(/^text 0001 [a-z ]+\.?$/);
});

describe('the name of a model', () => {
  test.each(['gpt-4o', 'anthropic/claude-3.5@20240620', 'a:b+c_D', 'm', 'm'.repeat(200)])(
    '%s is kept',
    (model) => {
      expect(hide(hideModel, model)).toBe(model);
    },
  );

  test.each([secret, 'gpt-4o of Ms Lovelace', 'gpt-4o\n', ' gpt-4o', 'm'.repeat(201), 'modèle'])(
    '%j is hidden, since it is none',
    (text) => {
      expect(hide(hideModel, text)).not.toBe(text);
      expect(hide(hideRecord, { model: text })).not.toEqual({ model: text });
    },
  );

  test('that is an id or an address is replaced', () => {
    expect(hide(hideModel, 'asst_Ab1')).toBe('asst_0001');
  });

  test.each([
    ['ft:gpt-4o:acme:launch:9x7', 'ft:gpt-4o:model_0001'],
    ['ft:gpt-4o:acme:launch:9x7:ckpt-step-88', 'ft:gpt-4o:model_0001:ckpt-step-88'],
    ['ft:gpt-4o:acme:launch:9x7:ckpt-step-eve', 'ft:gpt-4o:model_0001'],
    ['ft:gpt-4o:acme:launch:my-ckpt-step-8', 'ft:gpt-4o:model_0001'],
    ['ft:gpt-4o:acme:ckpt-step-8-eve', 'ft:gpt-4o:model_0001'],
  ])('%s, which was fine-tuned, is %s', (model, expected) => {
    expect(hide(hideModel, model)).toBe(expected);
  });

  test('that is no text is hidden as whatever it is', () => {
    expect(hide(hideModel, { note: secret })).toEqual({ note: hidden });
  });
});

describe('the choice of a tool', () => {
  test.each(['none', 'auto', 'required'])('%s is kept', (choice) => {
    expect(hide(hideChoice, choice)).toBe(choice);
  });

  test.each(['lookup_patient', 'autopilot', 'is_required'])(
    '%s is the name of a function, and replaced',
    (choice) => {
      expect(hide(hideChoice, choice)).toBe('function_0001');
    },
  );

  test.each([
    [
      { type: 'function', function: { name: 'lookup' } },
      { type: 'function', function: { name: 'function_0001' } },
    ],
    [
      { type: 'function', name: 'lookup' },
      { type: 'function', name: 'function_0001' },
    ],
    [
      { type: 'custom', note: secret },
      { type: 'custom', note: hidden },
    ],
    [{ type: secret }, { type: hidden }],
    [null, null],
  ])('%j is %j', (choice, expected) => {
    expect(hide(hideChoice, choice)).toEqual(expected);
  });

  test('a function has one name wherever it stands', () => {
    const run = {
      tools: [
        { type: 'code_interpreter' },
        { type: 'function', function: { name: 'first', description: secret } },
        { type: 'function', function: { name: 'second' } },
      ],
      tool_choice: 'second',
    };
    expect(hide(hideRecord, run)).toEqual({
      tools: [
        { type: 'code_interpreter' },
        { type: 'function', function: { name: 'function_0001', description: hidden } },
        { type: 'function', function: { name: 'function_0002' } },
      ],
      tool_choice: 'function_0002',
    });
  });
});

describe('a schema', () => {
  test('keeps its structure, and hides what is said and listed in it', () => {
    expect(
      hide(hideSchema, {
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
        definitions: { word: { type: 'string' } },
        dependentSchemas: { name: { type: 'object' } },
        dependentRequired: { name: ['kind'] },
        minimum: 3,
      }),
    ).toEqual({
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
      definitions: { word: { type: 'string' } },
      dependentSchemas: { name: { type: 'object' } },
      dependentRequired: { name: ['kind'] },
      minimum: 3,
    });
  });

  test('where its place holds something else, hides that', () => {
    expect(hide(hideSchema, secret)).toBe(hidden);
    expect(hide(hideSchema, { properties: secret, required: secret, dependentRequired: [secret] })).toEqual({
      properties: hidden,
      required: hidden,
      dependentRequired: [hidden],
    });
    expect(hide(hideSchema, { properties: null, items: null })).toEqual({ properties: null, items: null });
  });

  test('has no ids in the names of its properties', () => {
    expect(hide(hideSchema, { properties: { run_Ab12: {} }, user_7: 1, thread_Ab1: 1 })).toEqual({
      properties: { run_0001: {} },
      user_7: 1,
      thread_0001: 1,
    });
  });

  test.each([
    'date-time',
    'date',
    'idn-email',
    'ipv4',
    'iri',
    'uri-reference',
    'relative-json-pointer',
    'int64',
    'byte',
  ])('keeps the format %s', (format) => {
    expect(hide(hideSchema, { format })).toEqual({ format });
  });

  test.each(['my-date-time', 'date-times', 'ipv5', 'my-byte', 'secret'])('hides the format %s', (format) => {
    expect(hide(hideSchema, { format })).not.toEqual({ format });
  });
});

test('a tool of no known type is hidden', () => {
  expect(hide(hideTools, [{ type: secret }, secret])).toEqual([{ type: hidden }, hidden]);
  expect(hide(hideTools, secret)).toBe(hidden);
});

describe('a word of a list', () => {
  test.each(['completed', 'server_error', 'a', `a${'b'.repeat(63)}`, 'v1.2'])('%s is kept', (word) => {
    expect(hide(inField('status'), word)).toBe(word);
  });

  test.each(['Completed', 'is it', '', '_a', '7', `a${'b'.repeat(64)}`, 'done!'])('%j is hidden', (word) => {
    // An empty text hides nothing.
    expect(hide(inField('status'), word)).toBe(word === '' ? '' : hide(hideAll, word));
  });

  test('is kept where it is one of those that are known', () => {
    expect([hide(inField('unit'), 'rph'), hide(inField('unit'), secret)]).toEqual(['rph', hidden]);
  });
});

test('of what no field is known for, keys stay but for ids in them, and texts do not', () => {
  expect(hide(hideAll, { a: [secret, 7, null, true], run_Ab12: { b: secret } })).toEqual({
    a: [hidden, 7, null, true],
    run_0001: { b: hidden },
  });
  expect(hide(hideRecord, { unit: 'rpm', toString: secret })).toEqual({ unit: 'rpm', toString: hidden });
  expect([hide(hideRecord, secret), hide(hideRecord, [secret]), hide(hideRecord, null)]).toEqual([
    hidden,
    [hidden],
    null,
  ]);
  expect(hide(hideRecord, { metadata: { status: 'word', type: 'text' } })).toEqual({
    metadata: { status: 'text 0001', type: 'text 0002' },
  });
  expect(hide(hideRecord, { tools: { key: secret, note: { type: 'text' } } })).toEqual({
    tools: { key: hidden, note: { type: 'text 0002' } },
  });
});

describe('the arguments of a call', () => {
  test.each([
    [`{"patient":"${secret}","age":7}`, `{"patient":"${hidden}","age":7}`],
    [`"${secret}"`, undefined],
    [`["${secret}"]`, undefined],
    ['{"broken', undefined],
  ])('%s are %s', (text, expected) => {
    expect(hide(inField('function', 'arguments'), text)).toBe(expected ?? hide(hideAll, text));
  });
});

describe('a policy', () => {
  test('keeps a model in its conditions, and hides any other value', () => {
    const conditions = [
      { key: 'model', value: 'gpt-4o' },
      { key: 'model', value: secret },
      { key: 'workspace', value: 'gpt-4o' },
    ];
    expect(hide(hideRecord, { conditions })).toEqual({
      conditions: [
        { key: 'model', value: 'gpt-4o' },
        { key: 'model', value: hidden },
        { key: 'workspace', value: 'text 0002' },
      ],
    });
  });

  test.each([
    ['2026-01-15T12:00:00Z', true],
    ['2026-01-15T12:00:00.123+01:00', true],
    ['2026-01-15', false],
    ['2026-01-15T12:00:00', false],
    ['x2026-01-15T12:00:00Z', false],
    ['2026-01-15T12:00:00Z by Ada', false],
  ])('of created_at %s is kept: %s', (created_at, isKept) => {
    const kept = hide(hideRecord, { created_at });
    if (isKept) expect(kept).toEqual({ created_at });
    else expect(kept).not.toEqual({ created_at });
  });
});

test.each([
  [{ endpoint: '/v1/chat/completions' }, true],
  [{ endpoint: '/v1/embeddings' }, true],
  [{ endpoint: '/v1' }, false],
  [{ endpoint: '/v1/of Ada' }, false],
  [{ endpoint: 'https://ada.example/v1/chat' }, false],
  [{ completion_window: '24h' }, true],
  [{ completion_window: '24hours' }, false],
  [{ completion_window: 'in 24h' }, false],
])('of a batch %j is kept: %s', (batch, isKept) => {
  const kept = hide(hideRecord, batch);
  if (isKept) expect(kept).toEqual(batch);
  else expect(kept).not.toEqual(batch);
});

describe('an account', () => {
  const nothing: Account = { lists: [], policies: new Map(), prompts: new Map() };
  const listOf = (list: CheckedList, owner: string, ...records: Walked['records']): Walked => ({
    list,
    owner,
    records,
    isCut: false,
    isOpen: false,
  });
  const hideLists = (...lists: readonly Walked[]): readonly Walked[] =>
    hideAccount({ ...nothing, lists }, createReplacements()).lists;

  test('has no id left in a text, wherever it first stands', () => {
    const words = 'talk helper second nightly wishes replies tuning early limits greeting';
    const instructions = `${words} and a long text, so that all of them have room: ${'.'.repeat(80)}`;
    const { lists } = hideAccount(
      {
        lists: [
          listOf(runList, 'talk', { id: 'first', instructions }, { id: 'second', assistant_id: 'helper' }),
          listOf(batchList, '', {
            id: 'nightly',
            input_file_id: 'wishes',
            output_file_id: 'replies',
            error_file_id: null,
          }),
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
  });

  test('with records that name no assistant and no files counts none', () => {
    const [runs, batches] = hideLists(
      listOf(
        runList,
        'talk',
        { id: 'a', assistant_id: null },
        { id: 'b', assistant_id: 7 },
        { id: 'c', assistant_id: 'helper' },
      ),
      listOf(batchList, '', { id: 'a1' }, { id: 'b1', error_file_id: 'last' }),
    );
    expect(runs?.records.map(({ assistant_id }) => assistant_id)).toEqual([null, 7, 'asst_0001']);
    expect(batches?.records).toEqual([
      { id: 'batch_0001' },
      { id: 'batch_0002', error_file_id: 'file-0001' },
    ]);
  });

  test.each([
    ['greeting', 'prompt_0001'],
    ['greeting@3', 'prompt_0001@3'],
    ['greeting@12', 'prompt_0001@12'],
    ['greeting@latest', 'prompt_0001@latest'],
    ['greeting@home', 'prompt_0001'],
    ['a@3@4', 'prompt_0001@4'],
    ['@3', 'prompt_0001'],
  ])('has the prompt %s as %s', (id, expected) => {
    const prompts = new Map([[id, { messages: [{ role: 'user', content: secret }] }]]);
    const { prompts: found } = hideAccount({ ...nothing, prompts }, createReplacements());
    expect([...found]).toEqual([[expected, { messages: [{ role: 'user', content: hidden }] }]]);
  });

  test('keeps what is known of each list', () => {
    const list = { ...listOf(runList, 't', { id: 'a', note: secret }), isCut: true, emptyEnd: '' };
    expect(hideLists(list)).toEqual([
      { ...list, owner: 'thread_0001', records: [{ id: 'run_0001', note: hidden }] },
    ]);
    expect(hideLists(listOf(checkpoints, 'j'))[0]?.owner).toBe('ftjob-0001');
    const { policies } = hideAccount({ ...nothing, policies: new Map([['p', {}]]) }, createReplacements());
    expect([...policies]).toEqual([['0001', {}]]);
  });
});

test('of what a list of the contract names, everything is kept', () => {
  const run = {
    last_error: { code: 'server_error', message: secret },
    incomplete_details: { reason: 'max_prompt_tokens' },
  };
  expect(hide(hideRecord, run)).toEqual({ ...run, last_error: { code: 'server_error', message: hidden } });
  expect(hide(hideRecord, { incomplete_details: { reason: 'max_completion_tokens' } })).toEqual({
    incomplete_details: { reason: 'max_completion_tokens' },
  });
  for (const unit of ['rpm', 'rph', 'rpd']) expect(hide(hideRecord, { unit })).toEqual({ unit });
  for (const role of ['system', 'developer', 'user', 'assistant', 'tool', 'function'])
    expect(hide(hideRecord, { messages: [{ role, content: secret }] })).toEqual({
      messages: [{ role, content: hidden }],
    });
  expect(hide(hideRecord, { id: 'ftckpt_last1', fine_tuning_job_id: 'tuning' })).toEqual({
    id: 'ftckpt_0001',
    fine_tuning_job_id: 'ftjob-0001',
  });
});
