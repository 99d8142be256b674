import mustache from 'mustache';

/** What Mustache text is rendered with. */
export interface Rendering {
  readonly variables: unknown;
  /** The text that `{{>id}}` names, with the name of what it stands in for the chain; undefined where there is none. */
  readonly findPartial: (id: string) => { readonly name: string; readonly text: string } | undefined;
  /** Takes note of a name that is missing or null. */
  readonly onMissing: (name: string) => void;
  /** @throws always: a partial includes itself */
  readonly onRecursion: (chain: readonly string[]) => never;
  /** @throws once a rendering has taken more steps and characters than anybody needs */
  readonly onStep: (cost: number) => void;
  /** The prompts whose text stands around this one, outermost first. */
  readonly chain: readonly string[];
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
      mistake ??= `"${text.slice(0, 60)}" is no valid Mustache: ${error instanceof Error ? error.message : String(error)}`;
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

/** What the library's parser makes of a text: [type, value, start, end, inner tokens or indentation, …]. */
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
  const tokens = writer.parse(text) as Token[]; // the library types a token's parts as unknown
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(text, tokens);
  return tokens;
};

/** The values that a name is looked up in, innermost last. */
type Stack = readonly unknown[];

const renderTokens = (tokens: readonly Token[], stack: Stack, rendering: Rendering): string => {
  let result = '';
  for (const token of tokens) {
    const piece = renderToken(token, stack, rendering);
    rendering.onStep(1 + piece.length);
    result += piece;
  }
  return result;
};

const renderToken = ([type, name, , , inner]: Token, stack: Stack, rendering: Rendering): string => {
  switch (type) {
    case 'text':
      return name;
    case 'name':
    case '&':
      return toText(lookUp(name, stack), name, rendering);
    case '#':
      return renderSection(lookUp(name, stack), inner as Token[], stack, rendering); // a section holds tokens
    case '^':
      return isFalsy(lookUp(name, stack)) ? renderTokens(inner as Token[], stack, rendering) : '';
    case '>':
      return renderPartial(name, typeof inner === 'string' ? inner : '', stack, rendering);
    default:
      return ''; // comments and changes of delimiters
  }
};

const renderSection = (
  value: unknown,
  inner: readonly Token[],
  stack: Stack,
  rendering: Rendering,
): string => {
  if (isFalsy(value)) return '';
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => renderTokens(inner, [...stack, item], rendering)).join('');
};

const renderPartial = (id: string, indentation: string, stack: Stack, rendering: Rendering): string => {
  const partial = rendering.findPartial(id);
  if (partial === undefined) {
    rendering.onMissing(`>${id}`);
    return '';
  }
  const chain = [...rendering.chain, partial.name];
  if (rendering.chain.includes(partial.name)) rendering.onRecursion(chain);
  const text = indentation === '' ? partial.text : partial.text.replace(/^(?=.)/gm, indentation);
  return renderTokens(parseTemplate(text), stack, { ...rendering, chain });
};

/** The first part of a dotted name is searched from the inside out, the others only in what it names. */
const lookUp = (name: string, stack: Stack): unknown => {
  if (name === '.') return stack.at(-1);
  const [first = '', ...rest] = name.split('.');
  const holder = stack.findLast((value) => hasOwn(value, first));
  return rest.reduce((value, part) => readOwn(value, part), readOwn(holder, first));
};

/** Only what the JSON has: no prototype, no length of a text or an array. */
const hasOwn = (value: unknown, key: string): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, key);

const readOwn = (value: unknown, key: string): unknown => (hasOwn(value, key) ? value[key] : undefined);

const isFalsy = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);

const toText = (value: unknown, name: string, { onMissing }: Rendering): string => {
  if (value === undefined || value === null) {
    onMissing(name);
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
