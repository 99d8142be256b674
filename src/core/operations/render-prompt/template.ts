import mustache from 'mustache';
import { toJsonText } from '../../util/json.ts';
import { mapTexts } from '../../util/mapping.ts';
import { messageOf } from '../../util/message-of.ts';

/** The context of a rendering. */
export interface Rendering {
  readonly variables: unknown;
  /** Finds the partial of `{{>id}}`; undefined if it does not exist. */
  readonly findPartial: (id: string) => PartialTexts | undefined;
  /** Called for each name that is missing or null. */
  readonly onMissing: (name: string) => void;
  /** Called if a partial includes itself. @throws always */
  readonly onRecursion: (chain: readonly string[]) => never;
  /** Called for each step, with its cost. @throws if the rendering becomes too expensive or too deep */
  readonly onStep: (cost: number, depth: number) => void;
  /** The names of the enclosing prompts, outermost first. */
  readonly chain: readonly string[];
  /** The number of enclosing sections and partials. */
  readonly depth: number;
}

/** A stored prompt as a partial: each text is rendered as a template, and a blank line separates them. */
export interface PartialTexts {
  readonly name: string;
  readonly texts: readonly string[];
}

/**
 * Renders a Mustache template. The library parses it. The rendering is our own, because the library's looks up names in
 * prototypes (`{{constructor}}`), escapes HTML, and recurses endlessly if a partial includes itself.
 */
export const renderText = (text: string, rendering: Rendering): string =>
  renderTokens(parseTemplate(text), [rendering.variables], rendering);

/** Renders all texts in a message except its role, at any depth. */
export const renderMessage = <Message extends object>(message: Message, rendering: Rendering): Message =>
  mapTexts(message, (text, name) => (name === 'role' ? text : renderText(text, rendering))) as Message; // its shape stays the same

/** Describes the first text of these messages that is not a valid template; undefined if all are valid. */
export const findTemplateError = (messages: readonly object[]): string | undefined => {
  let found: string | undefined;
  let size = 0;
  const check = (text: string, name: string): void => {
    if (name === 'role') return;
    try {
      if (text.includes('{{')) size += text.length;
      if (size > maxTemplate)
        throw new Error(`the texts with tags are longer than ${maxTemplate} characters together`);
      parseTemplate(text);
    } catch (error) {
      found ??= `"${text.slice(0, 60)}" is not valid Mustache: ${messageOf(error)}`;
    }
  };
  for (const message of messages) mapTexts(message, check);
  return found;
};

/** A token of the library's parser: [type, value, start, end, inner tokens, …]. */
type Token = readonly [type: string, value: string, start: number, end: number, inner?: unknown];

const writer = Object.assign(new mustache.Writer(), { templateCache: undefined }); // its cache would never forget a text
const parsed = new Map<string, readonly Token[]>();
/** How many templates are kept parsed, and the longest one of them. */
const [maxParsed, maxKept] = [1000, 10_000];

/** The greatest length of all texts with tags of a prompt: the library's parser takes at least a hundred bytes for each character. */
const maxTemplate = 200_000;

const parseTemplate = (text: string): readonly Token[] => {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (!text.includes('{{')) return [['text', text, 0, text.length]];
  if (text.match(/\s+/g)?.some(({ length }) => length > maxGap))
    throw new Error(`it has more than ${maxGap} characters of whitespace in a row`);
  // The library types tokens as unknown. The tags are given, because an app may have changed the global ones.
  const tokens = indentPartials(writer.parse(text, ['{{', '}}']) as Token[], text);
  if (text.length > maxKept) return tokens;
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(text, tokens);
  return tokens;
};

/** The longest whitespace: the library's parser takes time in proportion to the square of its length. */
const maxGap = 1000;

/** Sets the indentation of each partial, because the library also indents partials that share their line with other text. */
const indentPartials = (tokens: readonly Token[], text: string): readonly Token[] =>
  tokens.map(([type, value, start, end, inner]) => {
    if (type === '>') return [type, value, start, end, indentationAt(text, start, end)];
    return [type, value, start, end, Array.isArray(inner) ? indentPartials(inner, text) : inner];
  });

