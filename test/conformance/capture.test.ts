import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { AccountSelection } from '../../src/tools/capture/account.ts';
import { capture } from '../../src/tools/capture/capture.ts';
import { toVerbatimTemplate } from '../../src/tools/capture/verbatim.ts';
import { captureKeys, captureScenario } from '../support/capture-account.ts';
import { openListener } from '../support/listen.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { callsOf, type WorldCall } from '../support/read-world.ts';
import { render } from '../support/render-text.ts';
import { tries, volume } from '../support/settings.ts';

/** Two in `npm test`, in full all of them. */
const some = <const Name>(...names: readonly Name[]): readonly Name[] =>
  names.slice(0, volume(names.length, 2));

/** The bodies of replies: of lists, all pages; of prompts, what a capture renders. */
const readAll = ({ send }: OpenGateway, calls: readonly WorldCall[]): readonly string[] =>
  calls.flatMap(({ path, body: rendered }) => {
    const bodies: string[] = [];
    for (let after = ''; ; ) {
      const sent = rendered && { variables: { name: 'Ada' } };
      const body = send({ path: `${path}${after}`, body: sent }).body ?? '';
      bodies.push(body);
      const { data, has_more } = JSON.parse(body);
      if (has_more !== true) return bodies;
      after = `&after=${encodeURIComponent(data.at(-1).id)}`;
    }
  });

describe('a capture with --raw', () => {
  test.each(
    some('default', 'lenient-answers', 'tied-timestamps', 'unicode', 'every-batch-status', 'training'),
  )('answers byte for byte as %s did', async (scenario) => {
    const { scenario: captured, notes } = await captureScenario(scenario, true);
    expect(notes).toEqual([]);
    const [before, after] = [openGateway({ scenario }), openGateway({ scenario: captured })];
    const calls = await callsOf(before.gateway);
    expect(readAll(after, calls)).toEqual(readAll(before, calls));
  });

  test.each([true, false])('allows the unknown statuses that it saw (raw: %s)', async (isRaw) => {
    const records = [{ id: 'a', status: 'succeeded' }];
    const assumptionsOf = async (given: Scenario) =>
      (await captureScenario(given, isRaw)).scenario.assumptions;
    const both = { 'run-states': 'any', 'batch-states': 'any' } as const;
    expect(await assumptionsOf({ assumptions: both, batches: { records } })).toEqual({
      'batch-states': 'any',
    });
    expect(await assumptionsOf({ assumptions: both, threads: { t: { records } } })).toEqual({
      'run-states': 'any',
    });
    expect(await assumptionsOf({ assumptions: both, batches: 1 })).toEqual({});
  });

  test('begins at the newest time of a record', async () => {
    const { scenario } = await captureScenario(
      { clock: { start: '2027-03-04T05:06:07Z' }, batches: { failed: 4 } },
      true,
    );
    const times = (scenario.batches as { records: { failed_at: number }[] }).records.map(
      (batch) => batch.failed_at,
    );
    expect(Date.parse(scenario.clock?.start ?? '') / 1000).toBe(Math.max(...times));
  });
});

/** Each text in a reply with the one that stands in its place, and all else, which must be the same. */
const pairTexts = (before: unknown, after: unknown, pairs: [string, string][], path: string): void => {
  if (typeof before === 'string' && typeof after === 'string') pairs.push([before, after]);
  else if (typeof before === 'object' && before !== null) {
    const [left, right] = [Object.entries(before), Object.entries(Object(after))];
    if (right.length !== left.length) expect(after, path).toEqual(before);
    for (const [at, [key, inner]] of left.entries())
      pairTexts(inner, right[at]?.[1], pairs, `${path}.${key}`);
  } else if (after !== before) expect(after, path).toEqual(before); // a hundred thousand times it takes seconds
};

