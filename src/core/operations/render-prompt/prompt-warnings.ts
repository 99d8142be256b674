import { GatewayError } from '../../protocol/errors.ts';
import { isMapping, type Mapping } from '../../util/mapping.ts';
import { didYouMean } from '../../util/nearest.ts';
import { truncate } from '../../util/truncate.ts';
import type { ValidationError } from '../../util/validation-error.ts';
import type { World } from '../../world/world.ts';
import { templatesOf, textsOf } from './check-prompt.ts';
import { mustacheWay, type Part, parseTemplate, partsIn, quoteTag } from './parse-template.ts';
import { findVariables } from './prompt-example.ts';
import { findPrompt, firstIds } from './record.ts';
import { renderVersion } from './render-version.ts';

/** Finds the probable slips in the stored prompts of a scenario, with the paths of the scenario. */
export function* findPromptWarnings(scenario: object, world: World): Generator<ValidationError> {
  const stored: unknown = Object(scenario).prompts;
  for (const [id, prompt] of Object.entries(isMapping(stored) ? stored : {}))
    for (const warning of warnOfPrompt(prompt, world))
      yield { ...warning, path: ['prompts', id, ...warning.path] };
}

/**
 * Finds parts of a stored prompt that are valid, but probably slips: tags of other template languages, partials that do not exist,
 * misspelt roles, and a JSON text of messages that is not JSON.
 */
export function* warnOfPrompt(prompt: unknown, world: World): Generator<ValidationError> {
  for (const { path, template } of templatesOf(prompt)) {
    const { messages, string } = template;
    for (const [index, message] of (Array.isArray(messages) ? messages : []).entries())
      for (const slip of isMapping(message) ? findSlips(message) : [])
        yield { message: slip.message, path: [...path, 'messages', index, ...slip.path] };
    for (const { path: place, text } of textsOf(template))
      for (const part of partsIn(parseTemplate(text, 'kept'))) {
        const warning = warnOf(part, world);
        if (warning !== undefined) yield { at: part.at, ...warning, path: [...path, ...place] };
      }
    const badJson = typeof string === 'string' ? findBadJson(string, world) : undefined;
    if (badJson !== undefined) yield { ...badJson, path: [...path, 'string'] };
  }
}

type Warning = Pick<ValidationError, 'message' | 'at'>;

const warnOf = (part: Part, world: World): Warning | undefined => {
  if (part.type === 'text') {
    for (const [pattern, language, way] of foreignTags) {
      const { 0: tag, index } = pattern.exec(part.text) ?? { index: 0 };
      if (tag === undefined) continue;
      const message = `${quoteTag(tag)} is ${language} and stays in the text. In Mustache, ${way}`;
      return { message, at: part.at + index };
    }
    return undefined;
  }
  if (part.type === 'nothing') return undefined;
  const { name } = part;
  if (part.type === 'partial') {
    if (part.isNamedByVariable || findPrompt(name, world) !== undefined) return undefined;
    const question = /\s/.test(name)
      ? ' Partials take no arguments: they see the same variables'
      : didYouMean(name, firstIds(world));
    return { message: `the partial {{>${truncate(name, 60)}}} does not exist, so calls get 400.${question}` };
  }
  const way = wayOf(name);
  return way === undefined
    ? undefined
    : { message: `${quoteTag(`{{${name}}}`)} is not Mustache: its value is always missing. ${way}` };
};

/** Tags of other languages that are text in Mustache: the language, and Mustache's way. */
const foreignTags: readonly (readonly [pattern: RegExp, language: string, way: string])[] = [
  [/\{%.*?%\}/, 'Jinja', 'write {{#name}}…{{/name}}'],
  [/\{#\s.*?\s#\}/, 'Jinja', 'write {{! words }}'],
  [/<%[=-].*?%>/, 'ERB', 'write {{name}}'],
  [/<%.*?%>/, 'ERB', 'write {{#name}}…{{/name}}'],
  [/--\}\}/, 'Handlebars', 'a comment ends at the first }}'],
];

/** How Mustache writes a tag of another language. Undefined for an ordinary name, which may have blanks. */
const wayOf = (name: string): string | undefined => {
  if (/^else\b/.test(name)) return 'For the other case, write {{^name}}…{{/name}}';
  if (/^this\b/.test(name)) return 'In a section, write {{.}} for the item and {{name}} for its field';
  if (name.startsWith('@')) return 'Mustache has no index: put it into the items';
  if (/^\.(?:\.?\/|\w)/.test(name)) return 'Write the name alone: it is also looked up further out';
  if (name.includes('|')) return 'Mustache has no filters: send the value as it should appear';
  if (/[[(]/.test(name)) return 'Mustache has no indexes and no calls. For a list, write {{#name}}…{{/name}}';
  if (/"|(?:^|\s)'|\s[-+*/%=!<>?&]+\s/.test(name))
    return 'Mustache has no expressions: send the value as it should appear';
  if (/^[~-]|[~-]$/.test(name)) return 'Mustache trims no blanks: write the name alone';
  if (name === '') return 'A tag needs a name';
  return /[{}]/.test(name) ? 'A tag is not closed by }}' : mustacheWay(name);
};

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
const inPlaceOfContent = ['tool_calls', 'function_call', 'refusal', 'audio'];
const otherFields = ['name', 'tool_call_id', ...inPlaceOfContent];

/** Finds a role that no model knows, the name of a field that is nearly `role` or `content`, or a message without content. */
function* findSlips(message: Mapping): Generator<ValidationError> {
  const absent = ['role', 'content'].filter((name) => !Object.hasOwn(message, name));
  for (const name of Object.keys(message)) {
    const question = otherFields.includes(name) ? '' : didYouMean(name, absent);
    if (question === '') continue;
    yield { path: [name], message: `unknown field "${truncate(name, 60)}".${question}` };
    return;
  }
  const { role } = message;
  if (role === undefined) yield { path: [], message: 'the message has no role' };
  else if (typeof role === 'string' && !role.includes('{{') && !roles.includes(role))
    yield { path: ['role'], message: `unknown role "${truncate(role, 60)}".${didYouMean(role, roles)}` };
  if (message.content === null && !inPlaceOfContent.some((name) => Object.hasOwn(message, name)))
    yield {
      path: [],
      message: 'the message has no content. In YAML, # begins a comment: put texts in quotes',
    };
}

/** Why a text that should be the JSON of messages is not, when rendered with its example variables. The text of a partial need not be. */
const findBadJson = (string: string, world: World): Warning | undefined => {
  if (!/^\s*\[/.test(string)) return undefined;
  const version = { version: 1, labels: [], parameters: {}, string };
  try {
    const { example } = findVariables(version, world);
    renderVersion({ name: '', version }, example, world, world.assumptions.choiceOf);
    return undefined;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.assumption !== 'template-text') return undefined; // others have warnings, or need values
    const [, piece = ''] = /▸(.{1,16})/.exec(error.message) ?? [];
    return { message: error.message, at: Math.max(0, string.indexOf(piece)) };
  }
};
