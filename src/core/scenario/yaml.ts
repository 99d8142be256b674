import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { readInteger } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { messageOf } from '../util/message-of.ts';
import { truncate } from '../util/truncate.ts';
import type { ValidationError } from '../util/validation-error.ts';
import { maxNesting } from './nesting.ts';

type Path = ValidationError['path'];

/** A validation error of a text, and its offset in it. */
interface TextError {
  readonly at: number;
  readonly message: string;
}

/** The value of a text, or its errors. */
export interface ReadText {
  readonly value?: unknown;
  readonly errors?: readonly TextError[];
}

/**
 * The offset at which a text is nested too deeply. Adds the starts of the lines up to there. `parseDocument` recurses, and if the stack
 * overflows inside a regular expression, the engine ends the whole process.
 */
export const findTooDeep = (text: string, lines: LineCounter): number | undefined => {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme));
    if (parser.stack.length > maxNesting) return parser.offset - lexeme.length;
  }
  return undefined;
};

export const parseYaml = (text: string): Document.Parsed =>
  parseDocument(text, {
    prettyErrors: false,
    stringKeys: true,
    intAsBigInt: true,
    merge: true,
    uniqueKeys: false, // this check compares each key with all others: see `findEqualKeys`
    schema: 'core', // even if the file says that it is YAML 1.1
    resolveKnownTags: false, // their values, such as dates and sets, are not JSON
  });

/** Reads the value of a document, or finds the errors of its text. Integers beyond 2^53 become bigints. */
export const readYaml = (document: Document.Parsed, text: string): ReadText => {
  const errors: TextError[] = [];
  const report = (at: number | undefined, message: string) =>
    errors.push({ at: at ?? 0, message: `not valid YAML: ${message}` });
  const anchors = new Map<string, Node>();
  const quotes: number[] = [];
  visit(document, {
    Node: (_key, node, above) => {
      const at = node.range?.[0];
      if (isAlias(node)) {
        const [name, target] = [truncate(node.source), anchors.get(node.source)];
        if (target === undefined)
          report(at, findUnquoted(text, at ?? 0) ?? `there is no anchor &${name} before it`);
        else if (above.includes(target)) report(at, `*${name} is inside &${name}`);
        return;
      }
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isMap(node)) {
        for (const key of findEqualKeys(node))
          report(key.range?.[0], `the key "${truncate(String(key.value))}" is given twice`);
        for (const { key, value } of node.items) {
          const merged = isAlias(value) ? anchors.get(value.source) : value;
          const isMerge = isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
          if (isMerge && (isSeq(merged) ? merged.items : [merged]).some(isScalar))
            report(key.range?.[0], '<< takes a mapping, or a list of mappings');
        }
      }
      if (!isScalar(node)) return;
      if (node.type?.startsWith('QUOTE')) quotes.push(at ?? 0);
      // A comment ends a plain text, also inside a tag.
      if (node.type === 'PLAIN' && node.comment && /\{\{(?!.*\}\})/s.test(String(node.value)))
        report(at, findUnquoted(text, at ?? 0) ?? 'put the text in quotes');
      if (typeof node.value === 'bigint') node.value = readInteger(String(node.value));
    },
  });
  for (const error of [...document.errors, ...document.warnings].slice(0, limits.errors + 1)) {
    const end = error.pos[0];
    const at = isUnclosed(error) ? quotes.findLast((quote) => quote <= end) : end;
    report(at, findUnquoted(text, at ?? 0) ?? describe(error));
  }
  if (errors.length > 0) return { errors: listInOrder(errors, text) };
  try {
    return { value: document.toJS({ maxAliasCount }) };
  } catch (error) {
    report(0, messageOf(error)); // there are more aliases
    return { errors };
  }
};

/** How often an anchor may be repeated. Inside another repeated anchor, the numbers multiply. */
const maxAliasCount = 1000;

const findEqualKeys = ({ items }: YAMLMap): Scalar[] => {
  const names = new Set<unknown>();
  const scalars = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
  return scalars.filter(({ value }) => names.size === names.add(value).size);
};

const isUnclosed = ({ message }: YAMLError): boolean => message.startsWith('Missing closing');

/** Describes an error in plain words where the parser's message is about the grammar of YAML. */
const describe = (error: YAMLError): string => {
  const message = truncate(error.message);
  if (isUnclosed(error)) return 'the quote that starts here is not closed';
  if (error.code === 'MULTIPLE_DOCS') return 'a second document starts here, but a file may have only one';
  if (error.code === 'NON_STRING_KEY') return 'a key must be a string';
  if (error.code === 'UNEXPECTED_TOKEN' && message.endsWith('at node end'))
    return 'there is text after the closing quote: write \\" for a quote inside, or put the text in single quotes';
  return error.code === 'BLOCK_AS_IMPLICIT_KEY' || error.code === 'MULTILINE_IMPLICIT_KEY'
    ? `${message} (check the indentation, and put texts with ": " in quotes)`
    : message;
};

