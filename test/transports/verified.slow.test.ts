// Every transport passes the checks of `verify`. The command line against a server: test/cli/verify-cli.test.ts.
import { expect, test } from 'vitest';
import { createHttpTarget } from '../../src/tools/conformance/client.ts';
import { runChecks } from '../../src/tools/conformance/run/run-checks.ts';
import type { CheckSamples } from '../../src/tools/conformance/types.ts';
import { describeTransports } from '../support/transports.ts';

const samples = {
  thread: 'thread_demo',
  otherThread: 'thread_small',
  job: 'ftjob_demo',
  policy: '11111111-1111-4111-8111-111111111111',
  archivedPolicy: '22222222-2222-4222-8222-222222222222',
  prompt: 'prompt_welcome',
  variables: { product: 'a product', language: 'a language', name: 'a name', question: 'a question' },
} satisfies CheckSamples & Record<Exclude<keyof CheckSamples, 'probePrompt'>, unknown>;

// All shipped scenarios, past every transport: test/conformance/verify.test.ts.
describeTransports('every check of the contract', {}, ({ baseUrl }) => {
  test('passes over HTTP', async () => {
    const report = await runChecks(createHttpTarget(baseUrl(), { apiKey: 'a', virtualKey: 'b' }, samples));
    const failed = report.results.filter(({ outcome }) => outcome === 'failed');
    expect([failed, report.unanswered]).toEqual([[], 0]);
    const left = report.results.filter(({ outcome }) => outcome === 'unchecked');
    expect(left.filter(({ check }) => !check.id.startsWith('assumed:'))).toEqual([]);
  });
});