describe('a capture', () => {
  test.each(some('every-batch-status', 'default', 'tied-timestamps', 'unicode'))(
    'answers as %s did but for texts, each replaced by the same one everywhere',
    async (scenario) => {
      const { scenario: captured } = await captureScenario(scenario, false);
      const [before, after] = [openGateway({ scenario }), openGateway({ scenario: captured })];
      // A scenario tells its parts in the order in which they were asked for, except policies.
      const read = async (opened: OpenGateway) =>
        readAll(
          opened,
          (await callsOf(opened.gateway)).filter(({ path }) => !path.startsWith('/policies')),
        );
      const [bodies, others] = [await read(before), await read(after)];
      expect(others.length).toBe(bodies.length);
      const pairs: [string, string][] = [];
      for (const [index, body] of bodies.entries())
        pairTexts(JSON.parse(body), JSON.parse(others[index] ?? ''), pairs, String(index));
      const map = new Map<string, string>();
      for (const [text, other] of pairs) {
        // Arguments are JSON in a text, whose keys stay.
        if (text.startsWith('{')) continue;
        if ((map.get(text) ?? other) !== other) expect([text, map.get(text)]).toEqual([text, other]);
        map.set(text, other);
      }
      expect(new Set(map.values()).size).toBe(map.size); // and different ones stay different
      for (const kept of ['list', 'thread.run', 'batch', 'completed', 'failed', 'gpt-4o'])
        if (map.has(kept)) expect(map.get(kept)).toBe(kept);
      for (const [text, other] of map)
        if (/^(run|batch|asst|thread|call|ftckpt)_/.test(text))
          expect(other).toMatch(new RegExp(`^${text.split('_')[0]}_\\d{4}$`));
    },
  );

  test('shows nothing of what may be secret, wherever an account has it', async () => {
    const { scenario } = await captureScenario(secretAccount, false, { variables: { name: 'SECRET Ada' } });
    const text = JSON.stringify(scenario);
    expect(text).not.toMatch(/secret/i);
    const kept = 'failed server_error function gpt-4o order_id metadata.team "/v1/embeddings" 24h';
    for (const word of kept.split(' ')) expect(text).toContain(word);
  });

  test('replaces an id alike where it stands by itself and within a text', async () => {
    const id = '12345678-1234-4234-8234-123456789abc';
    const { scenario } = await captureScenario(
      {
        threads: {
          thread_7: {
            records: [
              {
                id: 'run_7',
                metadata: {
                  from: 'run_7',
                  about: 'run_7 needs file-9 of bob@corp.com',
                  small: id,
                  large: id.toUpperCase(),
                },
              },
            ],
          },
        },
        batches: { seeded: 0, records: [{ id: 'batch_7', input_file_id: 'file-9' }] },
      },
      false,
    );
    const [run] = scenario.threads?.thread_0001?.records ?? [];
    expect(run).toMatchObject({
      id: 'run_0001',
      metadata: {
        from: 'run_0001',
        about: expect.stringMatching(/^text \d{4} run_0001 file-0001 user0001@example\.com$/),
        small: '00000000-0000-4000-8000-000000000001',
        large: '00000000-0000-4000-8000-000000000001',
      },
    });
    expect(scenario.batches).toMatchObject({ records: [{ id: 'batch_0001', input_file_id: 'file-0001' }] });
  });

  test('keeps the length and the lines of a text', async () => {
    const instructions = `${'word '.repeat(30)}\n${'word '.repeat(20)}end`;
    const { scenario } = await captureScenario(
      { threads: { thread_1: { records: [{ id: 'run_1', instructions }] } } },
      false,
    );
    const [run] = scenario.threads?.thread_0001?.records ?? [];
    expect(run?.instructions).toHaveLength(instructions.length);
    expect(run?.instructions?.indexOf('\n')).toBe(instructions.indexOf('\n'));
  });
});

