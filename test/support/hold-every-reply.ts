// Every test file loads this first: whatever transport a test uses, its replies come out of `answer`, and each is held
// against the contract there. A test cannot leave it out. One that fails tells the last calls that it made, too.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Call, Reply } from '../../src/core/protocol/call.ts';
import type { AnswerContext } from '../../src/service/gateway/find.ts';
import { deviations, findDeviations, isChosen } from './deviations.ts';
import { noteCall, sectionOf, takeLastCalls } from './last-calls.ts';

vi.mock('../../src/service/gateway/answer.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/service/gateway/answer.ts')>();
  const hold = ({ sessions }: AnswerContext, call: Call, reply: Reply): Reply => {
    noteCall(call, reply);
    const found = findDeviations({
      method: call.method,
      path: call.path,
      status: reply.status,
      header: (name) => reply.headers[name],
      body: call.method === 'HEAD' ? null : reply.body,
    });
    const name = reply.headers['x-mock-session'] ?? 'default';
    const choices = () => sessions.open(name).session.state.world.assumptions.chosen();
    deviations.push(
      ...found
        .filter((deviation) => !isChosen(deviation, choices))
        .map((deviation) => `${deviation}\n  held against the contract's section ${sectionOf(call.path)}`),
    );
    return reply;
  };
  const answer: typeof original.answer = (source, call) => {
    const reply = original.answer(source, call);
    return 'wait' in reply ? reply : hold(source, call, reply); // another server's, or of an own call
  };
  return { ...original, answer };
});

beforeEach(({ onTestFailed, task }) => {
  takeLastCalls(); // those of the test before, and of what this one's file prepared
  onTestFailed(() => {
    const calls = takeLastCalls();
    const [error] = task.result?.errors ?? [];
    if (error === undefined || calls === '') return;
    // What is printed is the stack where it begins with the message.
    const told = `${error.message}\n\nThe last calls of this test:\n\n${calls}\n`;
    if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => told);
    error.message = told;
  });
});

afterEach(() => {
  expect(
    deviations.splice(0),
    'each reply keeps to the contract, or to what test/support/deviations.ts says of errors',
  ).toEqual([]);
});
