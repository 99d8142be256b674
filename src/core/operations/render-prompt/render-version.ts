import type { Assume } from '../../assumptions/table.ts';
import { refuse } from '../../protocol/refuse.ts';
import { describeJson, findJsonError, isDeeperThan, parseJson, toJsonText } from '../../util/json.ts';
import { limits } from '../../util/limits.ts';
import { isMapping, mapTexts } from '../../util/mapping.ts';
import { toPathText } from '../../util/path-text.ts';
import { truncate } from '../../util/truncate.ts';
import { tryParse } from '../../util/try-parse.ts';
import type { World } from '../../world/world.ts';
import { describeIssue, findIssues, withoutNulls } from './hyperparameters.ts';
import type { Lines } from './parse-template.ts';
import { findPartials } from './partials.ts';
import type { FoundPrompt } from './record.ts';
import { Renderer } from './template.ts';
import type { PromptMessage, PromptPreview, PromptVersion } from './types.ts';

/** Renders the messages of a stored prompt. @throws GatewayError */
export const renderVersion = (
  { name, version }: Pick<FoundPrompt, 'name' | 'version'>,
  variables: object,
  world: World,
  assume: Assume,
): PromptPreview => {
  const { messages: templates = [], string } = version;
  const { partials, texts, unknown, unnamed } = findPartials(version, variables, world);
  refuseMissingPartials('prompt', unknown);
  refuseMissingPartials('variable', unnamed, 'variables');

  const render = (lines: Lines) => {
    const renderer = new Renderer({ name, variables, partials, lines });
    const messages =
      string === undefined
        ? templates.map(
            (template) => mapTexts(template, (text) => renderer.renderText(text)) as PromptMessage,
          ) // its shape stays the same
        : readMessages(renderer.renderJson(string));
    return { messages, missing: [...renderer.missing], structured: [...renderer.structured] };
  };
  const lines = world.assumptions.choiceOf('template-lines');
  const { messages, missing, structured } = render(lines);
  if (structured.length > 0 && assume('structured-values') === '500')
    refuse('structured-values', {
      message: `An object or a list stands inside a text, which breaks the JSON of the messages: ${truncate(structured.join(', '))}. Send it as a string.`,
    });
  // A tag that stands alone on its line may be in a section that is not rendered.
  const mayDiffer = texts.some((text) => text.includes('{{') && /\n|^\s|\s$/.test(text));
  if (mayDiffer && !isEqual(() => render(lines === 'kept' ? 'removed' : 'kept').messages, messages))
    assume('template-lines');
  return { messages, missing };
};

const isEqual = (render: () => unknown, messages: unknown): boolean => {
  try {
    return toJsonText(render()) === toJsonText(messages);
  } catch {
    return false; // it is refused
  }
};

const refuseMissingPartials = (what: string, names: ReadonlySet<string>, param?: string): void => {
  if (names.size > 0)
    refuse('missing-partial', {
      message: `Missing ${what} partials: ${truncate([...names].join(', '))}`,
      param,
    });
};

/** @throws GatewayError 500 if a rendered text is not a list of messages */
const readMessages = (text: string): readonly PromptMessage[] => {
  const refuseText = (reason: string, at = 0): never =>
    refuse('template-text', {
      status: 500,
      message: `The rendered prompt is not a JSON list of messages: ${reason}, at character ${at + 1}: ${showPlace(text, at)}`,
    });
  const value = tryParse(text, parseJson);
  if (value === undefined) {
    const { message, at } = findJsonError(text) ?? { message: 'not valid JSON', at: 0 };
    const isComma = text.slice(0, at).trimEnd().endsWith(',') || text[at] === ',';
    const question = isComma ? '. A comma is left over: is a list empty, or a value missing?' : '';
    return refuseText(message + question, at);
  }
  if (!Array.isArray(value)) return refuseText(`it is ${describeJson(value)}`);
  if (!value.every(isMapping)) return refuseText('an item of the list is not an object');
  if (isDeeperThan(value, limits.depth)) return refuseText('it is nested too deeply');
  return value;
};

/** The part of a text around a place, with a mark at the place. */
const showPlace = (text: string, at: number): string => {
  const from = Math.max(0, at - 30);
  const shown = `${text.slice(from, at)}▸${text.slice(at, at + 30)}`.replace(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${shown}${at + 30 < text.length ? '…' : ''}`;
};

/**
 * Leaves out hyperparameters that are null, unless an assumption keeps them, and checks the types of a rendered prompt. @throws
 * GatewayError 500
 */
export const checkRendered = (
  rendered: PromptVersion['parameters'] & { readonly messages?: readonly object[] },
  assume: Assume,
) => {
  const data = withoutNulls(rendered);
  const [issue] = findIssues(data);
  if (issue !== undefined && assume('hyperparameter-type') === '400')
    refuse('hyperparameter-type', {
      status: 500,
      message: `The rendered prompt has another type than the contract at '${toPathText(issue.path)}': ${describeIssue(issue, data)}. To allow it, set the assumption hyperparameter-type to "passed-through".`,
    });
  return assume('hyperparameter-null') === 'kept' ? rendered : data;
};
