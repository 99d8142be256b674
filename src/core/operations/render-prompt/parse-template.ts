import mustache from 'mustache';
import type { ChoiceOf } from '../../assumptions/table.ts';
import { limits } from '../../util/limits.ts';
import { messageOf } from '../../util/message-of.ts';
import { truncate } from '../../util/truncate.ts';

/** What becomes of the line of a tag that stands alone on it: a value of the assumption `template-lines`. */
export type Lines = ChoiceOf<'template-lines'>;

/** A parsed template. */
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
      /** What each of its lines begins with. */
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
/** How many templates are kept parsed, and the length of the longest one. */
const [maxParsed, maxCached] = [1000, 10_000];

/** Parses a Mustache template by the library. @throws TemplateError */
export const parseTemplate = (text: string, lines: Lines): Template => {
  const cached = parsed[lines].get(text);
  if (cached !== undefined) return cached;
  if (!text.includes('{{')) return [{ type: 'text', text, at: 0 }];
  // The library takes time in proportion to the square of their number.
  for (const { 0: blanks, index } of text.matchAll(/\s+/g))
    if (blanks.length > limits.templateBlanks)
      throw new TemplateError(`more than ${limits.templateBlanks} blanks in a row`, index);
  const template = parse(text, lines);
  if (text.length > maxCached) return template;
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

/** Whether a text must be parsed again each time it is rendered. */
export const isCached = (text: string): boolean => text.length <= maxCached;

/** A token of the library's parser: [type, value, start, end, inner tokens, …]. */
type Token = readonly [type: string, value: string, start: number, end: number, inner?: unknown];

const writer = Object.assign(new mustache.Writer(), { templateCache: undefined }); // its cache would never forget a text

const parse = (text: string, lines: Lines): Template => {
  // The library removes the line of a tag that stands alone on it. The real gateway parses a JSON text, where a line break is an
  // escape, so nothing stands alone. So does this: the text as a JSON string, quotes included.
  const isKept = lines === 'kept';
  const source = isKept ? JSON.stringify(text) : text;
  const decode = (json: string): string => (isKept ? (JSON.parse(`"${json}"`) as string) : json); // the text of a JSON string
  const within = (from: number, to: number): string =>
    decode(
      isKept ? source.slice(Math.max(from, 1), Math.min(to, source.length - 1)) : source.slice(from, to),
    );
  let [read, place] = [0, 0];
  /** The place in the text of one in the source. They are asked for in order. */
  const placeOf = (at: number): number => {
    place += within(read, at).length;
    read = at;
    return place;
  };

  const toPart = ([type, value, start, end, inner]: Token): Part => {
    const at = placeOf(start);
    if (type === 'text') return { type: 'text', text: isKept ? within(start, end) : value, at };
    if (type === '!') return { type: 'nothing', at };
    const tag = within(start, end);
    if (/[\r\n]/.test(tag)) throw new TemplateError(`the tag ${quoteTag(tag)} is not closed on its line`, at);
    if (type === '=') {
      if (value.split(/\s+/).some((delimiter) => /^[\w"\\]/.test(delimiter)))
        throw new TemplateError(
          `the delimiters of ${quoteTag(tag)} begin with a letter, a digit, a quote or a backslash, which the text may contain`,
          at,
        );
      return { type: 'nothing', at };
    }
    const name = decode(value);
    if (/^[<$]/.test(name)) throw new TemplateError(withoutInheritance(tag), at);
    if (type === '>') {
      if (name.startsWith('*')) throw new TemplateError(withoutDynamicNames(tag, name.slice(1)), at);
      const isNamedByVariable = name.startsWith('>');
      const indentation = isKept ? '' : indentationAt(text, start, end);
      return { type: 'partial', name: name.replace(/^>\s*/, ''), isNamedByVariable, indentation, at };
    }
    if (type !== '#' && type !== '^') return { type: 'variable', name, at };
    return { type: 'section', name, isInverted: type === '^', inner: (inner as Token[]).map(toPart), at }; // a section has inner tokens
  };

  let tokens: Token[];
  try {
    // The library types tokens as unknown. The tags are given, because an app may have changed the global ones.
    tokens = writer.parse(source, ['{{', '}}']) as Token[];
  } catch (error) {
    throw explainError(text, messageOf(error));
  }
  return tokens.map(toPart);
};

/** The whitespace before a tag that is alone on its line; otherwise empty. The library also indents partials that share theirs. */
const indentationAt = (text: string, start: number, end: number): string => {
  let from = start;
  while (/[ \t]/.test(text.charAt(from - 1))) from -= 1;
  const startsLine = from === 0 || text[from - 1] === '\n';
  return startsLine && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end)) ? text.slice(from, start) : '';
};

/** Finds the tag for which the library refuses a template: it names only the place where it noticed. */
const explainError = (text: string, message: string): TemplateError => {
  const cut = /\{\{(?!!)(?:(?!\}\}|\{\{)[^\n])*(?=\n|\{\{|$)/.exec(text);
  if (cut !== null) return new TemplateError(`the tag ${quoteTag(cut[0])} is not closed by }}`, cut.index);
  const open: { readonly tag: string; readonly name: string; readonly at: number }[] = [];
  for (const { 0: tag, 1: kind, 2: name = '', index } of text.matchAll(
    /\{\{\s*([#^/<$])\s*([^}]*?)\s*\}\}/g,
  )) {
    const last = open.at(-1);
    if (kind === '<' || kind === '$') return new TemplateError(withoutInheritance(tag), index);
    if (kind !== '/') open.push({ tag, name, at: index });
    else if (last === undefined)
      return new TemplateError(`${quoteTag(tag)} closes a section that is not open`, index);
    else if (last.name === name) open.pop();
    else {
      const hint = mustacheWay(last.name);
      const problem = `${quoteTag(tag)} does not close ${quoteTag(last.tag)}, the section that is open there`;
      return hint === ''
        ? new TemplateError(problem, index)
        : new TemplateError(`${quoteTag(last.tag)} is not closed.${hint}`, last.at);
    }
  }
  const last = open.at(-1);
  if (last === undefined)
    return new TemplateError(`not valid Mustache: ${message.replace(/ at \d+$/, '')}`, 0); // it has other delimiters
  return new TemplateError(
    `the section ${quoteTag(last.tag)} is not closed by {{/${truncate(last.name, 60)}}}.${mustacheWay(last.name)}`.replace(
      /\.$/,
      '',
    ),
    last.at,
  );
};

/** How Mustache writes the blocks of Handlebars. Empty for the name of a section. */
export const mustacheWay = (name: string): string => {
  const [, word = '', value = ''] = /^(each|if|with|unless)\s+([^\s]+)/.exec(name) ?? [];
  if (word === '') return '';
  const shown = truncate(value, 60);
  return ` #${word} is Handlebars: in Mustache, write {{${word === 'unless' ? '^' : '#'}${shown}}}…{{/${shown}}}`;
};

const withoutInheritance = (tag: string): string =>
  `${quoteTag(tag)} is inheritance, which the gateway does not have. Use partials: {{>id}}`;

const withoutDynamicNames = (tag: string, name: string): string =>
  `${quoteTag(tag)} is a dynamic name, which the gateway does not have. Write {{>>${truncate(name, 60)}}}`;

/** The first line of a tag, at most 60 characters of it. */
export const quoteTag = (tag: string): string => truncate(tag.split(/\r?\n/)[0]?.trimEnd() ?? '', 60);
