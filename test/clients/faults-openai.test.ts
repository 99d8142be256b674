// The `openai` package as it is published, against faults over every transport: its retries, its end of patience, its time-out.
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isFull } from '../support/settings.ts';
import { allTransports, keys, shareOf, type Transport } from '../support/transports.ts';

const statusesOf = async ({ requests }: Transport['control']) =>
  (await requests.list({ operation: 'listBatches' })).map(({ status }) => status);

// Its own wait before a retry is half a second or more, so that a server's word is put in wherever one is possible.
// Where there is none, its own wait is waited for in full alone.
const withoutWaits = (client: OpenAI): OpenAI =>
  isFull ? client : Object.assign(client, { calculateDefaultRetryTimeoutMillis: () => 1 });

const soon = 'header.retry-after-ms=1';

/** With a socket and without: equal-bytes.test.ts tests that all transports send faults alike. */
const few = /^in process|direct way$|own setupServer$/;

const started = Object.entries(allTransports)
  .filter(([name]) => isFull || few.test(name))
  .map(([name, start], index) => ({ name, start, index }));

describe.each(started)('the openai client ($name)', ({ start, index }) => {
  const share = <const Case>(cases: readonly Case[]) => shareOf(cases, index, started.length);

  /** A gateway with these faults until the test ends, and a client of it. */
  const open = async (...faults: string[]) => {
    const { baseUrl, control, close } = await start({ faults });
    onTestFinished(close);
    const client = (maxRetries: number, timeout = 100_000) =>
      withoutWaits(
        new OpenAI({ baseURL: baseUrl, apiKey: 'unused', maxRetries, timeout, defaultHeaders: keys }),
      );
    return { ...control, client };
  };

  test.each(
    share([
      { faults: ['listBatches#1: 429 retry-after=0'], statuses: [429, 200] },
      { faults: [`listBatches#1-2: 503 ${soon}`], statuses: [503, 503, 200] },
      { faults: [`listBatches#1: 529 ${soon}`, `listBatches#2: html-error 502`], statuses: [529, 502, 200] },
      { faults: ['listBatches#1: reset'], statuses: [null, 200] },
      { faults: [`listBatches times=1: 500 ${soon}`, 'listBatches#2: delay 20ms'], statuses: [500, 200] },
    ]),
  )('recovers from $faults', async ({ faults, statuses }) => {
    const opened = await open(...faults);
    const page = await opened.client(2).batches.list({ limit: 3 });
    expect(page.data).toHaveLength(3);
    expect(await statusesOf(opened)).toEqual(statuses);
    expect(await opened.requests.count({ faulted: true })).toBeGreaterThanOrEqual(statuses.length - 1);
    const counts = (await opened.requests.list()).map(({ headers }) => headers['x-stainless-retry-count']);
    expect(counts).toEqual(statuses.map((_, retry) => String(retry)));
  });

  test.each(
    share([
      { fault: `listBatches: 503 ${soon}`, maxRetries: 2, error: OpenAI.InternalServerError },
      { fault: 'listBatches: reset', maxRetries: 1, error: OpenAI.APIConnectionError },
    ]),
  )('gives up on "$fault" after $maxRetries retries', async ({ fault, maxRetries, error }) => {
    const opened = await open(fault);
    await expect(opened.client(maxRetries).batches.list()).rejects.toThrow(error);
    expect(await opened.requests.count({ operation: 'listBatches' })).toBe(maxRetries + 1);
  });

  test.each(
    share([
      { fault: '401', error: OpenAI.AuthenticationError },
      { fault: '400 param=limit', error: OpenAI.BadRequestError },
      { fault: `503 header.x-should-retry=false`, error: OpenAI.InternalServerError },
    ]),
  )('does not try again after $fault', async ({ fault, error }) => {
    const opened = await open(`listBatches: ${fault}`);
    await expect(opened.client(2).batches.list()).rejects.toThrow(error);
    expect(await opened.requests.count()).toBe(1);
  });

  test('times out against a delay, and the call that it left is over', async () => {
    const opened = await open('listBatches: delay 60s');
    // On a busy machine the time may be over before the call is sent.
    do await expect(opened.client(0, 100).batches.list()).rejects.toThrow(OpenAI.APIConnectionTimeoutError);
    while ((await opened.requests.count()) === 0);
    const [left] = await opened.requests.wait();
    // Null while it is under way; how long it was is the client's clock, less the time to connect.
    await expect.poll(async () => (await opened.requests.list())[0]?.duration).toEqual(expect.any(Number));
    expect(left?.faults).toEqual(['listBatches: delay 60s']);
  });

  test.each(share(['malformed-json', 'truncated-json', 'hang-up']))('rejects on %s', async (kind) => {
    const opened = await open(`listBatches: ${kind}`);
    await expect(opened.client(0).batches.list()).rejects.toThrow(Error);
  });

  test('goes on with its pages after a failure in the middle of them', async () => {
    const opened = await open('listBatches#2: 429 retry-after=0', `listBatches#4: 503 ${soon}`);
    const seen: string[] = [];
    for await (const { id } of opened.client(2).batches.list({ limit: 50 })) seen.push(id);
    const walk = await opened.requests.walk('listBatches', { seen });
    expect(walk).toMatchObject({ calls: 5, stopped: true, exactlyOnce: true, records: 130 });
  });
});
