// Renders the sample prompt with other variables and hyperparameters.
import { isMapping } from '../util/mapping.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { ask, fieldOf, itemsOf, parseReply, readData, renderCall } from './calls.ts';
import { type CheckSamples, type CheckTarget, describeCall, formatValue, NotCheckable } from './check.ts';
import { findTextPaths, findTexts, isWithin, replaceTexts } from './texts.ts';

/** Text that a gateway may escape, cut, replace or mistake for a tag. */
const awkwardText = `"double" 'single' <b>&amp;</b> & \\n \\\\ / {{gwm}} {x} \${y} $& $1 $$ %s\nline\r\n\ttab é 漢字 🙂 \u2028 end`;

const start = (index: number): string => `[gwm${index}:`;
const end = (index: number): string => `:gwm${index}]`;

/** A mark that survives any escaping: see {@link hasMark}. */
export const toMark = (index: number): string => `gwm${index}gwm`;

/** Whether a mark is in the texts, in upper or lower case. */
export const hasMark = (texts: readonly string[], index: number): boolean =>
  texts.some((text) => text.toLowerCase().includes(toMark(index)));

/** The variables with every text replaced. */
export const replaceVariables = (
  { variables }: CheckSamples,
  toValue: (index: number) => unknown,
): Readonly<Record<string, unknown>> => {
  const replaced = replaceTexts(variables, toValue);
  return isMapping(replaced) ? replaced : {};
};

/** What the checks of renderings need, unless they look at variables. */
export const rendered = { name: 'render', needs: ['prompt'] } as const;

/** Renders the prompt with other variables, and reads all texts of the messages. */
export const renderTexts = async (target: CheckTarget, variables: CheckSamples['variables']) => {
  const { request, data } = await readData({ ...target, samples: { ...target.samples, variables } });
  return { request, texts: findTexts(fieldOf(data, 'messages')) };
};

/** The contents of the messages of a rendering. */
export const contentsOf = (data: unknown): readonly unknown[] =>
  itemsOf(data, 'messages')
    .filter(isMapping)
    .map(({ content }) => content);

/** Renders the prompt with every text of the variables replaced. */
export const renderWith = (target: CheckTarget, toValue: (index: number) => unknown) =>
  renderTexts(target, replaceVariables(target.samples, toValue));

/** The indexes of the variable texts that the messages show. @throws NotCheckable if the variables have no text */
export const findShown = async (target: CheckTarget) => {
  const count = findTexts(target.samples.variables).length;
  if (count === 0) throw new NotCheckable('the variables have no text.');
  const { request, texts } = await renderWith(target, toMark);
  const shown = Array.from({ length: count }, (_, index) => index).filter((index) => hasMark(texts, index));
  return { request, texts, shown };
};

/** The same. @throws NotCheckable if the messages show none */
export const findSomeShown = async (target: CheckTarget): Promise<readonly number[]> => {
  const { shown } = await findShown(target);
  if (shown.length === 0)
    throw new NotCheckable('the messages show no text of the variables: see render-substitutes.');
  return shown;
};

/** Messages that checks send. */
export const sentMessages = [
  { role: 'system', content: 'gateway-mock verify: a system message' },
  { role: 'user', content: 'gateway-mock verify: a user message' },
] as const;

/** Hyperparameters of each JSON type, with values that every provider accepts. */
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

/** The other hyperparameters of the contract, without `stream`, and without `model`: only the template's model is known to exist. */
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
 * The contract states that values are put into the template and that hyperparameters may be sent. It does not state that
 * values are unchanged, nor that hyperparameters come back.
 */
export const templateSyntax: AssumptionCheck = {
  needs: ['prompt'],
  observe: async (target) => {
    await readData(target); // a call that also fails without them proves nothing
    const call = renderCall(target.samples, sentParameters);
    const reply = await ask(target, call);
    const data = fieldOf(parseReply(reply), 'data');
    const other = Object.entries(sentParameters).find(
      ([name, value]) => !isWithin(value, fieldOf(data, name)),
    );
    const request = `${describeCall(call)} with hyperparameters`;
    if (reply.status !== 200)
      throw new NotCheckable(`${request} returned ${reply.status}: see render-parameters.`);
    if (other === undefined) return { request, value: 'mustache', actual: 'all of them' };
    const [name, value] = other;
    const expected = `data.${name} ${formatValue(value)}, as it was sent`;
    return {
      request,
      value: undefined,
      actual: `data.${name} ${formatValue(fieldOf(data, name))}`,
      expected,
    };
  },
  observeAgain: async (target) => {
    const shown = await findSomeShown(target);
    const paths = findTextPaths(target.samples.variables);
    const { request, texts } = await renderWith(target, (index) => start(index) + awkwardText + end(index));
    for (const index of shown) {
      const wanted = start(index) + awkwardText + end(index);
      const isInside = typeof target.samples.variables?.[paths[index] ?? ''] !== 'string';
      // An array or object is inserted as JSON, including the texts inside it.
      const asJson = isInside ? [JSON.stringify(wanted)] : [];
      if (texts.some((text) => [wanted, ...asJson].some((one) => text.includes(one)))) continue;
      const from = texts.find((text) => text.includes(start(index))) ?? '';
      const actual = from.slice(from.indexOf(start(index)), from.indexOf(end(index)) + end(index).length);
      return {
        request,
        value: undefined,
        actual: actual === '' ? 'no such text' : formatValue(actual),
        expected: formatValue(wanted),
      };
    }
    return { request, value: 'mustache', actual: 'the texts unchanged' };
  },
};