/** Each part of an account with secrets. What is kept of each field: src/tools/capture/hide.test.ts. */
const secretAccount: Scenario = {
  threads: {
    'secret thread/1': {
      records: [
        {
          id: 'run_secret',
          assistant_id: 'asst_SECRET',
          status: 'requires_action',
          instructions: 'The SECRET plan.',
          metadata: { customer: 'SECRET', mail: 'secret@secret.org', nested: { deep: ['SECRET'] } },
          model: 'ft:gpt-4o:secret-org:secret-project:abc',
          tools: [
            {
              type: 'function',
              function: { name: 'secret_lookup', parameters: { properties: { order_id: {} } } },
            },
            { type: 'file_search', file_search: { vector_store_ids: ['vs_SECRET1'] } },
          ],
          tool_choice: 'secret_lookup',
          response_format: 'secret_format',
          truncation_strategy: { type: 'secret_strategy', last_messages: null },
        },
        {
          id: 'run_other',
          status: 'failed',
          last_error: { code: 'server_error', message: 'run_secret saw SECRET' },
        },
      ],
    },
  },
  batches: {
    seeded: 0,
    records: [
      {
        id: 'secret-batch',
        endpoint: '/v1/embeddings',
        status: 'failed',
        input_file_id: 'file-secret',
        metadata: { run_secret: 'SECRET' },
        errors: {
          object: 'secret_list',
          data: [{ code: 'bad_line', message: 'SECRET', param: 'SECRET', line: 3 }],
        },
      },
    ],
  },
  jobs: {
    'secret-job': {
      records: [{ id: 'ckpt SECRET', fine_tuned_model_checkpoint: 'ft:gpt-4o:secret:secret:x1:ckpt-step-5' }],
    },
  },
  policies: {
    records: [
      {
        id: '12345678-1234-4234-8234-123456789abc',
        name: 'SECRET',
        conditions: [{ key: 'metadata.team', value: 'SECRET' }],
      },
    ],
  },
  prompts: {
    'secret prompt': {
      parameters: { model: 'gpt-4o', user: 'SECRET', stop: 'SECRET', extra: { a: 'SECRET' } },
      messages: [{ role: 'system', content: 'SECRET for {{name}}', name: 'secret' }],
    },
  },
};

describe('a text that was rendered', () => {
  const tokens = '{{ }} { } {{{ }}} {{#a}} {{/a}} {{=<% %>=}} <% %> <%1 a = ! & > 🙂 日'.split(' ');
  const piece = fc.constantFrom(...tokens, '\n', '\r\n', ' ', '\t');

  test('renders to itself, whatever braces, lines and delimiters it has', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        for (const lines of ['kept', 'removed'] as const)
          expect(render(toVerbatimTemplate(text), {}, {}, lines).text).toBe(text);
      }),
      tries(2000),
    );
  });

  test('is left as it is where it has no tag', () => {
    expect(toVerbatimTemplate('{"a": {"b": 1}} <%')).toBe('{"a": {"b": 1}} <%');
  });

  test('of content parts, lists and tool calls is the same in a captured prompt, which sets the switch', async () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Dear {{name}}' },
          { type: 'image_url', image_url: { url: 'x:{{name}}' } },
        ],
      },
      { role: 'assistant', tool_calls: [{ id: 'call_1', function: { arguments: '{"a":"{{name}}"}' } }] },
    ];
    const parameters = { stop: ['a', 'b'] as unknown as string };
    const lenient = { 'hyperparameter-type': 'passed-through' } as const;
    const account = { assumptions: lenient, prompts: { p: { parameters, messages } } };
    const { scenario } = await captureScenario(account, true, { variables: { name: 'Ada' } });
    expect(scenario.assumptions).toEqual(lenient);
    const calls = [{ path: '/prompts/p/render', body: { variables: { name: 'Ada' } } }];
    expect(readAll(openGateway({ scenario }), calls)).toEqual(
      readAll(openGateway({ scenario: account }), calls),
    );
    const hidden = await captureScenario(account, false, { variables: { name: 'SECRET' } });
    expect(JSON.stringify(hidden.scenario)).toContain('"type":"image_url"');
    expect(JSON.stringify(hidden.scenario)).not.toContain('SECRET');
  });

  test('with null beside it is the same in a captured prompt, which sets the switch', async () => {
    const messages = [{ role: 'assistant', content: null, tool_calls: [] }];
    const assumptions = { 'hyperparameter-null': 'kept' } as const;
    const account = { assumptions, prompts: { p: { parameters: {}, messages } } };
    const { scenario } = await captureScenario(account, true);
    expect(scenario.assumptions).toEqual(assumptions);
    const [rendered = ''] = readAll(openGateway({ scenario }), [{ path: '/prompts/p/render', body: {} }]);
    expect(JSON.parse(rendered).data.messages).toEqual(messages);
  });

  test('that has braces is the same in a captured prompt', async () => {
    const value = '\n{{#not}} a tag {{/not}}\n<% %>';
    const { scenario } = await captureScenario(
      { prompts: { p: { messages: [{ role: 'user', content: 'I am {{name}}', name: 'n{{name}}' }] } } },
      true,
      { variables: { name: value } },
    );
    const [rendered = ''] = readAll(openGateway({ scenario }), [{ path: '/prompts/p/render', body: {} }]);
    expect(JSON.parse(rendered)).toMatchObject({
      data: { messages: [{ content: `I am ${value}`, name: `n${value}` }] },
    });
  });
});

