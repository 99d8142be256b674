import type { Assume } from '../../assumptions/table.ts';
import { refuse } from '../../protocol/errors.ts';
import { describeJson, findJsonError, isDeeperThan, parseJson, toJsonText } from '../../util/json.ts';
import { limits } from '../../util/limits.ts';
import { isMapping } from '../../util/mapping.ts';
import { toPathText } from '../../util/path-text.ts';
import { truncate } from '../../util/truncate.ts';
import type { World } from '../../world/world.ts';
import { describeIssue, findIssues, withoutNulls } from './hyperparameters.ts';
import { type Lines, parseTemplate, partsIn, type Template } from './parse-template.ts';
import { findPartials } from './partials.ts';
import type { FoundPrompt } from './record.ts';
import { type PartialTexts, type Rendering, renderJson, renderMessage } from './template.ts';
import type { PromptMessage, PromptPreview, PromptVersion } from './types.ts';

/** Renders the messages of a stored prompt. @throws GatewayError */
export const renderVersion = (
  { name, version }: FoundPrompt,
  variables: object,
  world: World,
  assume: Assume,
): PromptPreview => {
  assume('template-syntax');
  if (version.string !== undefined) assume('template-text');
  const { partials, texts, missing: unknown, missingVariables } = findPartials(version, variables, world);
  refuseMissingPartials('prompt', unknown);
  refuseMissingPartials('variable', missingVariables, 'variables');
  const missing = new Set<string>();
  const structured = new Set<string>();
  let cost = 0;
  const render = (lines: Lines) =>
    renderMessages(version, {
      variables,
      lines,
      chain: [name],
      depth: 0,
      findPartial: (id) => partials.get(id) as PartialTexts, // `findPartials` found all
      onMissing: (missed) => missing.add(missed),
      onStructured: (found) => structured.add(found),
      onTooDeep: refuseDepth,
      onStep: (step) => {
        cost += step;
        if (cost > limits.rendering) refuseSize();
      },
    });

  const lines = world.assumptions.choiceOf('template-lines');
  const messages = render(lines);
  if (structured.size > 0 && assume('structured-values') === '500')
    refuse('structured-values', {
      status: 500,
      message: `An object or a list stands inside a text, which breaks the JSON of the messages: ${truncate([...structured].join(', '))}. Send it as a string.`,
    });
  const isOther = (): boolean => {
    cost = 0;
    try {
      return toJsonText(render(lines === 'kept' ? 'removed' : 'kept')) !== toJsonText(messages);
    } catch {
      return true; // it is refused
    }
  };
  // Few templates have a tag that stands alone on its line, and it may be in a section that is not rendered.
  if (texts.some(hasLoneTags) && isOther()) assume('template-lines');
  return { messages, missing: [...missing] };
};

const refuseMissingPartials = (what: string, names: ReadonlySet<string>, param?: string): void => {
  if (names.size > 0)
    refuse('missing-partial', {
      status: 400,
      message: `Missing ${what} partials: ${truncate([...names].join(', '))}`,
      param,
    });
};

/** Whether the choice of `template-lines` matters to a text. */
const hasLoneTags = (text: string): boolean =>
  textLength(parseTemplate(text, 'kept')) !== textLength(parseTemplate(text, 'removed'));

const textLength = (template: Template): number => {
  let length = 0;
  for (const part of partsIn(template)) if (part.type === 'text') length += part.text.length;
  return length;
};

const renderMessages = (
  { messages = [], string }: PromptVersion,
  rendering: Rendering,
): readonly PromptMessage[] =>
  string === undefined
    ? messages.map((message) => renderMessage(message, rendering))
    : readMessages(renderJson(string, rendering));

/** @throws GatewayError 500 if a rendered text is not a list of messages */
const readMessages = (text: string): readonly PromptMessage[] => {
  const refuseText = (reason: string, at = 0): never =>
    refuse('template-text', {
      status: 500,
      message: `The rendered prompt is not a JSON list of messages: ${reason}, at character ${at + 1}: ${showPlace(text, at)}`,
    });
  const value = tryParse(text);
  if (value === undefined) {
    const { message, at } = findJsonError(text) ?? { message: 'not valid JSON', at: 0 };
    const isComma = text.slice(0, at).trimEnd().endsWith(',') || text[at] === ',';
    return refuseText(
      isComma ? `${message}. A comma is left over: is a list empty, or a value missing?` : message,
      at,
    );
  }
  if (!Array.isArray(value)) return refuseText(`it is ${describeJson(value)}`);
  if (!value.every(isMapping)) return refuseText('an item of the list is not an object');
  if (isDeeperThan(value, limits.depth)) return refuseText('it is nested too deeply');
  return value;
};

const tryParse = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/** A part of a text, with a mark before the place. */
const showPlace = (text: string, at: number): string => {
  const from = Math.max(0, at - 30);
  const shown = `${text.slice(from, at)}▸${text.slice(at, at + 30)}`.replace(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${shown}${at + 30 < text.length ? '…' : ''}`;
};

const refuseDepth = (chain: readonly string[]): never => {
  const again = chain.findIndex((name, index) => chain.indexOf(name) < index);
  return again === -1
    ? refuse('render-size', {
        status: 400,
        message: `The template is nested too deeply: at most ${limits.depth} sections and partials may contain each other.`,
      })
    : refuse('recursive-partial', {
        status: 400,
        message: `A partial includes itself more than ${limits.depth} levels deep: ${chain.slice(0, again + 1).join(' > ')}.`,
      });
};

const refuseSize = (): never =>
  refuse('render-size', {
    status: 400,
    message: `The rendering takes more than ${limits.rendering} steps and characters.`,
    param: 'variables',
  });

/** Leaves out what is null, unless it is kept, and checks the types of what a stored prompt has become. @throws GatewayError 500 */
export const checkRendered = (
  { messages, ...parameters }: PromptVersion['parameters'] & { readonly messages?: readonly object[] },
  assume: Assume,
) => {
  const rendered = { ...parameters, ...(messages && { messages }) };
  const data = withoutNulls(rendered);
  const [issue] = findIssues(data);
  if (issue !== undefined && assume('hyperparameter-type') === '400')
    refuse('hyperparameter-type', {
      status: 500,
      message: `The rendered prompt has another type than the contract at '${toPathText(issue.path)}': ${describeIssue(issue, data)}. To allow it, set the assumption hyperparameter-type to "passed-through".`,
    });
  return assume('hyperparameter-null') === 'kept' ? rendered : data;
};
