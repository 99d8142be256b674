// The `openai` package as it is published, over every transport: what its pager and its error classes make of the replies.
import OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { isFull, volume } from '../support/settings.ts';
import { describeTransports, transports } from '../support/transports.ts';

const keyHeaders = { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v' };

// Created in each test: the client keeps the `fetch` that it finds when it is made.
const createClient = (baseURL: string, defaultHeaders: Record<string, string> = keyHeaders): OpenAI =>
  new OpenAI({ baseURL, apiKey: 'unused', maxRetries: 0, defaultHeaders });

const collectIds = async (items: AsyncIterable<{ readonly id: string }>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
};

type RunQuery = NonNullable<Parameters<OpenAI['beta']['threads']['runs']['list']>[1]>;

const listRuns = (client: OpenAI, thread: string, query: RunQuery = {}) =>
  client.beta.threads.runs.list(thread, query);

type List = (client: OpenAI, query: { limit?: number }) => AsyncIterable<{ readonly id: string }>;

const checkpointsOf =
  (job: string): List =>
  (client, query) =>
    client.fineTuning.jobs.checkpoints.list(job, query);

/** Each list, with how many records it has, and the smallest pages by which it is walked: 1 takes a call for each. */
const lists: readonly (readonly [title: string, list: List, count: number, smallest: number])[] = [
  ['a long list of runs', (client, query) => listRuns(client, 'thread_demo', query), 257, volume(1, 100)],
  ['a short list of runs', (client, query) => listRuns(client, 'thread_small', query), 6, 1],
  ['no runs', (client, query) => listRuns(client, 'thread_empty', query), 0, 1],
  ['batches', (client, query) => client.batches.list(query), 130, volume(1, 50)],
  ['checkpoints', checkpointsOf('ftjob_demo'), 41, volume(1, 40)],
  ['no checkpoints', checkpointsOf('ftjob_empty'), 0, 1],
];

/** With a socket and without: equal-bytes.test.ts tests that all transports answer alike. */
const two = Object.fromEntries(
  Object.entries(transports).filter(([name]) => isFull || /^in process|direct way$/.test(name)),
);

const describeClients: typeof describeTransports = (title, options, suite) =>
  describeTransports(title, options, suite, two);

describeClients('the pager of the openai client', {}, ({ baseUrl, share }) => {
  test.each(lists)(
    'walks each record once by pages of any size: %s',
    async (_title, list, count, smallest) => {
      const client = createClient(baseUrl());
      const ids = await collectIds(list(client, {}));
      expect([ids.length, new Set(ids).size]).toEqual([count, count]);
      for (const limit of isFull ? [smallest, 100] : [smallest])
        expect(await collectIds(list(client, { limit }))).toEqual(ids);
    },
  );

  test('walks runs in either order', async () => {
    const client = createClient(baseUrl());
    const oldestFirst = await collectIds(listRuns(client, 'thread_demo', { order: 'asc' }));
    expect(oldestFirst).toEqual((await collectIds(listRuns(client, 'thread_demo'))).toReversed());
  });

  describe.each(['asc', 'desc'] as const)('from a cursor, order %s', (order) => {
    test.each(
      share([
        { position: 0, limit: 20, expected: [0, 0] },
        { position: 20, limit: 20, expected: [0, 20] },
        { position: 100, limit: 20, expected: [80, 100] },
        { position: 256, limit: 100, expected: [156, 256] },
      ]),
    )('ends before item $position after the $limit items next to it', async (walk) => {
      const client = createClient(baseUrl());
      const all = await collectIds(listRuns(client, 'thread_demo', { limit: 100, order }));
      const query: RunQuery = { before: all[walk.position] ?? '', limit: walk.limit, order };
      const seen: string[] = [];
      let pages = 0;
      const first = await listRuns(client, 'thread_demo', query);
      for await (const page of first.iterPages()) {
        seen.push(...page.data.map(({ id }) => id));
        pages += 1;
        if (pages > 2) break; // a pager that goes round in circles would never return
      }
      expect(seen).toEqual(all.slice(...walk.expected));
      expect(pages).toBeLessThanOrEqual(2);
    });
  });
});

/** What a call of the client was rejected with. */
const catchError = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('The call was expected to be refused.');
};

const scenario: Scenario = {
  keys: { limited: { 'batches-only': ['listBatches'] } },
  assumptions: { 'beta-header': 'required' },
  threads: { thread_small: { runs: 3 } },
  batches: 5,
};

describeClients('the openai client where a key is limited', { scenario }, ({ baseUrl }) => {
  test('throws a PermissionDeniedError for an operation outside of the key', async () => {
    const client = createClient(baseUrl(), { ...keyHeaders, 'x-gateway-api-key': 'batches-only' });
    expect(await collectIds(client.batches.list({ limit: 2 }))).toHaveLength(5);
    const error = await catchError(listRuns(client, 'thread_small'));
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, code: '033', param: null, type: 'permission_error' });
    expect(error).toMatchObject({
      message: expect.stringMatching(/^403 This API key may not call listRuns/),
      requestID: expect.stringMatching(/^req_[0-9a-f]{24}$/),
    });
  });

  test('lists runs where the beta header is required, since the client sends it', async () => {
    expect(await collectIds(listRuns(createClient(baseUrl()), 'thread_small'))).toHaveLength(3);
  });
});

describeClients('a prompt rendered through the openai client', {}, ({ baseUrl }) => {
  test('is a body that chat.completions.create sends on unchanged', async () => {
    const variables = { product: 'Gateway', name: 'Ada', language: 'English', question: 'Why "$&"?' };
    const { success, data } = await createClient(baseUrl()).post<{
      success: boolean;
      data: ChatCompletionCreateParamsNonStreaming;
    }>('/prompts/prompt_welcome/render', { body: { variables, temperature: 0.1 } });
    expect(success).toBe(true);

    const sent: unknown[] = [];
    const provider = new OpenAI({
      baseURL: 'http://provider.test/v1',
      apiKey: 'unused',
      fetch: async (_url, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return Response.json({});
      },
    });
    await provider.chat.completions.create(data);
    const content = 'You welcome new users of Gateway. Answer in English, in at most three sentences.';
    expect(sent).toEqual([
      {
        model: 'gpt-4o-mini',
        temperature: 0.1,
        max_tokens: 400,
        messages: [
          { role: 'system', content },
          { role: 'user', content: 'Hello, I am Ada. Why "$&"?' },
        ],
      },
    ]);
  });
});
