import { isMapping, type Mapping } from '../../util/mapping.ts';
import { didYouMean } from '../../util/nearest.ts';
import { truncate } from '../../util/truncate.ts';
import type { RecordError } from '../../world/kind.ts';
import type { World } from '../../world/world.ts';
import { templatesOf, textsOf } from './check-prompt.ts';
import { mustacheWay, type Part, parseTemplate, partsIn, quoteTag } from './parse-template.ts';
import { findPrompt, firstIds } from './record.ts';

/** Finds the probable slips in the stored prompts of a scenario, with the paths of the scenario. */
export function* findPromptWarnings(scenario: object, world: World): Generator<RecordError> {
  const stored: unknown = Object(scenario).prompts;
  for (const [id, prompt] of Object.entries(isMapping(stored) ? stored : {}))
    for (const warning of warnOfPrompt(prompt, world))
      yield { ...warning, path: ['prompts', id, ...warning.path] };
}

/**
 * Finds what is valid in a stored prompt, but probably a slip: tags of other template languages, partials that do not exist, and
 * misspelt roles.
 */
export function* warnOfPrompt(prompt: unknown, world: World): Generator<RecordError> {
  for (const { path, template } of templatesOf(prompt)) {
    for (const warning of findSlips(template.messages))
      yield { ...warning, path: [...path, 'messages', ...warning.path] };
    for (const { path: place, text } of textsOf(template))
      for (const part of partsIn(parseTemplate(text, 'kept'))) {
        const warning = warnOf(part, world);
        if (warning !== undefined) yield { at: part.at, ...warning, path: [...path, ...place] };
      }
  }
}

const warnOf = (part: Part, world: World): { readonly message: string; readonly at?: number } | undefined => {
  if (part.type === 'text') {
    const block = /\{%.*?%\}/.exec(part.text);
    return block === null
      ? undefined
      : {
          message: `${quoteTag(block[0])} is Jinja and stays in the text. In Mustache, write {{#name}}…{{/name}}`,
          at: part.at + block.index,
        };
  }
  if (part.type === 'partial') {
    const { name, isNamedByVariable } = part;
    return isNamedByVariable || findPrompt(name, world) !== undefined
      ? undefined
      : {
          message: `the partial {{>${truncate(name, 60)}}} does not exist, so calls get 400.${didYouMean(name, firstIds(world))}`,
        };
  }
  if (part.type !== 'variable' && part.type !== 'section') return undefined;
  const way = wayOf(part.name);
  return way === undefined
    ? undefined
    : { message: `${quoteTag(`{{${part.name}}}`)} is not Mustache: its value is always missing. ${way}` };
};

/** How Mustache writes a tag of another language. Undefined for an ordinary name, which may have blanks. */
const wayOf = (name: string): string | undefined => {
  if (/^else\b/.test(name)) return 'For the other case, write {{^name}}…{{/name}}';
  if (/^this\b/.test(name)) return 'In a section, write {{.}} for the item and {{name}} for its field';
  if (name.startsWith('@')) return 'Mustache has no index: put it into the items';
  if (name.startsWith('../')) return 'Write the name alone: it is also looked up further out';
  if (name.includes('|')) return 'Mustache has no filters: send the value as it should appear';
  if (/[[(]/.test(name)) return 'Mustache has no indexes and no calls. For a list, write {{#name}}…{{/name}}';
  return mustacheWay(name).trim() || undefined;
};

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
const fields = ['name', 'tool_calls', 'tool_call_id', 'function_call', 'refusal', 'audio'];

/** Finds roles that no model knows, and names of fields that are nearly `role` or `content`. */
function* findSlips(messages: unknown): Generator<RecordError> {
  for (const [index, message] of (Array.isArray(messages) ? messages : []).entries()) {
    if (!isMapping(message)) continue;
    const { role } = message;
    const slip = findMisspeltField(message);
    if (slip !== undefined) yield { path: [index, slip.name], message: slip.message };
    else if (role === undefined) yield { path: [index], message: 'the message has no role' };
    else if (typeof role === 'string' && !role.includes('{{') && !roles.includes(role))
      yield {
        path: [index, 'role'],
        message: `unknown role "${truncate(role, 60)}".${didYouMean(role, roles)}`,
      };
  }
}

const findMisspeltField = (message: Mapping) => {
  const absent = ['role', 'content'].filter((name) => !Object.hasOwn(message, name));
  for (const name of Object.keys(message)) {
    const question = fields.includes(name) ? '' : didYouMean(name, absent);
    if (question !== '') return { name, message: `unknown field "${truncate(name, 60)}".${question}` };
  }
  return undefined;
};
