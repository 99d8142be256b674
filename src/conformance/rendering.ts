// That a prompt is rendered as the contract says (Endpoints, 1).
import { hyperparameters, renderPromptContract } from '../operations/render-prompt/contract.ts';
import { ask, fieldOf, isObject, parseReply, readObject, renderCall } from './calls.ts';
import { broken, describeCall, type Law, show } from './law.ts';
import { findMismatches } from './mismatches.ts';
import { findShown, sentParameters } from './renderings.ts';

const { section } = renderPromptContract;

export const renderingLaws: readonly Law[] = [
  {
    id: 'render-body',
    section,
    says: 'success is true, and data suits a chat-completion call as its body: it has messages.',
    needs: ['prompt'],
    async *check(target) {
      const call = renderCall(target.samples);
      const reply = await readObject(target, call);
      const success = fieldOf(reply, 'success');
      const messages = fieldOf(fieldOf(reply, 'data'), 'messages');
      if (success !== true) yield broken(describeCall(call), 'success true', `success ${show(success)}`);
      if (!Array.isArray(messages) || messages.length === 0)
        yield broken(describeCall(call), 'data.messages with a message', `messages ${show(messages)}`);
    },
  },
  {
    id: 'render-substitutes',
    section,
    says: 'The values of the variables are put into the template.',
    needs: ['prompt', 'variables'],
    async *check(target) {
      const { asked, texts, shown } = await findShown(target);
      if (shown.length === 0)
        yield broken(asked, 'messages with the texts of the variables', show(texts.join(' ')));
    },
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
      yield* findMismatches(hyperparameters, Object.fromEntries(found), asked, 'data.');
    },
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
