import mustache from 'mustache';
import type { ChoiceOf } from '../../assumptions/table.ts';
import { limits } from '../../util/limits.ts';
import { messageOf } from '../../util/message-of.ts';
import { truncate } from '../../util/truncate.ts';

/** What becomes of a line on which a tag stands alone: the value of the assumption `template-lines`. */
export type Lines = ChoiceOf<'template-lines'>;

export type Template = readonly Part[];

/** A part of a template, with its place in the text. */
export type Part = { readonly at: number } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string }
  | {
      readonly type: 'section';
      readonly name: string;
      readonly isInverted: boolean;
      readonly inner: Template;
    }
  /** `{{>name}}`, or `{{>>name}}`, which has the name of a variable. */
  | {
      readonly type: 'partial';
      readonly name: string;
      readonly isNamedByVariable: boolean;
      /** The whitespace with which each of its lines begins. */
      readonly indentation: string;
    }
  | { readonly type: 'nothing' }
);

/** An error in a template, with its place in the text. */
export class TemplateError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const parsed: Readonly<Record<Lines, Map<string, Template>>> = { kept: new Map(), removed: new Map() };
const maxParsed = 1000;
/** The length of the longest template that need not be parsed again each time it is rendered. */
export const longestCached = 10_000;

/** Parses a Mustache template by the library. @throws TemplateError */
export const parseTemplate = (text: string, lines: Lines): Template => {
  const cached = parsed[lines].get(text);
  if (cached !== undefined) return cached;
  if (!text.includes('{{')) return [{ type: 'text', text, at: 0 }];
  // The library takes n² time for n blanks.
  for (const { 0: blanks, index } of text.matchAll(/\s+/g))
    if (blanks.length > limits.templateBlanks)
      throw new TemplateError(`more than ${limits.templateBlanks} blanks in a row`, index);
  const template = parse(text, lines);
  if (text.length > longestCached) return template;
  if (parsed[lines].size >= maxParsed) parsed[lines].clear();
  parsed[lines].set(text, template);
  return template;
};

/** All parts of a template, also those inside its sections. */
export function* partsIn(template: Template): Generator<Part> {
  for (const part of template) {
    yield part;
    if (part.type === 'section') yield* partsIn(part.inner);
  }
}

/** A token of the library's parser: [type, value, start, end, inner tokens, …]. */
type Token = readonly [type: string, value: string, start: number, end: number, inner?: unknown];

const writer = Object.assign(new mustache.Writer(), { templateCache: undefined }); // the library's cache never forgets a text

