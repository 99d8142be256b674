// The values of seeded records, by field: over enough records, all of these values occur, and no others.
import { expect, test } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const ids = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}_${at}`);

const readers = {
  run: (gateway: Gateway) => gateway.records.runs.list(),
  batch: (gateway: Gateway) => gateway.records.batches.list(),
  checkpoint: (gateway: Gateway) => gateway.records.checkpoints.list(),
  policy: (gateway: Gateway) => gateway.records.policies.list(),
};

type Gateway = OpenGateway['gateway'];
type Kind = keyof typeof readers;

const open = () =>
  openGateway({
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

/** Returns all values at a path of the records. Lists are flattened; missing values are null. */
const readAll = async (kind: Kind) => {
  const records: readonly object[] = await readers[kind](open());
  return (path: string): unknown[] => records.flatMap((record) => valuesAt(record, path.split('.')));
};

const valuesAt = (value: unknown, path: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [key, ...rest] = path;
  if (key === undefined) return [value ?? null];
  if (key === '{}') return valuesAt(JSON.parse(String(value ?? null)), rest);
  return valuesAt(Object(value)[key], rest);
};

const call = 'required_action.submit_tool_outputs.tool_calls';

const values: readonly (readonly [Kind, Readonly<Record<string, readonly unknown[]>>])[] = [
  [
    'run',
    {
      object: ['thread.run'],
      model: ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4o', 'gpt-4o-mini', 'o3-mini'],
      'tools.type': ['code_interpreter', 'file_search', 'function'],
      'tools.function.name': [null, 'create_ticket', 'get_order_status', 'get_weather', 'search_flights'],
      'tools.function.parameters.type': [null, 'object'],
      'tools.function.parameters.properties.passengers.type': [null, 'integer'],
      'tools.function.parameters.properties.city.type': [null, 'string'],
      'tools.function.parameters.required': [
        null,
        'city',
        'from',
        'order_id',
        'passengers',
        'priority',
        'subject',
        'to',
        'unit',
      ],
      'tools.function.strict': [null, true],
      'metadata.channel': [null, 'android', 'email', 'ios', 'slack', 'web'],
      max_prompt_tokens: [null, 16_384, 4096, 8192],
      max_completion_tokens: [null, 1024, 256, 512],
      'truncation_strategy.type': ['auto', 'last_messages'],
      tool_choice: ['auto'],
      response_format: ['auto'],
      temperature: [0.2, 0.7, 1],
      top_p: [0.9, 1],
      'required_action.type': [null, 'submit_tool_outputs'],
      [`${call}.type`]: [null, 'function'],
      [`${call}.function.name`]: [null, 'create_ticket', 'get_order_status', 'get_weather', 'search_flights'],
      [`${call}.function.arguments.{}.from`]: [null, 'BER', 'CDG', 'GRU', 'JFK', 'LIS', 'NRT', 'OSL', 'SIN'],
      [`${call}.function.arguments.{}.passengers`]: [null, 1, 2, 3, 4],
      [`${call}.function.arguments.{}.priority`]: [null, 'high', 'low', 'normal'],
      [`${call}.function.arguments.{}.subject`]: [
        null,
        'Cannot sign in',
        'Invoice shows the wrong address',
        'Refund not received',
      ],
      [`${call}.function.arguments.{}.unit`]: [null, 'celsius', 'fahrenheit'],
      'last_error.code': [null, 'invalid_prompt', 'rate_limit_exceeded', 'server_error'],
      'incomplete_details.reason': [null, 'max_completion_tokens', 'max_prompt_tokens'],
    },
  ],
  [
    'batch',
    {
      object: ['batch'],
      endpoint: ['/v1/chat/completions', '/v1/embeddings', '/v1/responses'],
      completion_window: ['24h'],
      'metadata.description': [
        null,
        'call transcript summaries',
        'nightly evaluation',
        'product catalogue embeddings',
        'review sentiment, weekly',
        'ticket triage backfill',
        'translation of help articles',
      ],
      'metadata.team': [null, 'data-platform', 'growth', 'search', 'support'],
      'metadata.attempt': [null, '1', '2', '3'],
      'errors.object': [null, 'list'],
      'errors.data.code': [
        null,
        'duplicate_custom_id',
        'empty_file',
        'invalid_json_line',
        'invalid_url',
        'missing_required_parameter',
        'token_limit_exceeded',
      ],
      'errors.data.param': [null, 'body.model', 'custom_id', 'url'],
    },
  ],
  ['checkpoint', { object: ['fine_tuning.job.checkpoint'] }],
  [
    'policy',
    {
      object: ['policy_rate_limits'],
      type: ['requests', 'tokens'],
      unit: ['rpd', 'rph', 'rpm'],
      value: [10, 100, 10_000, 100_000, 500, 500_000, 60, 60_000],
      'conditions.key': ['metadata.env', 'workspace_id'],
      'group_by.key': ['api_key', 'metadata._user', 'organisation_id', 'workspace_id'],
    },
  ],
];

test.each(values)('the values of a seeded %s', async (kind, expected) => {
  const at = await readAll(kind);
  const found = Object.keys(expected).map((path) => {
    const [set, known] = [new Set(at(path)), expected[path] ?? []];
    return [
      path,
      [...known.filter((one) => set.has(one)), ...[...set].filter((one) => !known.includes(one))],
    ];
  });
  expect(Object.fromEntries(found)).toEqual(expected);
});

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

test.each(ranges)('the numbers of a seeded %s', async (kind, expected) => {
  const at = await readAll(kind);
  for (const [path, [min, max]] of Object.entries(expected)) {
    const found = at(path).filter((value) => typeof value === 'number');
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

test.each(['run', 'batch', 'checkpoint', 'policy'] as const)(
  'how often a seeded %s has what',
  async (kind) => {
    const at = await readAll(kind);
    for (const [, path, isMeant, share] of shares.filter(([of]) => of === kind)) {
      const all = at(path);
      const found = Math.round((100 * all.filter(isMeant).length) / all.length);
      expect({ path, found, isNear: Math.abs(found - share) <= 8 }).toMatchObject({ isNear: true });
    }
  },
);

test('related fields of a seeded record are consistent', async () => {
  const { records } = open();
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
  const lists = (await open().records.batches.list()).flatMap(({ errors, endpoint }) =>
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
