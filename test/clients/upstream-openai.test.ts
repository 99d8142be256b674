// The `openai` package calls the gateway for what it serves, and another server behind it for chat completions.
import express from 'express';
import OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { expect, test } from 'vitest';
import { openListener } from '../support/listen.ts';
import { openServer } from '../support/open-gateway.ts';

/** A mock of chat completions, which answers with the last message. */
const openChat = (): Promise<string> => {
  const app = express();
  app.post('/v1/chat/completions', express.json(), ({ body }, response) => {
    const content = `You said: ${body.messages.at(-1).content}`;
    if (!body.stream) {
      response.json({
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content } }],
      });
      return;
    }
    response.type('text/event-stream');
    for (const word of content.split(/(?= )/))
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: word } }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  return openListener(app);
};

test('a rendered prompt is sent on, whole and as a stream, under the same base URL', async () => {
  const server = await openServer({ upstream: await openChat() });
  const client = new OpenAI({
    baseURL: server.baseUrl,
    apiKey: 'unused',
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' },
  });
  const { data } = await client.post<{ data: ChatCompletionCreateParamsNonStreaming }>(
    '/prompts/prompt_welcome/render',
    { body: { variables: { name: 'Ada' } } },
  );
  const last = data.messages.at(-1)?.content;
  expect(last).toContain('Ada');
  const completion = await client.chat.completions.create({ ...data, stream: false });
  expect(completion.choices[0]?.message.content).toBe(`You said: ${last}`);

  let text = '';
  for await (const chunk of await client.chat.completions.create({ ...data, stream: true }))
    text += chunk.choices[0]?.delta.content;
  expect(text).toBe(`You said: ${last}`);

  expect((await client.batches.list()).data.length).toBeGreaterThan(0);
  const asked = await server.requests.list();
  expect(asked.map(({ operation, upstream }) => operation ?? upstream)).toEqual([
    'renderPrompt',
    expect.stringMatching(/^http:.*\/v1$/),
    expect.stringMatching(/^http:.*\/v1$/),
    'listBatches',
  ]);
});
