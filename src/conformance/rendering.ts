// A prompt is rendered as the contract states (Endpoints, 1).

import { hyperparametersSchema, renderPromptContract } from '../operations/render-prompt/contract.ts';
import { isMapping } from '../util/mapping.ts';
import { ask, fieldOf, parseReply, readData, readObject, renderCall } from './calls.ts';
import {
  type CheckCall,
  type CheckFinding,
  type CheckTarget,
  type Findings,
  failed,
  formatValue,
  NotCheckable,
  toChecks,
} from './check.ts';
import { findMismatches } from './mismatches.ts';
import { rendered, renderTexts, sentMessages, sentParameters } from './renderings.ts';
import { inspectBodies } from './replies.ts';
import { findTexts } from './texts.ts';

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

async function* checkZeroValues(target: CheckTarget): Findings {
  const { data: others } = await readData(target, pick(1));
  const { request, data: zeros } = await readData(target, pick(0));
  for (const [name, [zero, other]] of Object.entries(zeroValues)) {
    const found = fieldOf(zeros, name);
    if (fieldOf(others, name) === other && found !== zero)
      yield failed(
        `${request} with ${name} ${formatValue(zero)}`,
        `data.${name} ${formatValue(zero)}, since ${formatValue(other)} is returned`,
        `data.${name} ${formatValue(found)}`,
        name,
      );
  }
}

async function* checkSystemMessage(target: CheckTarget): Findings {
  await renderTexts(target, target.samples.variables);
  const { request, data } = await readData(target, { messages: sentMessages });
  const texts = findTexts(fieldOf(data, 'messages'));
  const [system, user] = sentMessages;
  if (!texts.includes(user.content))
    throw new NotCheckable('the target ignores sent messages: see assumed:root-messages.');
  if (!texts.includes(system.content))
    yield failed(
      `${request} with messages`,
      'messages with the sent system message',
      formatValue(texts.join(' ')),
    );
}

function* findUnsuited(call: CheckCall, reply: unknown): Generator<CheckFinding> {
  const success = fieldOf(reply, 'success');
  const messages = fieldOf(fieldOf(reply, 'data'), 'messages');
  if (success !== true) yield failed(call, 'success true', `success ${formatValue(success)}`, 'success');
  if (!Array.isArray(messages) || messages.length === 0)
    yield failed(
      call,
      'at least one message in data.messages',
      `messages ${formatValue(messages)}`,
      'messages',
    );
}

async function* checkBody(target: CheckTarget): Findings {
  const call = renderCall(target.samples);
  yield* findUnsuited(call, await readObject(target, call));
}

async function* checkHyperparameters(target: CheckTarget): Findings {
  const { request, data } = await readData(target, sentParameters);
  const found = Object.keys(sentParameters).flatMap((name) => {
    const value = fieldOf(data, name);
    return value === undefined ? [] : [[name, value]];
  });
  const fields = Object.fromEntries(found);
  yield* findMismatches(hyperparametersSchema, fields, `${request} with hyperparameters`, 'data.');
}

async function* checkStream(target: CheckTarget): Findings {
  await readData(target);
  const call = renderCall(target.samples, { stream: true });
  const reply = await ask(target, call);
  if (reply.status !== 200 || !isMapping(parseReply(reply)))
    yield failed(call, 'status 200 with a rendering', `status ${reply.status}: ${reply.text}`);
}

export const renderingChecks = toChecks(rendered, renderPromptContract.section, {
  body: [
    'success is true, and data is a valid body for a chat-completion call: it has messages.',
    checkBody,
    inspectBodies(
      (samples) => [renderCall(samples)],
      (body, call) => findUnsuited(call, body),
    ),
  ],
  'system-message': ['The reply contains the system message of the request.', checkSystemMessage],
  hyperparameters: [
    'Hyperparameters at the root of the body are accepted, and those in data have the types of the contract.',
    checkHyperparameters,
  ],
  'zero-values': [
    'If the reply contains a hyperparameter, it also contains it with the value 0 or false.',
    checkZeroValues,
  ],
  stream: ['stream at the root of the body is accepted, and the reply is still JSON.', checkStream],
});
