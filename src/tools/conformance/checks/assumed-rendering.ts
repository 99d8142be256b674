// The assumptions about rendering, as a table: the call, the value for each status, and what else to compare.
import type { AssumptionId } from '../../../core/assumptions/table.ts';
import { isMapping, type Mapping, mapValues } from '../../../core/util/mapping.ts';
import { renderCall } from '../calls.ts';
import { describeCall, formatValue, NotCheckable } from '../check.ts';
import { fieldOf, readObject } from '../replies.ts';
import { findTexts, isWithin } from '../texts.ts';
import type { CheckCall, CheckSamples, CheckTarget } from '../types.ts';
import {
  type AssumptionEntry,
  type Comparison,
  compareReply,
  entryOf,
  type FindOther,
  unknownId,
  unseen,
} from './comparison.ts';
import {
  contentsOf,
  findShown,
  readData,
  renderText,
  renderTexts,
  sentMessages,
  sentParameters,
  textsOf,
} from './renderings.ts';
import { awkwardTexts } from './variables.ts';

/** Renders the sample prompt with these fields beside the variables. */
const fields =
  (body: Mapping) =>
  (samples: CheckSamples): CheckCall =>
    renderCall(samples, body);

const bodyOf =
  (body: string | undefined, type = 'application/json') =>
  (samples: CheckSamples): CheckCall => {
    const call = renderCall(samples);
    return { ...call, body: body ?? call.body, headers: { 'content-type': type } };
  };

/** Finds a field of the rendered data that differs. */
const inData =
  (name: string, isOther: (found: unknown) => boolean): FindOther =>
  (body) => {
    const found = fieldOf(fieldOf(body, 'data'), name);
    return isOther(found) ? `data.${name} ${formatValue(found)}` : undefined;
  };

const isNotSeven = (found: unknown): boolean => found !== 7;
const isPresent = (found: unknown): boolean => found !== undefined;

const otherCharset: FindOther = (_body, { header }) => {
  const charset = /charset="?([\w-]+)/i.exec(header('content-type') ?? '')?.[1] ?? 'utf-8';
  return /^utf-?8$/i.test(charset) ? undefined : `a reply in the charset ${charset}`;
};

const hyperparameterNull: Comparison = async (target) => {
  const result = await compareReply(fields({ seed: null }), 200)(target);
  if (result !== undefined) return result;
  const { request, data } = await readData(target, { seed: null });
  const found = fieldOf(data, 'seed');
  return found === null ? { request, value: 'kept', actual: 'data.seed null' } : undefined;
};

/** Sends hyperparameters, and checks whether they come back together with the other hyperparameters of the template. */
const returns =
  (
    choose: (plain: Mapping) => Mapping,
    namesOf: (plain: Mapping) => readonly string[] = () => [],
  ): Comparison =>
  async (target) => {
    const { data } = await readData(target);
    const plain = isMapping(data) ? data : {};
    const sent = choose(plain);
    if (Object.keys(sent).length === 0) return undefined;
    const { request, data: found } = await readData(target, sent, { mayFail: true });
    const name = [...Object.keys(sent), ...namesOf(plain)].find((header) =>
      header in sent ? !isWithin(sent[header], fieldOf(found, header)) : fieldOf(found, header) === undefined,
    );
    if (name === undefined) return undefined;
    const wanted = name in sent ? `${formatValue(sent[name])}, as it was sent` : 'of the template';
    const actual = `data.${name} ${formatValue(fieldOf(found, name))}`;
    return { request, actual, expected: `data.${name} ${wanted}` };
  };

/** Other numbers than the template has. */
const otherNumbers = (plain: Mapping): Mapping =>
  Object.fromEntries(
    Object.entries(plain).flatMap(([name, value]) => {
      const sent = sentParameters[name];
      return typeof sent === 'number' ? [[name, value === sent ? sent + 1 : sent]] : [];
    }),
  );

const rootMessages: Comparison = async (target) => {
  const { request, data } = await readData(target, { messages: sentMessages });
  const texts = contentsOf(data);
  const sent: readonly unknown[] = sentMessages.map(({ content }) => content);
  const isIgnored = !texts.includes(sent[1]);
  if (!isIgnored && texts.every((text) => sent.includes(text))) return undefined; // render-messages compares the rest
  const actual = `${texts.length} messages, ${isIgnored ? 'without' : 'with'} the sent ones`;
  return { request, value: isIgnored ? 'template-wins' : undefined, actual };
};

const tag = '{{gwm}}';

const rootMessagesRendered: Comparison = async (target) => {
  const variables = { ...target.samples.variables, gwm: 'gwm-value' };
  const messages = [{ role: 'user', content: tag }];
  const { request, data } = await readData(target, { messages }, { variables });
  const texts = contentsOf(data);
  if (texts.length !== 1) throw new NotCheckable('the target does not return the sent messages.');
  return texts[0] === tag ? undefined : { request, actual: `the content ${formatValue(texts[0])}` };
};

/** The contract states that values are put into the template, but not that they are unchanged. */
const textsUnchanged: Comparison = async (target) => {
  if (findTexts(target.samples.variables).length === 0) return undefined;
  for (const text of [...awkwardTexts, `a ${tag} b`]) {
    const { request, found } = await renderText(target, text);
    for (const { path, isPlain, places } of found) {
      const escaped = isPlain ? text : JSON.stringify(text).slice(1, -1);
      const place = places.find((candidate) => candidate !== text && candidate !== escaped);
      const expected = formatValue(text);
      if (place !== undefined) return { request, actual: formatValue(place), expected };
      if (places.length === 0) return { request, actual: `no text of variables.${path}`, expected };
    }
  }
  return undefined;
};

