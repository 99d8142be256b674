// Renders the sample prompt with other variables and hyperparameters.
import { isMapping, type Mapping, textsIn } from '../../../core/util/mapping.ts';
import { toPathText } from '../../../core/util/path-text.ts';
import { renderCall } from '../calls.ts';
import { describeCall, NotCheckable } from '../check.ts';
import { fieldOf, itemsOf, readObject } from '../replies.ts';
import { replaceTexts } from '../texts.ts';
import type { CheckCall, CheckSamples, CheckTarget } from '../types.ts';

/** Renders the prompt with the fields of `body` beside the variables, and reads the rendered body. */
export const readData = async (
  target: CheckTarget,
  body: Mapping = {},
  change: Partial<CheckCall> & Pick<CheckSamples, 'variables'> = {},
) => {
  const { variables = target.samples.variables, ...more } = change;
  const call = { ...renderCall({ ...target.samples, variables }, body), ...more };
  return { request: describeCall(call), data: fieldOf(await readObject(target, call), 'data') };
};

/** The contents of the messages of a rendering. */
export const contentsOf = (data: unknown): readonly unknown[] =>
  itemsOf(data, 'messages').map((message) => fieldOf(message, 'content'));

/** All texts of the messages of a rendering, sorted by their places: the order of fields may change from reply to reply. */
export const textsOf = (data: unknown): readonly string[] =>
  textsIn(fieldOf(data, 'messages'))
    .map(({ path, text }) => [toPathText(path), text] as const)
    .sort()
    .map(([, text]) => text);

/** Renders the prompt with other variables, and reads all texts of the messages. */
export const renderTexts = async (target: CheckTarget, variables: CheckSamples['variables']) => {
  const { request, data } = await readData(target, {}, { variables, mayFail: true });
  return { request, texts: textsOf(data) };
};

/** The variables with every text replaced. */
export const replaceVariables = ({ variables }: CheckSamples, toValue: (index: number) => unknown) => {
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

/** Which texts of the variables the messages show. @throws NotCheckable if the variables have no text, or fewer than `least` are shown */
export const findShown = async (target: CheckTarget, least = 1) => {
  const { variables = {} } = target.samples;
  const all = textsIn(variables).map(({ path }, index) => ({
    index,
    /** Such as `user.names[0]`. */
    path: toPathText(path),
    /** Whether it is the value of a variable. A text inside an array or object is put in as JSON. */
    isPlain: path.length === 1,
  }));
  if (all.length === 0) throw new NotCheckable('the variables have no text.');
  const { request, texts } = await renderWith(target, toMark);
  const shown = all.filter(({ index }) => hasMark(texts, index));
  if (shown.length < least)
    throw new NotCheckable('the messages show no text of the variables: see render-substitutes.');
  return { request, texts, all, shown };
};

/** Renders the prompt with a text in place of every text variable, and finds what became of it at each place. */
export const renderText = async (target: CheckTarget, value: string) => {
  const { shown } = await findShown(target);
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

/** Undoes the escapes of JSON and HTML. */
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

/** Whether a text equals the sent text, or its escaped form, which the contract does not exclude. */
export const isEncoded = (sent: string, found: string): boolean =>
  decoders.some((decode) => decode(found) === sent);

/** Messages that checks send: each role of a conversation, in an order that sorting would change. */
export const sentMessages = [
  { role: 'system', content: 'gateway-mock verify: a system message' },
  { role: 'user', content: 'gateway-mock verify: a user message', name: 'gwm_user' },
  { role: 'assistant', content: 'gateway-mock verify: an answer, é 漢 🙂' },
  { role: 'user', content: 'gateway-mock verify: another user message' },
] as const;

const toTool = (name: string, strict: boolean) => ({
  type: 'function',
  function: {
    name,
    description: 'Nothing.',
    parameters: {
      type: 'object',
      properties: { gwm: { default: null } },
      required: ['gwm'],
      additionalProperties: false,
    },
    strict,
  },
});

/**
 * Values of each hyperparameter of the contract except `messages` and `model`: a value that every provider accepts; a value that
 * gateways drop if they treat 0, false and an empty text as absent; and a value that they round, cut, bound or refuse.
 */
const parameters: Readonly<Record<string, readonly [usual: unknown, zero?: unknown, exact?: unknown]>> = {
  temperature: [0.25, 0, 1.7], // no float of 32 bits
  top_p: [0.5, 0, 0.1],
  max_tokens: [17, undefined, 4321],
  presence_penalty: [0.5, 0],
  frequency_penalty: [-0.5, 0, -0.3],
  stop: ['gwm-stop', undefined, '\n\ngwm\n'],
  user: ['gateway-mock verify', '', `${'gwm '.repeat(9)}é 漢 🙂`],
  response_format: [{ type: 'text' }],
  tools: [[toTool('gwm_tool', true)], undefined, [toTool('gwm_tool', false), toTool('gwm_other', true)]],
  tool_choice: ['none'],
  seed: [7, 0, 9_007_199_254_740_993n], // 2^53 + 1
  n: [2],
  logprobs: [true, false],
  top_logprobs: [2, 0],
  logit_bias: [{ 50256: -100 }, undefined, null],
  parallel_tool_calls: [true, false],
  thinking: [{ type: 'enabled', budget_tokens: 1024 }],
  stream: [true, undefined, false],
  stream_options: [{ include_usage: true }, undefined, null],
  functions: [
    [{ name: 'gwm_function', description: 'Nothing.', parameters: { type: 'object', properties: {} } }],
  ],
  function_call: ['none'],
};

const pick = (at: 0 | 1 | 2): Mapping => {
  const picked = Object.entries(parameters).map(([name, values]) => [name, values[at]] as const);
  return Object.fromEntries(picked.filter(([, value]) => value !== undefined));
};

export const [sentParameters, zeroValues, exactValues] = [pick(0), pick(1), pick(2)];
