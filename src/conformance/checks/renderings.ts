// Renders the sample prompt with other variables and hyperparameters.
import { isMapping, type Mapping } from '../../util/mapping.ts';
import { renderCall } from '../calls.ts';
import { describeCall, NotCheckable } from '../check.ts';
import { fieldOf, itemsOf, readObject } from '../replies.ts';
import { findTextPaths, findTexts, replaceTexts } from '../texts.ts';
import type { CheckCall, CheckSamples, CheckTarget } from '../types.ts';

/** Renders the prompt with the fields of `body` beside the variables, and reads the rendered body. */
export const readData = async (
  target: CheckTarget,
  body: Mapping = {},
  {
    variables = target.samples.variables,
    ...more
  }: Partial<CheckCall> & Pick<CheckSamples, 'variables'> = {},
) => {
  const call = { ...renderCall({ ...target.samples, variables }, body), ...more };
  return { request: describeCall(call), data: fieldOf(await readObject(target, call), 'data') };
};

/** The contents of the messages of a rendering. */
export const contentsOf = (data: unknown): readonly unknown[] =>
  itemsOf(data, 'messages').map((message) => fieldOf(message, 'content'));

/** Renders the prompt with other variables, and reads all texts of the messages. */
export const renderTexts = async (target: CheckTarget, variables: CheckSamples['variables']) => {
  const { request, data } = await readData(target, {}, { variables, mayFail: true });
  return { request, texts: findTexts(fieldOf(data, 'messages')) };
};

/** The variables with every text replaced. */
export const replaceVariables = (
  { variables }: CheckSamples,
  toValue: (index: number) => unknown,
): Mapping => {
  const replaced = replaceTexts(variables, toValue);
  return isMapping(replaced) ? replaced : {};
};

/** Renders the prompt with every text of the variables replaced. */
export const renderWith = (target: CheckTarget, toValue: (index: number) => unknown) =>
  renderTexts(target, replaceVariables(target.samples, toValue));

/** A mark that survives any escaping, in upper or lower case. */
export const toMark = (index: number): string => `gwm${index}gwm`;

export const hasMark = (texts: readonly string[], index: number): boolean =>
  texts.some((text) => text.toLowerCase().includes(toMark(index)));

/** A text among the variables. */
export interface TextVariable {
  /** Its place among all of them. */
  readonly index: number;
  /** Its path, such as `user.names[0]`. */
  readonly path: string;
  /** Whether it is a variable itself, and not inside an array or object, which is put in as JSON. */
  readonly isPlain: boolean;
}

/** Which texts of the variables the messages show. @throws NotCheckable if the variables have no text */
export const findShown = async (target: CheckTarget) => {
  const { variables = {} } = target.samples;
  const all = findTextPaths(variables).map(
    (path, index): TextVariable => ({ index, path, isPlain: typeof variables[path] === 'string' }),
  );
  if (all.length === 0) throw new NotCheckable('the variables have no text.');
  const { request, texts } = await renderWith(target, toMark);
  return { request, texts, all, shown: all.filter(({ index }) => hasMark(texts, index)) };
};

/** The same. @throws NotCheckable if the messages show none */
export const findSomeShown = async (target: CheckTarget) => {
  const found = await findShown(target);
  if (found.shown.length === 0)
    throw new NotCheckable('the messages show no text of the variables: see render-substitutes.');
  return found;
};

/** Renders the prompt with a text in place of every text variable, and finds what became of it at each place. */
export const renderText = async (target: CheckTarget, value: string) => {
  const { shown } = await findSomeShown(target);
  const [start, end] = [(index: number) => `[gwm${index}:`, (index: number) => `:gwm${index}]`];
  const { request, texts } = await renderWith(target, (index) => start(index) + value + end(index));
  const found = shown.map((variable) => {
    const parts = texts.flatMap((text) => text.split(start(variable.index)).slice(1));
    const places = parts.map((part) => part.slice(0, Math.max(0, part.indexOf(end(variable.index)))));
    return { ...variable, places };
  });
  return { request, found };
};

const toLetter = (hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16));
const jsonEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const htmlEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The escapes of JSON and HTML, undone. */
const decoders: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) =>
    text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code, letter) =>
      code ? toLetter(code) : (jsonEscapes[letter] ?? letter),
    ),
  (text) =>
    text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex, number, name) =>
      hex ? toLetter(hex) : number ? String.fromCodePoint(Number(number)) : (htmlEntities[name] ?? entity),
    ),
];

/** Whether a text is another one as it was sent, or escaped, which the contract does not exclude. */
export const isEncoded = (sent: string, found: string): boolean =>
  decoders.some((decode) => decode(found) === sent);

/** Messages that checks send: each role of a conversation, in an order that sorting would change. */
export const sentMessages = [
  { role: 'system', content: 'gateway-mock verify: a system message' },
  { role: 'user', content: 'gateway-mock verify: a user message' },
  { role: 'assistant', content: 'gateway-mock verify: an answer' },
  { role: 'user', content: 'gateway-mock verify: another user message' },
] as const;

export const noParameters = { type: 'object', properties: {} };

/**
 * Every hyperparameter of the contract but `messages`, `stream` and `model`, with a value that every provider accepts: only
 * the template's model is known to exist.
 */
export const sentParameters: Mapping = {
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
      function: { name: 'gwm_tool', description: 'Nothing.', parameters: noParameters, strict: true },
    },
  ],
  tool_choice: 'none',
  seed: 7,
  n: 2,
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { 50256: -100 },
  parallel_tool_calls: true,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  stream_options: null,
  functions: [{ name: 'gwm_function', description: 'Nothing.', parameters: noParameters }],
  function_call: 'none',
};
