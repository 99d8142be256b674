// The calls of `gateway-mock/calls`, as the `openai` package makes them, over every transport.
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { batches, chat, createChat, jobs, runs } from '../../src/calls.ts';
import { isFull } from '../support/settings.ts';
import { allTransports, keys } from '../support/transports.ts';

const few = /^in process|direct way$/;
const started = Object.entries(allTransports).filter(([name]) => isFull || few.test(name));

const soon = 'header.retry-after-ms=1';

/** What each call has to survive, beside no fault at all. */
const faults = [undefined, 'times=1: delay 20ms', `times=1: 503 ${soon}`] as const;

describe.each(started)('the openai client (%s)', (_name, start) => {
  const open = async (calls = [...runs, ...batches, ...jobs, ...chat]) => {
    const { baseUrl, control, close } = await start({ calls });
    onTestFinished(close);
    const client = new OpenAI({ baseURL: baseUrl, apiKey: 'unused', maxRetries: 2, defaultHeaders: keys });
    return { client, ...control, runs: client.beta.threads.runs };
  };
  const thread = { thread_id: 'thread_demo' };

  test.each(faults)('creates and polls a run, and submits the outputs of its tools (%s)', async (fault) => {
    const { runs, clock, records, faults, requests } = await open();
    const calls = ['createRun', 'retrieveRun', 'submitToolOutputs'];
    if (fault !== undefined) await faults.add(...calls.map((call) => `${call} ${fault}`));
    await clock.run(1000);
    const options = { pollIntervalMs: 5 };
    const run = await runs.createAndPoll(
      thread.thread_id,
      { assistant_id: 'asst_1', metadata: { a: 'b' }, response_format: { type: 'json_object' } },
      options,
    );
    expect(run).toMatchObject({ status: 'completed', assistant_id: 'asst_1', metadata: { a: 'b' } });
    expect((await runs.list(thread.thread_id, { limit: 1 })).data).toEqual([run]);

    const tools = ['add', 'double'].map((name) => ({ type: 'function' as const, function: { name } }));
    const { id } = await runs.create(thread.thread_id, { assistant_id: 'asst_1', tools });
    await records.runs.setStatus(id, 'requires_action', { ends: 'requires_action' });
    const waiting = await runs.poll(id, thread, options);
    const tool_outputs = waiting.required_action?.submit_tool_outputs.tool_calls.map((call) => ({
      tool_call_id: call.id,
      output: '42',
    }));
    expect(tool_outputs).toHaveLength(2);
    await expect(runs.submitToolOutputs(id, { ...thread, tool_outputs: [] })).rejects.toThrow(
      'Expected tool outputs',
    );
    const done = await runs.submitToolOutputsAndPoll(
      id,
      { ...thread, tool_outputs: tool_outputs?.toReversed() ?? [] },
      options,
    );
    expect(done.status).toBe('completed');
    await expect(runs.submitToolOutputs(id, { ...thread, tool_outputs: [] })).rejects.toThrow(
      'Runs in status "completed" do not accept tool outputs.',
    );
    expect(await requests.count({ status: 503 })).toBe(fault?.includes('503') ? calls.length : 0);
    expect((await requests.list({ operation: 'createRun', status: 200 }))[0]?.assumptions).toContain(
      'own-call',
    );
  });

  test('cancels a run, and refuses what cannot be', async () => {
    const { runs, clock } = await open();
    const { id } = await runs.create(thread.thread_id, { assistant_id: 'asst_1' });
    expect((await runs.cancel(id, thread)).status).toBe('cancelling');
    await clock.advance('1m');
    expect((await runs.retrieve(id, thread)).status).toBe('cancelled');
    await expect(runs.cancel(id, thread)).rejects.toThrow("Cannot cancel run with status 'cancelled'.");
    await expect(runs.retrieve(id, { thread_id: 'thread_other' })).rejects.toThrow('No run found');
    await expect(runs.create('thread_none', { assistant_id: 'a' })).rejects.toThrow(
      "No thread found with id 'thread_none'.",
    );
    await expect(runs.create(thread.thread_id, {} as never)).rejects.toThrow(
      "Missing required parameter: 'assistant_id'.",
    );
    await expect(runs.create(thread.thread_id, { assistant_id: 'a', stream: true })).rejects.toThrow(
      'no stream of events',
    );
  });

  test.each(faults)('creates, retrieves and cancels a batch (%s)', async (fault) => {
    const { client, clock, faults } = await open();
    if (fault !== undefined)
      await faults.add(...['createBatch', 'retrieveBatch', 'cancelBatch'].map((call) => `${call} ${fault}`));
    const body = {
      endpoint: '/v1/chat/completions',
      input_file_id: 'file_1',
      completion_window: '24h',
    } as const;
    const batch = await client.batches.create(body);
    expect(batch).toMatchObject({ ...body, status: 'validating' });
    expect(await client.batches.retrieve(batch.id)).toEqual(batch);
    await clock.advance('1h');
    expect((await client.batches.retrieve(batch.id)).status).toBe('completed');
    await expect(client.batches.cancel(batch.id)).rejects.toThrow(
      "Cannot cancel a batch with status 'completed'.",
    );
    const second = await client.batches.create(body);
    expect((await client.batches.cancel(second.id)).status).toBe('cancelling');
    await clock.advance('1h');
    expect((await client.batches.retrieve(second.id)).status).toBe('cancelled');
    await expect(client.batches.retrieve('batch_none')).rejects.toThrow('No batch found');
  });

  test.each(faults)('lists and retrieves fine-tuning jobs (%s)', async (fault) => {
    const { client, faults, records } = await open();
    if (fault !== undefined) await faults.add(`listJobs ${fault}`, `retrieveJob ${fault}`);
    const { jobs } = client.fineTuning;
    const ids = [];
    for await (const job of jobs.list({ limit: 1 })) ids.push(job.id);
    expect(ids).toEqual((await records.jobs.list()).map(({ id }) => id));
    const [last] = (await jobs.checkpoints.list('ftjob_demo', { limit: 1 })).data;
    expect(await jobs.retrieve('ftjob_demo')).toMatchObject({
      object: 'fine_tuning.job',
      status: 'succeeded',
      fine_tuned_model: last?.fine_tuned_model_checkpoint,
      finished_at: last?.created_at,
    });
    await expect(jobs.retrieve('ftjob_none')).rejects.toThrow('Could not find fine tune');
  });

  const messages = [{ role: 'user', content: 'Is anybody here?' }] as const;

  test.each(faults)('completes a chat, as JSON and as a stream (%s)', async (fault) => {
    const { client, faults } = await open();
    if (fault !== undefined) await faults.add(`createChatCompletion ${fault}`);
    const completion = await client.chat.completions.create({ model: 'm', messages: [...messages] });
    const content = 'You said: Is anybody here?';
    expect(completion.choices[0]).toMatchObject({ message: { content }, finish_reason: 'stop' });
    expect(completion.usage).toEqual({ prompt_tokens: 4, completion_tokens: 7, total_tokens: 11 });
    if (fault !== undefined) await faults.add(`createChatCompletion ${fault}`);
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: [...messages],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let usage: unknown;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
      if (chunk.usage) expect(chunk.choices).toEqual([]);
    }
    expect([text, usage]).toEqual([content, completion.usage]);
  });

  test('sees a stream that is cut, and says what a test wants', async () => {
    const { client, faults, requests } = await open([
      ...createChat({ replies: ['One two three.', 'Last.'] }),
    ]);
    await faults.add('createChatCompletion#1: hang-up');
    const send = () => client.chat.completions.create({ model: 'm', messages: [...messages], stream: true });
    const read = async () => {
      let text = '';
      for await (const chunk of await send()) text += chunk.choices[0]?.delta.content ?? '';
      return text;
    };
    await expect(read()).rejects.toThrow();
    expect(await read()).toBe('One two three.');
    expect((await requests.list()).map(({ outcome }) => outcome)).toEqual(['cut', 'sent']);
    const next = [...messages, { role: 'assistant', content: 'One two three.' }, ...messages] as const;
    const { choices, usage } = await client.chat.completions.create({ model: 'm', messages: [...next] });
    expect([choices[0]?.message.content, usage?.completion_tokens]).toEqual(['Last.', 2]);
  });

  test('reads a stream of many pieces, of which Node has no warning', async () => {
    const { client } = await open([...createChat({ replies: ['word '.repeat(20)] })]);
    const warn = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warn.mockRestore());
    let count = 0;
    for await (const _ of await client.chat.completions.create({
      model: 'm',
      messages: [...messages],
      stream: true,
    }))
      count += 1;
    expect([count, warn.mock.calls]).toEqual([22, []]);
  });
});
