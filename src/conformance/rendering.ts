// That a prompt is rendered as the contract says (Endpoints, 1).
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { fieldOf, isObject, parseReply, readObject, renderCall } from './calls.ts';
import { broken, describeCall, type Finding, type Law, NotCheckable, show, type Target } from './law.ts';
import { findTexts, isWithin, replaceTexts } from './texts.ts';

const { section } = renderPromptContract;

/** What something on the way may escape, cut, replace or take for a tag. */
export const awkwardText = `"double" 'single' <b>&amp;</b> & \\n \\\\ / {{gwm}} {x} \${y} $& $1 $$ %s\nline\r\n\ttab é 漢字 🙂 \u2028 end`;

const start = (index: number): string => `[gwm${index}:`;
const end = (index: number): string => `:gwm${index}]`;

/** Renders with every text of the variables replaced, and reads all texts of the messages. */
const renderWith = async (target: Target, toText: (index: number) => string) => {
  const variables = replaceTexts(target.samples.variables, toText);
  const call = renderCall({ ...target.samples, variables: isObject(variables) ? variables : {} });
  const data = fieldOf(await readObject(target, call), 'data');
  return { asked: describeCall(call), texts: findTexts(fieldOf(data, 'messages')) };
};

/** Which texts of the variables the messages show, told by marks that nothing could change. */
const findShown = async (target: Target) => {
  const count = findTexts(target.samples.variables).length;
  if (count === 0) throw new NotCheckable('there is no text among the variables.');
  const { asked, texts } = await renderWith(target, (index) => `gwm${index}gwm`);
  const shown = Array.from({ length: count }, (_, index) => index).filter((index) =>
    texts.some((text) => text.includes(`gwm${index}gwm`)),
  );
  return { asked, texts, shown };
};

async function* checkVerbatim(target: Target): AsyncGenerator<Finding> {
  const { shown } = await findShown(target);
  if (shown.length === 0)
    throw new NotCheckable('no text of the variables is shown: see render-substitutes.');
  const { asked, texts } = await renderWith(target, (index) => start(index) + awkwardText + end(index));
  for (const index of shown) {
    const wanted = start(index) + awkwardText + end(index);
    if (texts.some((text) => text.includes(wanted))) continue;
    const from = texts.find((text) => text.includes(start(index))) ?? '';
    const came = from.slice(from.indexOf(start(index)), from.indexOf(end(index)) + end(index).length);
    yield broken(asked, show(wanted), came === '' ? 'no such text' : show(came));
  }
}

/** Of each JSON type one, within what any provider takes. */
const sent = {
  temperature: 0.25,
  top_p: 0.5,
  max_tokens: 17,
  presence_penalty: 0.5,
  frequency_penalty: -0.5,
  stop: 'gwm-stop',
  user: 'gateway-mock verify',
  response_format: { type: 'text' },
  tools: [
    {
      type: 'function',
      function: { name: 'gwm_tool', description: 'Nothing.', parameters: { type: 'object', properties: {} } },
    },
  ],
  tool_choice: 'none',
};

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
    id: 'render-verbatim',
    section,
    says: 'Values go in verbatim: quotes, markup, line ends, braces, $& and any script stay what they are.',
    needs: ['prompt', 'variables'],
    check: checkVerbatim,
  },
  {
    id: 'render-hyperparameters',
    section,
    says: 'Hyperparameters at the root of the body are in data, ahead of those of the template.',
    needs: ['prompt'],
    async *check(target) {
      await readObject(target, renderCall(target.samples)); // a call that fails without them tells nothing
      const call = renderCall(target.samples, sent);
      const data = fieldOf(await readObject(target, call), 'data');
      for (const [name, value] of Object.entries(sent)) {
        const found = fieldOf(data, name);
        if (!isWithin(value, found))
          yield broken(describeCall(call), `data.${name} ${show(value)}`, `data.${name} ${show(found)}`);
      }
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
      const reply = await target.call(call);
      if (reply.status !== 200 || !isObject(parseReply(reply)))
        yield broken(
          describeCall(call),
          'status 200 with a rendering',
          `status ${reply.status}: ${reply.text}`,
        );
    },
  },
];
