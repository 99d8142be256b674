import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openServer } from '../support/open-gateway.ts';
import { policy, scenarioUnder } from '../support/quota-scenarios.ts';
import { keys } from '../support/transports.ts';

test('the openai client sees a RateLimitError, and waits for a second at the most', async () => {
  const server = await openServer({ scenario: scenarioUnder(policy(1, { unit: 'rpd', value: 1 })) });
  const client = new OpenAI({
    baseURL: server.baseUrl,
    apiKey: 'unused',
    maxRetries: 1,
    defaultHeaders: keys,
  });
  expect((await client.batches.list()).data).toHaveLength(3);
  const started = performance.now();
  const error: unknown = await client.batches.list().catch((reason: unknown) => reason);
  expect(performance.now() - started).toBeLessThan(20_000); // and not for half a day
  expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' });
  expect(await server.requests.count({ status: 429 })).toBe(2);
  await server.clock.advance('12h');
  expect((await client.batches.list()).data).toHaveLength(3);
});
