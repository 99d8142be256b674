// How a target renders the prompt: what of the variables is shown, and what becomes of hyperparameters.
import type { AssumptionCheck } from './assumption-check.ts';
import { ask, fieldOf, isObject, parseReply, readObject, renderCall } from './calls.ts';
import { describeCall, NotCheckable, type Samples, show, type Target } from './check.ts';
import { findTextPaths, findTexts, isWithin, replaceTexts } from './texts.ts';

/** What something on the way may escape, cut, replace or take for a tag. */
const awkwardText = `"double" 'single' <b>&amp;</b> & \\n \\\\ / {{gwm}} {x} \${y} $& $1 $$ %s\nline\r\n\ttab é 漢字 🙂 \u2028 end`;

const start = (index: number): string => `[gwm${index}:`;
const end = (index: number): string => `:gwm${index}]`;

/** A mark that is found again whatever becomes of a text on its way into the messages: see {@link hasMark}. */
export const toMark = (index: number): string => `gwm${index}gwm`;

/** Whether a mark is shown, in whatever case. */
export const hasMark = (texts: readonly string[], index: number): boolean =>
  texts.some((text) => text.toLowerCase().includes(toMark(index)));

/** The variables with every text replaced. */
export const replaceVariables = (
  { variables }: Samples,
  toValue: (index: number) => unknown,
): Readonly<Record<string, unknown>> => {
  const replaced = replaceTexts(variables, toValue);
  return isObject(replaced) ? replaced : {};
};

/** Renders the prompt with other variables, and reads all texts of the messages. */
export const renderTexts = async (target: Target, variables: Samples['variables']) => {
  const call = renderCall({ ...target.samples, variables });
  const data = fieldOf(await readObject(target, call), 'data');
  return { asked: describeCall(call), texts: findTexts(fieldOf(data, 'messages')) };
};

/** Renders the prompt with every text of the variables replaced. */
export const renderWith = (target: Target, toValue: (index: number) => unknown) =>
  renderTexts(target, replaceVariables(target.samples, toValue));

/** Which texts of the variables the messages show. */
export const findShown = async (target: Target) => {
  const count = findTexts(target.samples.variables).length;
  if (count === 0) throw new NotCheckable('there is no text among the variables.');
  const { asked, texts } = await renderWith(target, toMark);
  const shown = Array.from({ length: count }, (_, index) => index).filter((index) => hasMark(texts, index));
  return { asked, texts, shown };
};

/** The same where some are. */
export const findSomeShown = async (target: Target): Promise<readonly number[]> => {
  const { shown } = await findShown(target);
  if (shown.length === 0)
    throw new NotCheckable('no text of the variables is shown: see render-substitutes.');
  return shown;
};

/** What a call may send as its messages. */
export const sentMessages = [
  { role: 'system', content: 'gateway-mock verify: a system message' },
  { role: 'user', content: 'gateway-mock verify: a user message' },
] as const;

/** Of each JSON type one, within what any provider takes. */
export const sentParameters = {
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

/** The other hyperparameters of the contract, but `model`, of which only the template's own is known to exist, and `stream`. */
export const furtherParameters = {
  seed: 7,
  n: 1,
  logprobs: true,
  top_logprobs: 2,
  logit_bias: {},
  parallel_tool_calls: true,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  stream_options: null,
  functions: [
    { name: 'gwm_function', description: 'Nothing.', parameters: { type: 'object', properties: {} } },
  ],
  function_call: 'none',
};

/**
 * The contract says that values are put into the template, and that hyperparameters may be sent; neither that the
 * values stay as they are, nor what becomes of the hyperparameters.
 */
export const templateSyntax: AssumptionCheck = {
  needs: ['prompt'],
  look: async (target) => {
    await readObject(target, renderCall(target.samples)); // a call that fails without them tells nothing
    const call = renderCall(target.samples, sentParameters);
    const reply = await ask(target, call);
    const data = fieldOf(parseReply(reply), 'data');
    const other = Object.entries(sentParameters).find(
      ([name, value]) => !isWithin(value, fieldOf(data, name)),
    );
    const asked = `${describeCall(call)} with hyperparameters`;
    if (reply.status !== 200)
      throw new NotCheckable(`${asked} is answered by ${reply.status}: see render-parameters.`);
    if (other === undefined) return { asked, value: 'mustache', came: 'all that was sent' };
    const [name, value] = other;
    const expected = `data.${name} ${show(value)}, as it was sent`;
    return { asked, value: undefined, came: `data.${name} ${show(fieldOf(data, name))}`, expected };
  },
  lookAgain: async (target) => {
    const shown = await findSomeShown(target);
    const paths = findTextPaths(target.samples.variables);
    const { asked, texts } = await renderWith(target, (index) => start(index) + awkwardText + end(index));
    for (const index of shown) {
      const wanted = start(index) + awkwardText + end(index);
      const isInside = typeof target.samples.variables?.[paths[index] ?? ''] !== 'string';
      // An array or an object is put in as its JSON, and so is a text inside of it.
      const asJson = isInside ? [JSON.stringify(wanted)] : [];
      if (texts.some((text) => [wanted, ...asJson].some((one) => text.includes(one)))) continue;
      const from = texts.find((text) => text.includes(start(index))) ?? '';
      const came = from.slice(from.indexOf(start(index)), from.indexOf(end(index)) + end(index).length);
      return {
        asked,
        value: undefined,
        came: came === '' ? 'no such text' : show(came),
        expected: show(wanted),
      };
    }
    return { asked, value: 'mustache', came: 'the texts as they are' };
  },
};