const parse = (text: string, lines: Lines): Template => {
  // The library removes the line of a tag that stands alone on it. The real gateway parses a JSON text, where a line break is an
  // escape, so that no tag stands alone on a line. So this parses the text as a JSON string, with its quotes.
  const isKept = lines === 'kept';
  const source = isKept ? JSON.stringify(text) : text;
  const decode = (piece: string): string => (isKept ? (JSON.parse(`"${piece}"`) as string) : piece); // a JSON string is a text
  const [first, last] = isKept ? [1, source.length - 1] : [0, source.length];
  const within = (start: number, end: number): string =>
    decode(source.slice(Math.max(start, first), Math.min(end, last)));
  let [read, at] = [0, 0];

  const toPart = ([type, value, start, end, inner]: Token): Part => {
    at += within(read, start).length; // tokens come in order
    read = start;
    const place = at;
    if (type === 'text') return { type: 'text', text: isKept ? within(start, end) : value, at: place };
    if (type === '!') return { type: 'nothing', at: place };
    const tag = within(start, end);
    if (type === '=') {
      if (value.split(/\s+/).some((delimiter) => /^[\w"\\]/.test(delimiter)))
        throw new TemplateError(
          `the delimiters of ${quoteTag(tag)} begin with a letter, a digit, a quote or a backslash, which the text may contain`,
          place,
        );
      return { type: 'nothing', at: place };
    }
    const name = decode(value);
    const problem = describeTag(tag, name, type === '>');
    if (problem !== undefined) throw new TemplateError(problem, place);
    if (type === '#' || type === '^')
      return {
        type: 'section',
        name,
        isInverted: type === '^',
        inner: (inner as Token[]).map(toPart),
        at: place,
      }; // a section has inner tokens
    if (type !== '>') return { type: 'variable', name, at: place };
    const indentation = isKept ? '' : indentationAt(text, start, end);
    return {
      type: 'partial',
      name: name.replace(/^>\s*/, ''),
      isNamedByVariable: name.startsWith('>'),
      indentation,
      at: place,
    };
  };

  try {
    // The library types tokens as unknown. The tags are passed, because an app may have changed the global tags.
    const tokens = writer.parse(source, ['{{', '}}']) as Token[];
    return tokens.map(toPart);
  } catch (error) {
    throw error instanceof TemplateError ? error : explainError(text, messageOf(error));
  }
};

/** Why a tag is refused that the library accepts. */
const describeTag = (tag: string, name: string, isPartial = false): string | undefined => {
  const quoted = quoteTag(tag);
  if (/[\r\n]/.test(tag)) return `the tag ${quoted} is not closed on its line`;
  if (/^[<$]/.test(name))
    return `${quoted} is inheritance, which the gateway does not have. Use partials: {{>id}}`;
  return isPartial && name.startsWith('*')
    ? `${quoted} is a dynamic name, which the gateway does not have. Write {{>>${truncate(name.slice(1), 60)}}}`
    : undefined;
};

/** The whitespace before a tag that stands alone on its line; otherwise empty. The library would also indent partials that share a line. */
const indentationAt = (text: string, start: number, end: number): string => {
  let from = start;
  while (/[ \t]/.test(text.charAt(from - 1))) from -= 1;
  const startsLine = from === 0 || text[from - 1] === '\n';
  return startsLine && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end)) ? text.slice(from, start) : '';
};

/** Finds the tag for which the library refuses a template: the library names only the place where it noticed the error. */
const explainError = (text: string, message: string): TemplateError => {
  const cut = /\{\{(?!!)(?:(?!\}\}|\{\{)[^\n])*(?=\n|\{\{|$)/.exec(text);
  if (cut !== null) return new TemplateError(`the tag ${quoteTag(cut[0])} is not closed by }}`, cut.index);
  const open: OpenSection[] = [];
  for (const { 0: tag, 1: kind = '', 2: name = '', index: at } of text.matchAll(tagOfSection)) {
    const problem = describeTag(tag, kind);
    if (problem !== undefined) return new TemplateError(problem, at);
    const section = open.at(-1);
    if (kind !== '/') open.push({ name, tag, at });
    else if (section?.name === name) open.pop();
    else if (section && (mustacheWay(section.name) || open.some((outer) => outer.name === name)))
      return describeUnclosed(section);
    else {
      const present = section === undefined ? '' : `: ${quoteTag(section.tag)} is`;
      return new TemplateError(`${quoteTag(tag)} closes a section that is not open${present}`, at);
    }
  }
  const section = open.at(-1);
  if (section !== undefined) return describeUnclosed(section);
  return new TemplateError(`not valid Mustache: ${message.replace(/ at \d+$/, '')}`, 0); // the template changes its delimiters
};

interface OpenSection {
  readonly name: string;
  readonly tag: string;
  readonly at: number;
}

const tagOfSection = /\{\{\s*([#^/<$])\s*([^}]*?)\s*\}\}/g;

const describeUnclosed = ({ name, tag, at }: OpenSection): TemplateError => {
  const way = mustacheWay(name);
  return new TemplateError(
    way === undefined
      ? `the section ${quoteTag(tag)} is not closed by {{/${truncate(name, 60)}}}`
      : `${quoteTag(tag)} is not closed. ${way}`,
    at,
  );
};

/** How Mustache writes a block of Handlebars. Undefined for the name of a section. */
export const mustacheWay = (name: string): string | undefined => {
  const [, word, value = ''] = /^(each|if|with|unless)\s+(\S+)/.exec(name) ?? [];
  const shown = truncate(value, 60);
  return (
    word &&
    `#${word} is Handlebars: in Mustache, write {{${word === 'unless' ? '^' : '#'}${shown}}}…{{/${shown}}}`
  );
};

/** The first line of a tag, at most 60 characters of it. */
export const quoteTag = (tag: string): string => truncate(tag.split(/\r?\n/)[0]?.trimEnd() ?? '', 60);