/** The whitespace before a tag that is alone on its line; otherwise empty. */
const indentationAt = (text: string, start: number, end: number): string => {
  let from = start;
  while (/[ \t]/.test(text.charAt(from - 1))) from -= 1;
  const startsLine = from === 0 || text[from - 1] === '\n';
  return startsLine && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end)) ? text.slice(from, start) : '';
};

/** The values in which names are looked up, innermost last. */
type Stack = readonly unknown[];

const renderTokens = (tokens: readonly Token[], stack: Stack, rendering: Rendering): string => {
  let result = '';
  for (const token of tokens) {
    rendering.onStep(stack.length, rendering.depth); // a name is looked up in each value of the stack
    result += renderToken(token, stack, rendering);
  }
  return result;
};

const renderToken = ([type, name, , , inner]: Token, stack: Stack, rendering: Rendering): string => {
  switch (type) {
    case 'text':
      return count(name, rendering);
    case 'name':
    case '&':
      return count(toText(lookUp(name, stack), name, rendering), rendering);
    case '#':
      return renderSection(itemsOf(lookUp(name, stack)), inner as Token[], stack, rendering); // a section has inner tokens
    case '^':
      if (itemsOf(lookUp(name, stack)).length > 0) return '';
      return renderTokens(inner as Token[], stack, deepen(rendering));
    case '>':
      return renderPartial(name, String(inner), stack, rendering); // set by indentPartials
    default:
      return ''; // comments and delimiter changes
  }
};

const count = (text: string, { onStep, depth }: Rendering): string => {
  onStep(text.length, depth);
  return text;
};

const deepen = (rendering: Rendering): Rendering => {
  const depth = rendering.depth + 1;
  rendering.onStep(1, depth);
  return { ...rendering, depth };
};

const renderSection = (
  items: readonly unknown[],
  inner: readonly Token[],
  stack: Stack,
  rendering: Rendering,
): string => {
  const inside = deepen(rendering);
  let result = '';
  for (const item of items) {
    inside.onStep(1, inside.depth); // an item costs a step even if it renders to nothing
    result += renderTokens(inner, [...stack, item], inside);
  }
  return result;
};

const renderPartial = (id: string, indentation: string, stack: Stack, rendering: Rendering): string => {
  const partial = rendering.findPartial(id);
  if (partial === undefined) {
    rendering.onMissing(`>${id}`);
    return '';
  }
  const chain = [...rendering.chain, partial.name];
  if (rendering.chain.includes(partial.name)) rendering.onRecursion(chain);
  const inside = { ...deepen(rendering), chain };
  const pieces = partial.texts.map((text) => {
    const added = indentation === '' ? 0 : indentation.length * text.split('\n').length;
    // A text that must be parsed again costs more for each character.
    const weight = indentation === '' && text.length <= maxKept ? 1 : 10;
    inside.onStep((text.length + added) * weight, inside.depth);
    return renderTokens(parseTemplate(indent(text, indentation)), stack, inside);
  });
  return pieces.join('\n\n');
};

const indent = (text: string, indentation: string): string =>
  indentation === '' ? text : text.replace(/(^|\n)(?=[^\r\n])/g, `$1${indentation}`);

/** Looks up a dotted name: its first part from the innermost value outwards, the other parts in that value. */
const lookUp = (name: string, stack: Stack): unknown => {
  if (name === '.') return stack.at(-1);
  const [first = '', ...rest] = name.split('.');
  const innermost = stack.findLast((value) => hasOwn(value, first));
  return rest.reduce(readOwn, readOwn(innermost, first));
};

/** Only properties of the given JSON count: nothing of a prototype, and no length. */
const hasOwn = (value: unknown, key: string): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, key);

const readOwn = (value: unknown, key: string): unknown => (hasOwn(value, key) ? value[key] : undefined);

/** The items for which a section is rendered: none for a false value. */
const itemsOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value ? [value] : [];
};

const toText = (value: unknown, name: string, { onMissing }: Rendering): string => {
  if (value === undefined || value === null) {
    onMissing(name);
    return '';
  }
  return typeof value === 'object' ? toJsonText(value) : String(value);
};
