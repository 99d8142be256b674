// A gateway that asks for a pause gets it, within a bound.
import { expect, test } from 'vitest';
import { createHttpTarget } from '../../src/tools/conformance/client.ts';
import type { CheckTarget } from '../../src/tools/conformance/types.ts';
import { openListener } from '../support/listen.ts';

const batches = { method: 'GET', path: '/batches' } as const;

/** A gateway that refuses so many calls, and what is seen of it. */
const openBusy = async (refusals: number, retryAfter: string, status = 429) => {
  const seen = { calls: 0, waits: [] as number[] };
  const url = await openListener((_request, response) => {
    seen.calls += 1;
    if (seen.calls <= refusals) response.writeHead(status, { 'retry-after': retryAfter });
    response.end('{}');
  });
  const abort = new AbortController();
  const openTarget = (onWait?: () => void): CheckTarget =>
    createHttpTarget(
      url,
      { apiKey: 'any' },
      {},
      {
        signal: abort.signal,
        onWait: (milliseconds) => {
          seen.waits.push(milliseconds);
          onWait?.();
        },
      },
    );
  return { seen, abort, openTarget };
};

test.each([
  ['seconds', '0.02', 429, 20],
  ['no seconds', '0', 503, 0],
  ['a time that has passed', 'Thu, 01 Jan 2026 00:00:00 GMT', 429, 0],
])('a call that is refused with %s is sent again after them: %s, %i', async (_what, asked, status, wait) => {
  const { seen, openTarget } = await openBusy(2, asked, status);
  expect(await openTarget().call(batches)).toMatchObject({ status: 200, waits: 2 });
  expect(seen).toEqual({ calls: 3, waits: [wait, wait] });
});

test('a gateway that always refuses is asked six times, and its refusal is the reply', async () => {
  const { seen, openTarget } = await openBusy(100, '0');
  expect(await openTarget().call(batches)).toMatchObject({ status: 429, waits: 5 });
  expect(seen.calls).toBe(6);
});

test.each([
  ['text', 'soon', 429],
  ['nothing', ' ', 429],
  ['seconds, but for an error of another kind', '0', 500],
])('a refusal with %s is not waited for', async (_what, asked, status) => {
  const { seen, openTarget } = await openBusy(1, asked, status);
  expect(await openTarget().call(batches)).toMatchObject({ status, waits: 0 });
  expect(seen).toEqual({ calls: 1, waits: [] });
});

test('an hour is cut to 30 seconds, and Ctrl-C ends them', async () => {
  const { seen, abort, openTarget } = await openBusy(1, '3600');
  const target = openTarget(() => abort.abort());
  await expect(target.call(batches)).rejects.toThrow();
  expect(seen).toEqual({ calls: 1, waits: [30_000] });
});
