// That a prompt is rendered as the contract says (Endpoints, 1).
import { hyperparametersSchema, renderPromptContract } from '../operations/render-prompt/contract.ts';
import { ask, fieldOf, isObject, parseReply, readObject, renderCall } from './calls.ts';
import {
  broken,
  describeCall,
  type Finding,
  type Law,
  type LawCall,
  NotCheckable,
  show,
  type Target,
} from './check.ts';
import { findMismatches } from './mismatches.ts';
import { renderTexts, sentMessages, sentParameters } from './renderings.ts';
import { inspectBodies } from './replies.ts';
import { findTexts } from './texts.ts';

const { section } = renderPromptContract;

/** What gateways drop that take 0 and false for nothing; beside each, a value that they keep. */
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

async function* checkZeroValues(target: Target): AsyncGenerator<Finding> {
  const { samples } = target;
  const others = fieldOf(await readObject(target, renderCall(samples, pick(1))), 'data');
  const call = renderCall(samples, pick(0));
  const zeros = fieldOf(await readObject(target, call), 'data');
  for (const [name, [zero, other]] of Object.entries(zeroValues)) {
    const found = fieldOf(zeros, name);
    if (fieldOf(others, name) === other && found !== zero)
      yield broken(
        `${describeCall(call)} with ${name} ${show(zero)}`,
        `data.${name} ${show(zero)}, as ${show(other)} comes back`,
        `data.${name} ${show(found)}`,
        name,
      );
  }
}

async function* checkSystemMessage(target: Target): AsyncGenerator<Finding> {
  await renderTexts(target, target.samples.variables);
  const call = renderCall(target.samples, { messages: sentMessages });
  const texts = findTexts(fieldOf(fieldOf(await readObject(target, call), 'data'), 'messages'));
  const [system, user] = sentMessages;
  if (!texts.includes(user.content))
    throw new NotCheckable('the messages of a call are not taken: see assumed:root-messages.');
  if (!texts.includes(system.content))
    yield broken(
      `${describeCall(call)} with messages`,
      'the system message among them',
      show(texts.join(' ')),
    );
}

function* findUnsuited(call: LawCall, reply: unknown): Generator<Finding> {
  const asked = describeCall(call);
  const success = fieldOf(reply, 'success');
  const messages = fieldOf(fieldOf(reply, 'data'), 'messages');
  if (success !== true) yield broken(asked, 'success true', `success ${show(success)}`, 'success');
  if (!Array.isArray(messages) || messages.length === 0)
    yield broken(asked, 'data.messages with a message', `messages ${show(messages)}`, 'messages');
}

export const renderingLaws: readonly Law[] = [
  {
    id: 'render-body',
    section,
    says: 'success is true, and data suits a chat-completion call as its body: it has messages.',
    needs: ['prompt'],
    async *check(target) {
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
    says: 'No system message is lost.',
    needs: ['prompt'],
    check: checkSystemMessage,
  },
  {
    id: 'render-hyperparameters',
    section,
    says: 'Hyperparameters may be sent at the root of the body, and those that data then has are of the types of the contract.',
    needs: ['prompt'],
    async *check(target) {
      const call = renderCall(target.samples, sentParameters);
      const data = fieldOf(await readObject(target, call), 'data');
      const found = Object.keys(sentParameters).flatMap((name) => {
        const value = fieldOf(data, name);
        return value === undefined ? [] : [[name, value]];
      });
      const asked = `${describeCall(call)} with hyperparameters`;
      yield* findMismatches(hyperparametersSchema, Object.fromEntries(found), asked, 'data.');
    },
  },
  {
    id: 'render-zero-values',
    section,
    says: 'A hyperparameter that comes back at all comes back as 0 or false, too.',
    needs: ['prompt'],
    check: checkZeroValues,
  },
  {
    id: 'render-stream',
    section,
    says: 'stream may be sent at the root of the body, and the answer is JSON all the same.',
    needs: ['prompt'],
    async *check(target) {
      await readObject(target, renderCall(target.samples));
      const call = renderCall(target.samples, { stream: true });
      const reply = await ask(target, call);
      if (reply.status !== 200 || !isObject(parseReply(reply)))
        yield broken(
          describeCall(call),
          'status 200 with a rendering',
          `status ${reply.status}: ${reply.text}`,
        );
    },
  },
];