/**
 * Explains an error in a line where a text with tags is not in quotes. In YAML, `{` begins a mapping, ` #` a comment, and `*`, `&`, `!`,
 * `>`, `|` or `[` something else than a text.
 */
const findUnquoted = (text: string, at: number): string | undefined => {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1).split(/\r?\n/, 1)[0] ?? '';
  const [, key = '', value = ''] =
    /^(?:.*?[\s{,[-])?([\w$-]+: +|- +(?![\w$-]+: )|(?<=^\s*|[[{,]\s*)(?=\{[{%]))((?:(?:[^\s"'&!{[]|[&!](?![\w!]))(?:(?!, )[^"'])*?)?\{[{%].*)$/.exec(
      line,
    ) ?? [];
  if (value === '') return undefined;
  const end = value.lastIndexOf('}}') + 2;
  const shown = truncate(end === 1 ? value : value.slice(0, end), 60);
  const more = end === 1 || /^[\s}\],]*$/.test(value.slice(end)) ? '' : '…';
  const quote = shown.includes('"') ? "'" : '"';
  return `a text with tags must be in quotes: ${key}${quote}${shown}${more}${quote}`;
};

/** The first error of each line, in order: the others mostly follow from it. */
const listInOrder = (errors: readonly TextError[], text: string): readonly TextError[] => {
  const sorted = errors.toSorted((a, b) => a.at - b.at);
  return sorted
    .filter(({ at }, index) => index === 0 || text.slice(sorted[index - 1]?.at, at).includes('\n'))
    .slice(0, limits.errors + 1);
};

/**
 * The offset of a path in the text: of its key, or of the nearest key above it that exists. With a place in a value, the offset
 * of that place.
 */
export const offsetOf = (document: Document, text: string, path: Path, at?: number): number => {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : 0;
  for (const key of path) {
    const parent = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(parent) ? findPair(parent, String(key), document) : undefined;
    const inner: unknown = isSeq(parent) ? parent.items[Number(key)] : pair?.value;
    const place = pair === undefined ? inner : pair.key;
    if (!isNode(place)) return offset ?? 0;
    offset = place.range?.[0];
    node = inner;
  }
  const scalar = isAlias(node) ? node.resolve(document) : node;
  return (at !== undefined && isScalar(scalar) ? placeInScalar(scalar, text, at) : offset) ?? 0;
};

/** The pair of a key, which may come from a mapping merged by `<<`. */
const findPair = ({ items }: YAMLMap, name: string, document: Document): Pair | undefined => {
  const pairOf = (wanted: string) => items.find(({ key }) => isScalar(key) && String(key.value) === wanted);
  const merged: unknown = pairOf('<<')?.value;
  const maps = (isSeq(merged) ? merged.items : [merged]).map((item) =>
    isAlias(item) ? item.resolve(document) : item,
  );
  return pairOf(name) ?? maps.flatMap((map) => (isMap(map) ? (findPair(map, name, document) ?? []) : []))[0];
};

/**
 * The offset of a place in the value of a scalar. It is exact in literal blocks and on a single line. In other values, lines were
 * joined: it is the offset of the value.
 */
const placeInScalar = ({ range, type, value }: Scalar, text: string, at: number): number | undefined => {
  if (range === undefined || range === null) return undefined;
  const [start, end] = range;
  const source = text.slice(start, end);
  if (type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED') {
    const [header = '', ...rows] = source.split('\n');
    const isExact = type === 'BLOCK_LITERAL';
    const above = isExact ? String(value).slice(0, at).split('\n') : [''];
    const index = above.length - 1;
    const row = rows[index]?.replace(/\r$/, '') ?? '';
    const indent = isExact
      ? row.length - (String(value).split('\n')[index]?.length ?? 0)
      : row.search(/\S|$/);
    const rowStart = [header, ...rows.slice(0, index), ''].join('\n').length;
    return start + rowStart + indent + (above[index]?.length ?? 0);
  }
  if (source.includes('\n')) return start;
  if (type === 'PLAIN') return start + at;
  // In quotes, several characters of the source may stand for one character of the value.
  const unit = type === 'QUOTE_SINGLE' ? /''|./g : /\\(?:x..|u.{4}|U.{8}|.)|./g;
  let [seen, offset] = [0, start + 1];
  for (const [written] of source.slice(1).matchAll(unit)) {
    if (seen >= at) break;
    seen += written.startsWith('\\U') && Number.parseInt(written.slice(2), 16) > 0xffff ? 2 : 1;
    offset += written.length;
  }
  return offset;
};
