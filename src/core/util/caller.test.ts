import { expect, test } from 'vitest';
import { blameCaller } from './caller.ts';

const deeper = (levels: number, thrown: unknown): void => {
  if (levels > 0) deeper(levels - 1, thrown);
  else throw thrown;
};

/** The stack of what a call rejects with, from its first frame. */
const framesOf = async (rejected: Promise<unknown>): Promise<string> => {
  const error = await rejected.catch((reason: unknown) => reason);
  return error instanceof Error ? String(error.stack).replace(/^.*?\n {4}at /s, '') : '';
};

test('an error begins with the line that called the method, however deep it was thrown', async () => {
  const fail = blameCaller(async (message: string) => deeper(30, new Error(message)));
  const callIt = () => fail('two\nlines');
  expect(await framesOf(callIt())).toMatch(/^callIt \(/);
  await expect(callIt()).rejects.toThrow('two\nlines');
});

test('an error that comes later does so, too', async () => {
  const fail = blameCaller(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    deeper(2, new Error('late'));
  });
  const callIt = () => fail();
  expect(await framesOf(callIt())).toMatch(/^callIt \(/);
});

test('the error of a bug keeps its stack, and what is no error stays as it is', async () => {
  const fail = blameCaller(async (thrown: unknown) => deeper(2, thrown));
  const bug = new TypeError('x is undefined');
  const { stack } = bug;
  await expect(fail(bug)).rejects.toBe(bug);
  expect(bug.stack).toBe(stack);
  await expect(fail('a text')).rejects.toBe('a text');
});

test('the reason of a signal among the arguments keeps its stack', async () => {
  const reason = new Error('the user left');
  const { stack } = reason;
  const wait = blameCaller(async (_what: unknown, { signal }: { signal: AbortSignal }) =>
    deeper(2, signal.reason),
  );
  await expect(wait({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(reason.stack).toBe(stack);
});
