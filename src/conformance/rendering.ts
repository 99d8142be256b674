// A prompt is rendered as the contract states (Endpoints, 1).

import { hyperparametersSchema, renderPromptContract } from '../operations/render-prompt/contract.ts';
import { isMapping } from '../util/mapping.ts';
import { ask, fieldOf, parseReply, readObject, renderCall } from './calls.ts';
import {
  type Check,
  type CheckCall,
  type CheckFinding,
  type CheckTarget,
  describeCall,
  failed,
  formatValue,
  NotCheckable,
} from './check.ts';
import { findMismatches } from './mismatches.ts';
import { renderTexts, sentMessages, sentParameters } from './renderings.ts';
import { inspectBodies } from './replies.ts';
import { findTexts } from './texts.ts';

const { section } = renderPromptContract;

/** Values that gateways drop if they treat 0 and false as absent; and for each, a value that they keep. */
const zeroValues: Readonly<Record<string, readonly [zero: unknown, other: unknown]>> = {
  temperature: [0, 0.25],
  top_p: [0, 0.5],
  presence_penalty: [0, 0.5],
  frequency_penalty: [0, -0.5],
  seed: [0, 7],
  logprobs: [false, true],
  parallel_tool_calls: [false, true],
};

const pick = (at: 0 | 1): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(zeroValues).map(([name, values]) => [name, values[at]]));

async function* checkZeroValues(target: CheckTarget): AsyncGenerator<CheckFinding> {
  const { samples } = target;
  const others = fieldOf(await readObject(target, renderCall(samples, pick(1))), 'data');
  const call = renderCall(samples, pick(0));
  const zeros = fieldOf(await readObject(target, call), 'data');
  for (const [name, [zero, other]] of Object.entries(zeroValues)) {
    const found = fieldOf(zeros, name);
    if (fieldOf(others, name) === other && found !== zero)
      yield failed(
        `${describeCall(call)} with ${name} ${formatValue(zero)}`,
        `data.${name} ${formatValue(zero)}, since ${formatValue(other)} is returned`,
        `data.${name} ${formatValue(found)}`,
        name,
      );
  }
}

async function* checkSystemMessage(target: CheckTarget): AsyncGenerator<CheckFinding> {
  await renderTexts(target, target.samples.variables);
  const call = renderCall(target.samples, { messages: sentMessages });
  const texts = findTexts(fieldOf(fieldOf(await readObject(target, call), 'data'), 'messages'));
  const [system, user] = sentMessages;
  if (!texts.includes(user.content))
    throw new NotCheckable('the target ignores sent messages: see assumed:root-messages.');
  if (!texts.includes(system.content))
    yield failed(
      `${describeCall(call)} with messages`,
      'messages with the sent system message',
      formatValue(texts.join(' ')),
    );
}

function* findUnsuited(call: CheckCall, reply: unknown): Generator<CheckFinding> {
  const request = describeCall(call);
  const success = fieldOf(reply, 'success');
  const messages = fieldOf(fieldOf(reply, 'data'), 'messages');
  if (success !== true) yield failed(request, 'success true', `success ${formatValue(success)}`, 'success');
  if (!Array.isArray(messages) || messages.length === 0)
    yield failed(
      request,
      'at least one message in data.messages',
      `messages ${formatValue(messages)}`,
      'messages',
    );
}

export const renderingChecks: readonly Check[] = [
  {
    id: 'render-body',
    section,
    description: 'success is true, and data is a valid body for a chat-completion call: it has messages.',
    needs: ['prompt'],
    async *run(target) {
      const call = renderCall(target.samples);
      yield* findUnsuited(call, await readObject(target, call));
    },
    inspect: inspectBodies(
      (samples) => [renderCall(samples)],
      (body, call) => findUnsuited(call, body),
    ),
  },
  {
    id: 'render-system-message',
    section,
    description: 'The reply contains the system message of the request.',
    needs: ['prompt'],
    run: checkSystemMessage,
  },
  {
    id: 'render-hyperparameters',
    section,
    description:
      'Hyperparameters at the root of the body are accepted, and those in data have the types of the contract.',
    needs: ['prompt'],
    async *run(target) {
      const call = renderCall(target.samples, sentParameters);
      const data = fieldOf(await readObject(target, call), 'data');
      const found = Object.keys(sentParameters).flatMap((name) => {
        const value = fieldOf(data, name);
        return value === undefined ? [] : [[name, value]];
      });
      const request = `${describeCall(call)} with hyperparameters`;
      yield* findMismatches(hyperparametersSchema, Object.fromEntries(found), request, 'data.');
    },
  },
  {
    id: 'render-zero-values',
    section,
    description: 'If the reply contains a hyperparameter, it also contains it with the value 0 or false.',
    needs: ['prompt'],
    run: checkZeroValues,
  },
  {
    id: 'render-stream',
    section,
    description: 'stream at the root of the body is accepted, and the reply is still JSON.',
    needs: ['prompt'],
    async *run(target) {
      await readObject(target, renderCall(target.samples));
      const call = renderCall(target.samples, { stream: true });
      const reply = await ask(target, call);
      if (reply.status !== 200 || !isMapping(parseReply(reply)))
        yield failed(
          describeCall(call),
          'status 200 with a rendering',
          `status ${reply.status}: ${reply.text}`,
        );
    },
  },
];
