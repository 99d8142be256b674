// Every test file loads this first (.config/vitest.config.js): whatever face a test uses, its replies come out of `execute`,
// and each is held against the contract there. A test cannot leave it out.
import { afterEach, expect, vi } from 'vitest';
import { deviations, findDeviations } from './deviations.ts';

vi.mock('../../src/gateway/execute.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/gateway/execute.ts')>();
  const execute: typeof original.execute = (served, call) => {
    const reply = original.execute(served, call);
    deviations.push(
      ...findDeviations({
        method: call.method,
        path: call.path,
        status: reply.status,
        header: (name) => reply.headers[name],
        body: call.method === 'HEAD' ? null : reply.body,
      }),
    );
    return reply;
  };
  return { ...original, execute };
});

afterEach(() => {
  expect(deviations.splice(0)).toEqual([]);
});
