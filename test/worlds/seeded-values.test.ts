// The values of seeded records, by field: over enough records, all of them occur.
import { expect, test } from 'vitest';
import { openGateway } from '../support/open-gateway.ts';

const ids = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}_${at}`);

type Kind = 'run' | 'batch' | 'checkpoint' | 'policy';

const { records } = openGateway({
  scenario: {
    seed: 7,
    threads: {
      ...Object.fromEntries(ids('thread', 30).map((id) => [id, { runs: 24 }])),
      ...Object.fromEntries(ids('waiting', 12).map((id) => [id, { runs: { requires_action: 12 } }])),
    },
    batches: 700,
    jobs: Object.fromEntries(ids('job', 40).map((id) => [id, { checkpoints: 12 }])),
    policies: { seeded: 300 },
  },
}).gateway;
const all: Readonly<Record<Kind, readonly object[]>> = {
  run: await records.runs.list(),
  batch: await records.batches.list(),
  checkpoint: await records.checkpoints.list(),
  policy: await records.policies.list(),
};

/** All values at a path of the records. Lists are flattened; missing values are null. */
const readAll = (kind: Kind, path: string): unknown[] =>
  all[kind].flatMap((record) => valuesAt(record, path.split('.')));

const valuesAt = (value: unknown, path: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [key, ...rest] = path;
  if (key === undefined) return [value ?? null];
  if (key === '{}') return valuesAt(JSON.parse(String(value ?? null)), rest);
  return valuesAt(Object(value)[key], rest);
};

const toolCall = 'required_action.submit_tool_outputs.tool_calls.function';

/** How many different values each field has, those that are null aside. */
const variety: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  run: {
    model: 5,
    instructions: 5,
    'tools.type': 3,
    'tools.function.name': 4,
    'tools.function.parameters.required': 8,
    'metadata.channel': 5,
    max_prompt_tokens: 3,
    max_completion_tokens: 3,
    'truncation_strategy.type': 2,
    temperature: 3,
    top_p: 2,
    [`${toolCall}.name`]: 4,
    [`${toolCall}.arguments.{}.from`]: 8,
    [`${toolCall}.arguments.{}.passengers`]: 4,
    [`${toolCall}.arguments.{}.priority`]: 3,
    [`${toolCall}.arguments.{}.subject`]: 3,
    [`${toolCall}.arguments.{}.unit`]: 2,
    'last_error.code': 3,
    'incomplete_details.reason': 2,
  },
  batch: {
    endpoint: 3,
    'metadata.description': 6,
    'metadata.team': 4,
    'metadata.attempt': 3,
    'errors.data.code': 6,
    'errors.data.param': 3,
  },
  checkpoint: { object: 1, step_number: 24 },
  policy: { type: 2, unit: 3, value: 8, name: 4, 'conditions.key': 2, 'group_by.key': 4 },
};

test.each(Object.entries(variety) as [Kind, Record<string, number>][])(
  'the fields of a seeded %s take all their values',
  (kind, expected) => {
    const countAt = (path: string): number =>
      new Set(readAll(kind, path).filter((value) => value !== null)).size;
    const counts = Object.keys(expected).map((path) => [path, countAt(path)]);
    expect(Object.fromEntries(counts)).toEqual(expected);
  },
);

/** The range of each number. The values must cover most of it. */
const ranges: readonly (readonly [Kind, Readonly<Record<string, readonly [min: number, max: number]>>])[] = [
  [
    'run',
    {
      'truncation_strategy.last_messages': [4, 20],
      'usage.completion_tokens': [12, 1024],
      'usage.prompt_tokens': [180, 16_384],
    },
  ],
  [
    'batch',
    {
      'request_counts.total': [0, 5000],
      'request_counts.completed': [0, 5000],
      'request_counts.failed': [0, 5000],
      'errors.data.line': [2, 402],
    },
  ],
  [
    'checkpoint',
    {
      step_number: [25, 1200],
      'metrics.train_loss': [0.19, 2.3],
      'metrics.valid_loss': [0.25, 2.3],
      'metrics.full_valid_loss': [0.27, 2.3],
      'metrics.train_mean_token_accuracy': [0.58, 0.96],
      'metrics.valid_mean_token_accuracy': [0.56, 0.95],
      'metrics.full_valid_mean_token_accuracy': [0.56, 0.94],
    },
  ],
];

test.each(ranges)('the numbers of a seeded %s', (kind, expected) => {
  for (const [path, [min, max]] of Object.entries(expected)) {
    const found = readAll(kind, path).filter((value) => typeof value === 'number');
    const [least, most] = [Math.min(...found), Math.max(...found)];
    expect({ path, least, isWithin: least >= min }).toMatchObject({ isWithin: true });
    expect({ path, most, isWithin: most <= max }).toMatchObject({ isWithin: true });
    expect({ path, least, most, isWide: most - least > 0.6 * (max - min) }).toMatchObject({ isWide: true });
  }
});

/** The approximate percentage of records with such a value. */
const shares: readonly (readonly [Kind, string, (value: unknown) => boolean, number])[] = [
  ['run', 'metadata.customer', (value) => value === null, 35],
  ['run', 'metadata.ticket', (value) => /^T-[1-9]\d{4}$/.test(String(value)), 33],
  ['run', 'metadata.country', (value) => /^[A-Z]{2}$/.test(String(value)), 20],
  ['run', 'parallel_tool_calls', (value) => value === true, 80],
  ['run', 'truncation_strategy.last_messages', (value) => value !== null, 20],
  ['batch', 'metadata', (value) => value === null, 30],
  ['batch', 'metadata.team', (value) => value !== null, 42],
  ['batch', 'metadata.attempt', (value) => value !== null, 21],
  ['batch', 'request_counts.failed', (value) => value === 0, 65],
  ['checkpoint', 'metrics.valid_loss', (value) => value !== null, 90],
  ['checkpoint', 'metrics.full_valid_loss', (value) => value !== null, 22],
  ['policy', 'status', (value) => value === 'archived', 20],
  ['policy', 'name', (value) => value === null, 20],
  ['policy', 'conditions.key', (value) => value !== 'workspace_id', 38],
];

test.each(['run', 'batch', 'checkpoint', 'policy'] as const)('how often a seeded %s has what', (kind) => {
  for (const [, path, isMeant, share] of shares.filter(([of]) => of === kind)) {
    const values = readAll(kind, path);
    const found = Math.round((100 * values.filter(isMeant).length) / values.length);
    expect({ path, found, isNear: Math.abs(found - share) <= 8 }).toMatchObject({ isNear: true });
  }
});

test('related fields of a seeded record are consistent', async () => {
  const endpoints = new Map(
    (await records.batches.list()).map((one) => [one.metadata?.description, one.endpoint]),
  );
  endpoints.delete(undefined);
  expect(Object.fromEntries(endpoints)).toEqual({
    'call transcript summaries': '/v1/responses',
    'nightly evaluation': '/v1/chat/completions',
    'product catalogue embeddings': '/v1/embeddings',
    'review sentiment, weekly': '/v1/chat/completions',
    'ticket triage backfill': '/v1/chat/completions',
    'translation of help articles': '/v1/responses',
  });

  for (const { type, value, workspace_id, conditions } of await records.policies.list()) {
    expect(value >= 1000).toBe(type === 'tokens');
    expect(conditions?.[0]).toEqual({ key: 'workspace_id', value: workspace_id });
  }

  for (const { model, temperature, top_p, tools } of await records.runs.list()) {
    if (model === 'o3-mini') expect([temperature, top_p]).toEqual([1, 1]);
    for (const tool of tools) {
      const { name, parameters } = Object(Object(tool).function);
      if (name !== undefined)
        expect([name, Object.keys(parameters.properties), parameters.additionalProperties]).toEqual([
          name,
          parameters.required,
          false,
        ]);
    }
  }
});

test('the errors of a seeded batch name their lines, in rising order', async () => {
  const messages: Readonly<Record<string, (line: number, endpoint: string) => RegExp>> = {
    invalid_json_line: () => /^This line is not parseable as valid JSON\.$/,
    duplicate_custom_id: (line) =>
      new RegExp(`^The custom_id for this line is a duplicate of line ${Math.max(1, line - 3)}\\.$`),
    missing_required_parameter: () => /^Missing required parameter: 'body\.model'\.$/,
    invalid_url: (_line, endpoint) => new RegExp(`does not match the batch endpoint ${endpoint}\\.$`),
    empty_file: () => /^The input file is empty\./,
    token_limit_exceeded: () => /^Enqueued token limit reached/,
  };
  const lists = (await records.batches.list()).flatMap(({ errors, endpoint }) =>
    errors ? [{ endpoint, data: errors.data }] : [],
  );
  for (const { endpoint, data } of lists) {
    for (const { code, message, line } of data)
      expect(message).toMatch(messages[code]?.(line ?? 0, endpoint) ?? /^$/);
    const lines = data.map(({ line }) => line ?? 0);
    expect(lines).toEqual([...new Set(lines)].toSorted((a, b) => a - b));
    expect(new Set(data.map(({ code }) => code)).size).toBe(1);
  }
  expect(new Set(lists.map(({ data }) => data.length))).toEqual(new Set([1, 2, 3]));
  const whole = lists.filter(({ data }) => data.every(({ line }) => line === null)).length;
  expect(Math.abs(whole / lists.length - 0.35)).toBeLessThan(0.15);
});
