// A prompt is rendered as the contract states, whatever is sent beside the variables (Endpoints, 1).

import {
  hyperparametersSchema,
  renderPromptContract,
} from '../../../core/operations/render-prompt/contract.ts';
import { isMapping, type Mapping } from '../../../core/util/mapping.ts';
import { inspectBodies, isCallOf, renderCall, validCallsById } from '../calls.ts';
import { describeCall, type Findings, failed, formatValue, NotCheckable, toChecks } from '../check.ts';
import { findMismatches } from '../mismatches.ts';
import { fieldOf, itemsOf, parseReply, tryCall } from '../replies.ts';
import { findDifference, findTexts, isWithin } from '../texts.ts';
import type { CheckCall, CheckFinding, CheckTarget, InspectReply } from '../types.ts';
import {
  contentsOf,
  exactValues,
  readData,
  replaceVariables,
  sentMessages,
  sentParameters,
  toMark,
  zeroValues,
} from './renderings.ts';

const render = validCallsById.renderPrompt;

function* findUnsuited(body: unknown, call: CheckCall): Generator<CheckFinding> {
  const [success, data] = [fieldOf(body, 'success'), fieldOf(body, 'data')];
  const [messages, nested] = [fieldOf(data, 'messages'), fieldOf(data, 'hyperparameters')];
  const wanted = 'at least one message in data.messages, each with a role';
  const flat = 'hyperparameters at the root of data';
  if (success !== true) yield failed(call, 'success true', `success ${formatValue(success)}`, 'success');
  const roles = itemsOf(data, 'messages').map((message) => fieldOf(message, 'role'));
  if (roles.length === 0 || roles.some((role) => typeof role !== 'string'))
    yield failed(call, wanted, `messages ${formatValue(messages)}`, 'messages');
  if (nested !== undefined) yield failed(call, flat, `data.hyperparameters ${formatValue(nested)}`, 'nested');
}

/** Fields, each with the field that it needs. */
const companions: Readonly<Record<string, string>> = {
  tool_choice: 'tools',
  parallel_tool_calls: 'tools',
  top_logprobs: 'logprobs',
  function_call: 'functions',
  stream_options: 'stream',
};

/** Sends all fields at once; if that is refused, each field alone, with the field that it needs. Returns the data that came back. */
const sendFields = async (target: CheckTarget, fields: Mapping) => {
  const call = renderCall(target.samples, fields);
  const request = describeCall(call);
  const reply = await tryCall(target, call);
  const all = reply.status === 200 ? fieldOf(parseReply(reply), 'data') : {};
  const data: Record<string, unknown> = isMapping(all) ? { ...all } : {};
  if (reply.status === 200) return { request, data };
  for (const [name, value] of Object.entries(fields)) {
    const other = companions[name];
    const needed = other === undefined ? {} : { [other]: fields[other] };
    const alone = await target.call(renderCall(target.samples, { ...needed, [name]: value })); // a refusal is reported
    data[name] = fieldOf(fieldOf(parseReply(alone), 'data'), name);
  }
  return { request, data };
};

/** Sends all hyperparameters of the contract, with the template's model, and reads the returned values. */
const readParameters = async (target: CheckTarget) => {
  const { data: plain } = await readData(target);
  const model = fieldOf(plain, 'model');
  const sent: Mapping = { ...sentParameters, ...(typeof model === 'string' && { model }) };
  return { plain, sent, ...(await sendFields(target, sent)) };
};

const failedValue = (request: string, name: string, sent: unknown, found: unknown, why: string) =>
  failed(request, `data.${name} ${formatValue(sent)}, ${why}`, `data.${name} ${formatValue(found)}`, name);

/**
 * The contract does not state that hyperparameters come back. A gateway that returns most of them loses the others by
 * mistake; and a returned value is the request's, or the template's.
 */
async function* checkHyperparameters(target: CheckTarget): Findings {
  const { plain, sent, request, data } = await readParameters(target);
  const returned = Object.entries(data).filter(([name, value]) => name in sent && value !== undefined);
  yield* findMismatches(hyperparametersSchema, Object.fromEntries(returned), request, 'data.');
  const names = Object.keys(sent).filter((name) => name !== 'stream'); // the gateway decides how to send the reply
  const lost = names.filter((name) => !isWithin(sent[name], data[name]));
  for (const name of lost) {
    const isAbsent = data[name] === undefined;
    // assumed:hyperparameter-precedence
    const isTemplates = !isAbsent && findDifference(data[name], fieldOf(plain, name), '') === undefined;
    if (isTemplates || (isAbsent && lost.length * 2 >= names.length)) continue;
    yield failedValue(request, name, sent[name], data[name], 'as it was sent');
  }
}