/** The template decides the model; the body of a chat completion needs a model. */
const modelPresent: Comparison = async (target) => {
  const { request, data } = await readData(target);
  const model = fieldOf(data, 'model');
  if (typeof model === 'string') return undefined;
  return { request, actual: `data.model ${formatValue(model)}`, expected: 'data.model of the template' };
};

/** A template without its variables is rendered as with empty texts: without a `None`, and without tags. */
const missingVariable: Comparison = async (target) => {
  const blanks = mapValues(target.samples.variables ?? {}, () => '');
  const { texts } = await renderTexts(target, blanks);
  const isOther: FindOther = (body) => {
    const found = textsOf(fieldOf(body, 'data'));
    return found.join('\n') === texts.join('\n') ? undefined : `the messages ${formatValue(found.join(' '))}`;
  };
  const call = renderCall({ ...target.samples, variables: {} });
  return compareReply(call, { 200: 'empty', 400: '400' }, isOther)(target);
};

/** Sends an object as the value of a text variable. */
const structuredValues: Comparison = async (target) => {
  const { shown } = await findShown(target);
  const path = shown.find(({ isPlain }) => isPlain)?.path;
  if (path === undefined) throw new NotCheckable('the messages show no variable that is a text itself.');
  const variables = { ...target.samples.variables, [path]: { gwm: [7] } };
  const isOther: FindOther = (body) => {
    const texts = textsOf(fieldOf(body, 'data'));
    return texts.some((text) => text.includes('{"gwm":[7]}')) ? undefined : `no JSON of variables.${path}`;
  };
  const call = renderCall({ ...target.samples, variables });
  return compareReply(call, { 200: 'json', 500: '500' }, isOther)(target);
};

const latestVersion = ({ prompt = '', ...samples }: CheckSamples): CheckCall => {
  if (prompt.includes('@')) throw new NotCheckable('the id of the prompt already has a version suffix.');
  return renderCall({ ...samples, prompt: `${prompt}@latest` });
};

/** Renders the prompt of docs/verify.md. Its partial is the prompt itself, in a section that is never shown. */
const probe =
  (variables: Mapping = {}) =>
  ({ probePrompt = '' }: CheckSamples): CheckCall =>
    renderCall({ prompt: probePrompt, variables: { gwm: true, gwm_partial: probePrompt, ...variables } });

const readProbe = (target: CheckTarget): Promise<Mapping> => readObject(target, probe()(target.samples));

/** What becomes of its lines, for each value of the assumption. */
const renderedLines = { 'one\n\ntwo\n\nthree': 'kept', 'one\ntwo\nthree': 'removed' };

const templateLines: Comparison = async (target) => {
  const [text] = contentsOf(fieldOf(await readProbe(target), 'data'));
  const value = Object.entries(renderedLines).find(([rendered]) => rendered === text)?.[1];
  if (value === undefined)
    throw new NotCheckable(
      `the probe prompt has another text than docs/verify.md gives: ${formatValue(text)}.`,
    );
  const request = describeCall(probe()(target.samples));
  return { request, value, actual: `the content ${formatValue(text)}` };
};

const onPrompt = entryOf(['prompt'], (target) => readData(target));

export const assumedRendering = {
  'body-format': onPrompt([bodyOf('{"variables":'), 400], [fields({}), 200, otherCharset]),
  'body-type': onPrompt([bodyOf(undefined, 'text/plain'), 415]),
  'body-size': unseen('this needs a body of 10 MB.'),
  'variables-required': onPrompt([bodyOf('{}'), 400, { param: 'variables' }]),
  'nested-hyperparameters': onPrompt([fields({ hyperparameters: { max_tokens: 7 } }), 400]),
  'hyperparameter-type': onPrompt([fields({ max_tokens: '7' }), { 400: '400', 200: 'passed-through' }]),
  'hyperparameter-null': onPrompt(hyperparameterNull),
  'unknown-hyperparameter': onPrompt([fields({ gwm_other: 7 }), 200, inData('gwm_other', isNotSeven)]),
  // GET on the render path: the only call with an unserved method that changes nothing on any gateway.
  'method-not-served': onPrompt([
    (samples) => ({ method: 'GET', path: renderCall(samples).path, query: '' }),
    405,
  ]),
  // Rendering. The contract does not state that hyperparameters come back.
  'template-syntax': onPrompt(
    returns(() => sentParameters),
    textsUnchanged,
    modelPresent,
  ),
  'template-lines': entryOf(['probePrompt'])(templateLines),
  'template-text': unseen('no call shows how a prompt is stored.'),
  'structured-values': entryOf(['prompt', 'variables'], findShown)(structuredValues),
  'missing-partial': entryOf(['probePrompt'], readProbe)(
    [probe({ gwm_partial: unknownId }), 400],
    [probe({ gwm_partial: undefined }), 400],
  ),
  'missing-variable': entryOf(['prompt', 'variables'], findShown)(missingVariable),
  'root-messages': onPrompt(rootMessages),
  'root-messages-rendered': onPrompt(rootMessagesRendered),
  'hyperparameter-precedence': onPrompt(
    returns(otherNumbers, Object.keys),
    returns(({ model }) => (typeof model === 'string' ? { model: 'gateway-mock-verify' } : {}), Object.keys),
  ),
  'render-reserved-keys': onPrompt([
    fields({ prompt_id: 'gwm' }),
    200,
    inData('variables', isPresent),
    inData('prompt_id', isPresent),
  ]),
  'prompt-version': onPrompt([latestVersion, 200]),
  'recursive-partial': unseen('this needs a stored prompt that includes itself without end.'),
  'render-size': unseen('this needs a rendering of 10 MB.'),
} satisfies Readonly<Partial<Record<AssumptionId, AssumptionEntry>>>;
