// The ready-made calls by older clients, and aimock behind a gateway, as docs/flows.md prints it: packages that only this test installs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenAI as OpenAIClient } from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { batches, chat, jobs, runs } from '../../src/calls.ts';
import { startServer } from '../../src/server.ts';
import { createGateway } from '../../src/service/gateway/create-gateway.ts';
import { runNpm } from '../support/package-file.ts';
import { blocksOf } from '../support/printed-blocks.ts';
import { keys } from '../support/transports.ts';

const home = mkdtempSync(join(tmpdir(), 'gateway-mock-flows-'));
const calls = [...runs, ...batches, ...jobs, ...chat];

beforeAll(async () => {
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  const packages = ['openai-4@npm:openai@4', 'openai-5@npm:openai@5', '@copilotkit/aimock@1'];
  await runNpm(['install', '--no-audit', '--no-fund', ...packages], { cwd: home });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A client of an older version; what it has in common with the installed one has its types. */
const openClient = async (version: string, options: object) => {
  const file = join(home, 'node_modules', `openai-${version}`, 'index.mjs');
  const { OpenAI } = await import(pathToFileURL(file).href);
  return new OpenAI({ apiKey: 'unused', defaultHeaders: keys, ...options }) as OpenAIClient;
};

const starts = {
  'in process': async () => {
    const gateway = createGateway({ calls });
    return { control: gateway, options: { baseURL: 'http://gateway.test/v1', fetch: gateway.fetch } };
  },
  'over HTTP': async () => {
    const server = await startServer({ calls });
    onTestFinished(server.close);
    return { control: server, options: { baseURL: server.baseUrl } };
  },
};

const readText = async (stream: AsyncIterable<{ choices: { delta: { content?: string | null } }[] }>) => {
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  return text;
};

describe.each(['4', '5'])('openai %s', (version) => {
  const faults = ['', 'times=1: delay 20ms', 'times=1: 503 header.retry-after-ms=1'];

  test.each(
    Object.entries(starts).flatMap(([name, start]) => faults.map((fault) => [name, fault, start] as const)),
  )('uses the ready-made calls %s, also under the fault %s', async (_name, fault, start) => {
    const { control, options } = await start();
    const client = await openClient(version, options);
    if (fault !== '') await control.faults.add(...calls.map(({ id }) => `${id} ${fault}`));
    await control.clock.run(1000);

    const { runs } = client.beta.threads;
    const [thread_id, polling] = ['thread_demo', { pollIntervalMs: 5 }];
    const run = await runs.createAndPoll(thread_id, { assistant_id: 'asst_1' }, polling);
    expect(run.status).toBe('completed');
    const { id } = await runs.create(thread_id, { assistant_id: 'asst_1' });
    const waiting = await control.records.runs.setStatus(id, 'requires_action', { ends: 'requires_action' });
    const outputs = waiting.required_action?.submit_tool_outputs.tool_calls.map((call) => call.id) ?? [];
    const tool_outputs = outputs.map((tool_call_id) => ({ tool_call_id, output: '42' }));
    // In version 4, the ids stand before the body.
    const submit = runs.submitToolOutputsAndPoll.bind(runs) as (...args: unknown[]) => Promise<typeof run>;
    const args = version === '4' ? [thread_id, id, { tool_outputs }] : [id, { thread_id, tool_outputs }];
    expect((await submit(...args, polling)).status).toBe('completed');

    await control.clock.freeze();
    const batch = await client.batches.create({
      endpoint: '/v1/chat/completions',
      input_file_id: 'file_1',
      completion_window: '24h',
    });
    expect(await client.batches.retrieve(batch.id)).toEqual(batch);
    expect((await client.batches.cancel(batch.id)).status).toBe('cancelling');

    const [job] = (await client.fineTuning.jobs.list({ limit: 1 })).data;
    expect(await client.fineTuning.jobs.retrieve(job?.id ?? '')).toEqual(job);

    const messages = [{ role: 'user', content: 'Hi' }] as const;
    const body = { model: 'm', messages: [...messages] };
    const completion = await client.chat.completions.create(body);
    expect(completion.choices[0]?.message.content).toBe('You said: Hi');
    const stream = () => client.chat.completions.create({ ...body, stream: true });
    expect(await readText(await stream())).toBe('You said: Hi');
    await control.faults.clear();
    await control.faults.add('createChatCompletion: hang-up');
    await expect(stream().then(readText)).rejects.toThrow();
  });
});

test('aimock answers completions behind a gateway, and one journal has both', async () => {
  const { text = '' } = blocksOf('').find((block) => block.text.includes('llmock')) ?? {};
  const [, fixtures = '', args = ''] =
    /^echo '(.*)' > fixtures\.json\n.*llmock --port \d+ (.*)\n/.exec(text) ?? [];
  writeFileSync(join(home, 'fixtures.json'), fixtures);
  const program = join(home, 'node_modules/@copilotkit/aimock/dist/cli.js');
  const aimock = spawn(process.execPath, [program, '--port', '0', ...args.split(' ')], { cwd: home });
  onTestFinished(() => void aimock.kill());
  let output = '';
  let url: string | undefined;
  while (url === undefined) {
    output += String((await once(aimock.stdout, 'data'))[0]);
    [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
  }
  const server = await startServer({ upstream: `${url}/v1` });
  onTestFinished(server.close);
  const client = await openClient('5', { baseURL: server.baseUrl });
  const rendered: { data: OpenAIClient.ChatCompletionCreateParamsNonStreaming } = await client.post(
    '/prompts/prompt_welcome/render',
    { body: { variables: { name: 'Ada' } } },
  );
  const stream = await client.chat.completions.create({ ...rendered.data, stream: true });
  expect(await readText(stream)).toBe('Hello!');
  const requests = await server.requests.list();
  expect(requests.map(({ path, upstream }) => [path, upstream])).toEqual([
    ['/v1/prompts/prompt_welcome/render', null],
    ['/v1/chat/completions', `${url}/v1`],
  ]);
});
