import { expect, test } from 'vitest';
import { operations } from '../../core/scenario/scenario-schema.ts';
import { describeMiss } from './describe-miss.ts';

const miss = (path: string): string => describeMiss(operations, { path, method: 'GET' });

test.each(['/batches', '/v2/batches', '/api/v1/batches'])(
  'names the operation that %s was meant for, although it is not below /v1',
  (path) => {
    expect(miss(path)).toBe(
      `No operation has the path ${path}: every path starts with /v1/. The nearest is listBatches, GET /batches.`,
    );
  },
);

test('says that /v1 is in the base URL and in the path', () => {
  expect(miss('/v1/v1/batches')).toBe(
    'No operation has the path /v1/v1/batches: it has /v1 twice, perhaps in the base URL and in the path. The nearest is listBatches, GET /batches.',
  );
});

test.each([
  '/v1/chat/completions',
  '/v1/models',
  '/v2/embeddings',
  '/files/file_1/content',
  '/v1/batches/batch_1',
  '/v1/batches/batch_1/cancel',
  '/v1/threads/thread_1',
  '/v1/threads/thread_1/runs/run_1/submit_tool_outputs',
  '/v1/threads/thread_1/messages',
  '/v1/fine_tuning/jobs',
  '/v1/fine_tuning/jobs/ftjob_1/cancel',
  '/v1/prompts/prompt_1',
  '/v1/policies/rate-limits',
])('a well-known call that the contract does not have is no misspelt call: %s', (path) => {
  expect(miss(path)).toMatch(
    /\. The contract does not have this call\. Load a ready-made call \(gateway-mock\/calls\), add a call of your own \(defineCall\), or let a server forward the call to another server \(--upstream\)\.$|starts with \/v1\/\. The contract does not have this call/,
  );
  expect(miss('/v1/chats')).toContain('The nearest is');
});

test.each(['/v1', '', '*', '//'])('any path is answered: %s', (path) => {
  expect(miss(path)).toMatch(/^No operation has the path/);
});

test('a path of many segments is answered as quickly as any', () => {
  expect(miss(`/${'x/'.repeat(8000)}`)).toMatch(/^No operation has the path .{200}…: every/);
});
