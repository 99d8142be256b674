import mustache from 'mustache';
import { toJsonText } from '../../util/json.ts';
import { messageOf } from '../../util/message-of.ts';

/** How deep sections and partials may nest in one another: well within what the engine's own stack holds. */
export const maxDepth = 500;

/** What Mustache text is rendered with. */
export interface Rendering {
  readonly variables: unknown;
  /** What `{{>id}}` names: its texts, and its name for the chain; undefined where there is none. */
  readonly findPartial: (id: string) => PartialTexts | undefined;
  /** Takes note of a name that is missing or null. */
  readonly onMissing: (name: string) => void;
  /** @throws always: a partial includes itself */
  readonly onRecursion: (chain: readonly string[]) => never;
  /** @throws once a rendering has taken more steps and characters, or nests deeper, than anybody needs */
  readonly onStep: (cost: number, depth: number) => void;
  /** The prompts whose text stands around this one, outermost first. */
  readonly chain: readonly string[];
  /** How many sections and partials stand around this text. */
  readonly depth: number;
}

/** A stored prompt as a partial: each text is a template of its own, and a blank line stands between two. */
export interface PartialTexts {
  readonly name: string;
  readonly texts: readonly string[];
}

/**
 * Renders Mustache text. The library reads the syntax; the look-up is our own, because the library's reaches the
 * prototypes of the values (`{{constructor}}`), escapes, and follows a partial that includes itself without end.
 */
export const renderText = (text: string, rendering: Rendering): string =>
  renderTokens(parseTemplate(text), [rendering.variables], rendering);

/** Renders every text in a message but its role, at any depth. */
export const renderMessage = <Message extends object>(message: Message, rendering: Rendering): Message =>
  mapTexts(message, (text) => renderText(text, rendering)) as Message; // the shape stays

/** The first text of these messages that is no valid template, in words; undefined where all are. */
export const findTemplateMistake = (messages: readonly object[]): string | undefined => {
  let mistake: string | undefined;
  const check = (text: string): string => {
    try {
      parseTemplate(text);
    } catch (error) {
      mistake ??= `"${text.slice(0, 60)}" is no valid Mustache: ${messageOf(error)}`;
    }
    return text;
  };
  for (const message of messages) mapTexts(message, check);
  return mistake;
};

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'role' ? inner : mapTexts(inner, change)]),
  );
};

/** What the library's parser makes of a text: [type, value, start, end, inner tokens, …]. */
type Token = readonly [
  type: string,
  value: string,
  start: number,
  end: number,
  inner?: unknown,
  ...rest: unknown[],
];

const writer = Object.assign(new mustache.Writer(), { templateCache: undefined }); // it would keep every text for good
const parsed = new Map<string, readonly Token[]>();
const maxParsed = 1000;

const parseTemplate = (text: string): readonly Token[] => {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  // The library types a token's parts as unknown. Without tags given, it takes those that an app may have set globally.
  const tokens = indentPartials(writer.parse(text, ['{{', '}}']) as Token[], text);
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(text, tokens);
  return tokens;
};

/**
 * Gives each partial the indentation of its line, as the library indents those too that do not stand alone.
 *
 * @throws Error where sections nest too deep
 */
const indentPartials = (tokens: readonly Token[], text: string, depth = 0): readonly Token[] => {
  if (depth > maxDepth) throw new Error(`More than ${maxDepth} sections in one another`);
  return tokens.map(([type, value, start, end, inner]) => {
    if (type === '>') return [type, value, start, end, indentationAt(text, start, end)];
    return [type, value, start, end, Array.isArray(inner) ? indentPartials(inner, text, depth + 1) : inner];
  });
};

/** The whitespace ahead of a tag that stands alone on its line; empty for any other. */
const indentationAt = (text: string, start: number, end: number): string => {
  const ahead = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t]*$/.test(ahead) && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end)) ? ahead : '';
};

/** The values that a name is looked up in, innermost last. */
type Stack = readonly unknown[];

const renderTokens = (tokens: readonly Token[], stack: Stack, rendering: Rendering): string => {
  let result = '';
  for (const token of tokens) result += renderToken(token, stack, rendering);
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
      return renderSection(itemsOf(lookUp(name, stack)), inner as Token[], stack, rendering); // a section holds tokens
    case '^':
      return isFalsy(lookUp(name, stack)) ? renderTokens(inner as Token[], stack, deepen(rendering)) : '';
    case '>':
      return renderPartial(name, String(inner), stack, rendering); // a partial holds its indentation
    default:
      return ''; // comments and changes of delimiters
  }
};

const count = (text: string, { onStep, depth }: Rendering): string => {
  onStep(1 + text.length, depth);
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
    inside.onStep(1, inside.depth); // an item costs a step even where nothing comes of it
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
    inside.onStep(text.length, inside.depth); // indenting takes time by the length, whatever comes of it
    return renderTokens(parseTemplate(indent(text, indentation)), stack, inside);
  });
  return pieces.join('\n\n');
};

const indent = (text: string, indentation: string): string =>
  indentation === '' ? text : text.replace(/(^|\n)(?=[^\r\n])/g, `$1${indentation}`);

/** The first part of a dotted name is searched from the inside out, the others only in what it names. */
const lookUp = (name: string, stack: Stack): unknown => {
  if (name === '.') return stack.at(-1);
  if (!name.includes('.'))
    return readOwn(
      stack.findLast((value) => hasOwn(value, name)),
      name,
    );
  const [first = '', ...rest] = name.split('.');
  const holder = stack.findLast((value) => hasOwn(value, first));
  return rest.reduce((value, part) => readOwn(value, part), readOwn(holder, first));
};

/** Only what the JSON has: no prototype, no length of a text or an array. */
const hasOwn = (value: unknown, key: string): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, key);

const readOwn = (value: unknown, key: string): unknown => (hasOwn(value, key) ? value[key] : undefined);

const isFalsy = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);

const itemsOf = (value: unknown): readonly unknown[] => {
  if (isFalsy(value)) return [];
  return Array.isArray(value) ? value : [value];
};

const toText = (value: unknown, name: string, { onMissing }: Rendering): string => {
  if (value === undefined || value === null) {
    onMissing(name);
    return '';
  }
  return typeof value === 'object' ? toJsonText(value) : String(value);
};