/** A hyperparameter that comes back also does so with another value. If its value is null, it may be absent. */
const comesBackWith = (values: Mapping) =>
  async function* (target: CheckTarget): Findings {
    const { sent, data: usual } = await readParameters(target);
    const { request, data } = await sendFields(target, values);
    for (const [name, value] of Object.entries(values)) {
      if (value === null || !isWithin(sent[name], usual[name]) || isWithin(value, data[name])) continue;
      yield failedValue(request, name, value, data[name], `since ${formatValue(sent[name])} is returned`);
    }
  };

/** Compares the messages that come back with the sent messages, with their roles. */
async function* checkMessages(target: CheckTarget): Findings {
  const { request, data } = await readData(target, { messages: sentMessages });
  const show = (message: unknown): string =>
    ['role', 'name', 'content'].flatMap((field) => fieldOf(message, field) ?? []).join(': ');
  const sent: readonly unknown[] = sentMessages.map(({ content }) => content);
  if (!contentsOf(data).includes(sent[1]))
    throw new NotCheckable('the target ignores sent messages: see assumed:root-messages.');
  const wanted = sentMessages.map(show).join(', ');
  const returned = itemsOf(data, 'messages').filter((message) => sent.includes(fieldOf(message, 'content')));
  const found = returned.map(show).join(', ');
  if (found !== wanted) yield failed(request, `messages in this order: ${wanted}`, found);
  const empty = renderCall(target.samples, {
    messages: [...sentMessages, { role: 'assistant', content: '' }],
  });
  const reply = await tryCall(target, empty);
  if (reply.status !== 200) return; // the contract does not state that an empty text is accepted
  const content = contentsOf(fieldOf(parseReply(reply), 'data')).at(-1);
  if (content !== '')
    yield failed(empty, 'the last message with its empty content', formatValue(content), 'empty');
}

/** Compares all renderings of the same body: the calls in between must not change them. */
const watchSame = (): InspectReply => {
  const first = new Map<string, unknown>();
  return function* (call, reply, samples) {
    if (reply.status !== 200 || call.mayFail || !isCallOf(call, render, samples)) return;
    const data = fieldOf(parseReply(reply), 'data');
    const key = call.body ?? '';
    const former = first.get(key) ?? data;
    first.set(key, former);
    const path = findDifference(former, data, 'data');
    if (path !== undefined)
      yield failed(call, 'the same rendering as before for the same call', `${path} has changed`, path);
  };
};

/** Renders the prompt, then with all other fields that may be sent, and again without them. */
const checkSame = async (target: CheckTarget): Promise<void> => {
  await readParameters(target);
  await readData(target, {}, { fresh: true });
  await tryCall(target, renderCall(target.samples, { messages: sentMessages, temperature: 0.75 }));
  await readData(target, {}, { fresh: true });
};

/** The variables have values that no other call has, to find a gateway that caches renderings by their variables alone. */
async function* checkLeaks(target: CheckTarget): Findings {
  await checkSame(target);
  const count = findTexts(target.samples.variables).length;
  if (count === 0) return;
  const { data: plain } = await readData(target);
  const variables = replaceVariables(target.samples, (index) => toMark(count + 1 + index));
  const sent = { seed: 31, user: 'gateway-mock verify leaks' };
  await readData(target, sent, { variables, mayFail: true });
  const { request, data } = await readData(target, {}, { variables, mayFail: true });
  for (const [name, value] of Object.entries(sent)) {
    const actual = `the value of the previous call, ${formatValue(value)}`;
    if (fieldOf(data, name) === value && fieldOf(plain, name) !== value)
      yield failed(request, `data without ${name}`, actual, name);
  }
  const bare = renderCall({ ...target.samples, variables: {} });
  const texts = findTexts(parseReply(await tryCall(target, bare)));
  const mark = findTexts(variables).find((each) => texts.some((text) => text.includes(each)));
  if (mark !== undefined)
    yield failed(`${describeCall(bare)} without variables`, 'no text of an earlier call', mark, 'variables');
}

export const renderingChecks = toChecks(render, renderPromptContract.section, {
  body: [
    'success is true, and data is a valid body for a chat-completion call: it has messages with roles.',
    (target) => readData(target),
    inspectBodies(render, findUnsuited),
  ],
  messages: [
    'Sent messages come back in their order, each with its role and name, the system message too.',
    checkMessages,
  ],
  hyperparameters: [
    'Hyperparameters at the root of the body come back with their values and the types of the contract, if most of them do.',
    checkHyperparameters,
  ],
  'zero-values': [
    'If the reply contains a hyperparameter, it also contains it with the value 0, false or an empty text.',
    comesBackWith(zeroValues),
  ],
  'exact-values': [
    'If the reply contains a hyperparameter, it also contains it with a value that is easily rounded or cut: decimals, an integer beyond 2^53, line breaks, several tools.',
    comesBackWith(exactValues),
  ],
  unchanged: [
    'The same call has the same rendering, whatever other calls sent before: nothing leaks, and the template stays as it is.',
    checkLeaks,
    watchSame,
  ],
});