describe('a gateway that is not this mock', () => {
  /** Captures the batches of a gateway that answers each call in this way. */
  const captureFrom = async (
    answer: (
      url: URL,
      calls: number,
    ) => { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> },
    wanted: Partial<AccountSelection> = {},
  ) => {
    let calls = 0;
    const url = await openListener((request, response) => {
      calls += 1;
      const { status = 200, body, headers = {} } = answer(new URL(request.url ?? '/', 'http://x'), calls);
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    const virtualKey = wanted.policy ? undefined : captureKeys.virtualKey; // without one, the batches are not read
    const target = { baseUrl: `${url}/v1`, ...captureKeys, virtualKey, rate: undefined };
    return { captured: capture(target, { maxRecords: 1000, ...wanted }, true), calls: () => calls };
  };
  const page = (data: readonly object[], has_more = false) => ({ body: { object: 'list', data, has_more } });
  const some = {
    id: 'batch_1',
    object: 'batch',
    created_at: 1_700_000_000,
    status: 'completed',
    endpoint: '/v1/embeddings',
  };

  test('may have fields that the contract does not, which are kept, and others of another type, which are left out', async () => {
    const { captured } = await captureFrom(() =>
      page([
        {
          ...some,
          cost: 5,
          constructor: 5,
          request_counts: { total: 1, completed: 1, failed: 0, cached: 1 },
          completion_window: 24,
          errors: null,
        },
      ]),
    );
    const { scenario, notes } = await captured;
    expect(scenario.assumptions).toEqual({ 'extra-fields': 'kept' });
    expect(scenario.batches).toMatchObject({
      records: [{ cost: 5, constructor: 5, request_counts: { cached: 1 } }],
    });
    const told = ['completion_window'].map(
      (field) => `batches: ${field} was left out: it is not in the contract, or has another type there.`,
    );
    const madeUp = ['completion_window', 'input_file_id'].map(
      (field) => `batches: ${field} is missing or invalid in some records. The mock fills it in.`,
    );
    expect(notes.toSorted()).toEqual([
      expect.stringContaining('null, and others missing'),
      expect.stringContaining('The assumption extra-fields keeps them'),
      ...[...told, ...madeUp].sort(),
    ]);
    const { getJson } = openGateway({ scenario });
    expect(getJson('/batches').data[0]).toMatchObject({ ...some, failed_at: null, output_file_id: null });
  });

  test('may leave out what does not apply, as the scenario then does', async () => {
    const { scenario } = await (await captureFrom(() => page([some]))).captured;
    expect(scenario.assumptions).toEqual({ 'absent-values': 'omitted' });
    expect(openGateway({ scenario }).getJson('/batches').data[0]).not.toHaveProperty('failed_at');
  });

  test('may have policies that allow less than one, and no groups: they are as they were', async () => {
    const id = '12345678-1234-4234-8234-123456789abc';
    const [time, zoned] = ['2026-01-15T12:00:00.000Z', '2026-01-15t14:00:00.000+02:00'];
    const account = { workspace_id: id, organisation_id: id };
    const policy = { id, type: 'requests', unit: 'rpm', value: 0.5, status: 'active', ...account };
    const { captured } = await captureFrom(
      () => ({ body: { ...policy, created_at: time, last_updated_at: zoned } }),
      { policy: [id] },
    );
    const { scenario, notes } = await captured;
    expect(notes).toEqual([]);
    expect(openGateway({ scenario }).getJson(`/policies/rate-limits/${id}`)).toEqual({
      ...policy,
      created_at: time,
      last_updated_at: time,
    });
  });

  test('may say that more follows an empty page, which is told', async () => {
    const { captured } = await captureFrom(() => page([], true));
    expect((await captured).notes).toEqual([
      expect.stringContaining('an empty page whose has_more was true'),
    ]);
  });

  test.each<[string, unknown, string]>([
    ['is cut there', `<html>${'x'.repeat(70)}${captureKeys.apiKey} etc`, captureKeys.apiKey.slice(0, 5)],
    ['stands in an error', { error: { message: `${'y'.repeat(290)}${captureKeys.apiKey}` } }, 'sk-live'],
    ['has its end shown', { error: { message: captureKeys.apiKey } }, captureKeys.apiKey.slice(-4)],
    ['controls a terminal', { error: { message: '\u001b[31mred\u202e' } }, '\u001b'],
  ])('may answer with what is not shown as it is: a text that %s', async (_what, body, hidden) => {
    const { captured } = await captureFrom(() => ({ status: 400, body }));
    const error = await captured.catch(String);
    expect(error).toMatch(/refused with 400|not JSON/);
    expect(error).not.toContain(hidden);
  });

  test('may have more than is wanted: the newest are taken', async () => {
    const { captured, calls } = await captureFrom(
      ({ searchParams }) => {
        const first = Number(searchParams.get('after')?.slice(6) ?? 1000);
        return page(
          Array.from({ length: 100 }, (_, at) => ({ ...some, id: `batch_${first - 1 - at}` })),
          true,
        );
      },
      { maxRecords: 150 },
    );
    const { size, notes } = await captured;
    expect([size, calls()]).toEqual([150, 2]);
    expect(notes).toContainEqual(expect.stringContaining('--max-records'));
  });

  test('may render a prompt without messages: it is left out, and does not count', async () => {
    const { captured } = await captureFrom(
      ({ pathname }) => (pathname.endsWith('render') ? { body: { data: { messages: [] } } } : page([some])),
      { prompt: ['p'] },
    );
    const { size, notes } = await captured;
    expect([size, notes]).toEqual([1, expect.arrayContaining([expect.stringContaining('no messages')])]);
  });

  test('is whole if a list has exactly --max-records', async () => {
    const records = [2, 1].map((at) => ({ ...some, id: `batch_${at}` }));
    const { size, notes } = await (await captureFrom(() => page(records, false), { maxRecords: 2 })).captured;
    expect([size, notes.filter((note) => note.includes('--max-records'))]).toEqual([2, []]);
  });

  test.each([
    ['an endless list of one page', () => page([some], true), 'repeat: the one after'],
    ['a page that is no list', () => ({ body: { data: 5 } }), 'not a list of records'],
    [
      'a record that nests without end',
      () => ({ body: `{"data":[{"id":"b","metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}` }),
      'is nested deeper than 500 levels',
    ],
    ['something that is no JSON', () => ({ body: '<html>' }), 'not JSON: "<html>"'],
    [
      'a redirect',
      () => ({ status: 302, body: {}, headers: { location: 'http://else.where/v1?key=1' } }),
      'a redirect to http://else.where/v1. Redirects',
    ],
    ['another success', () => ({ status: 201, body: {} }), 'GET /batches returned 201 in place of 200.'],
    [
      'a refusal',
      () => ({ status: 401, body: { error: { message: 'No such key' } } }),
      'refused with 401: "No such key". Check the keys.',
    ],
  ])('is reported if it answers %s', async (_what, answer, words) => {
    const { captured } = await captureFrom(answer);
    await expect(captured).rejects.toThrow(words);
  });
});
