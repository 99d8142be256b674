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
import { maxNesting } from './limits.ts';
import type { ValidationError } from './scenario-error.ts';

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
        if (target === undefined) report(at, `there is no anchor &${name} before it`);
        else if (above.includes(target)) report(at, `*${name} is inside &${name}`);
        return;
      }
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isMap(node))
        for (const key of findEqualKeys(node))
          report(key.range?.[0], `the key "${truncate(String(key.value))}" is given twice`);
      if (!isScalar(node)) return;
      if (node.type?.startsWith('QUOTE')) quotes.push(at ?? 0);
      if (typeof node.value === 'bigint') node.value = readInteger(String(node.value));
    },
  });
  for (const error of [...document.errors, ...document.warnings].slice(0, limits.errors + 1)) {
    const end = error.pos[0];
    report(isUnclosed(error) ? quotes.findLast((at) => at <= end) : end, describe(error));
  }
  if (errors.length > 0) return { errors: listInOrder(errors, text) };
  try {
    return { value: document.toJS({ maxAliasCount }) };
  } catch (error) {
    report(0, messageOf(error)); // there are more aliases
    return { errors };
  }
};

/** How often an anchor may be repeated; within other repeated anchors, their numbers multiply. */
const maxAliasCount = 1000;

const findEqualKeys = ({ items }: YAMLMap): Scalar[] => {
  const names = new Set<unknown>();
  const scalars = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
  return scalars.filter(({ value }) => names.size === names.add(value).size);
};

const isUnclosed = ({ message }: YAMLError): boolean => message.startsWith('Missing closing');

/** Describes an error in terms of the file, where the parser's message is about its grammar. */
const describe = (error: YAMLError): string => {
  const message = truncate(error.message);
  if (isUnclosed(error)) return 'the quote that starts here is not closed';
  if (error.code === 'MULTIPLE_DOCS') return 'a second document starts here, but a file may have only one';
  if (error.code === 'NON_STRING_KEY') return 'a key must be a string';
  return error.code === 'BLOCK_AS_IMPLICIT_KEY' || error.code === 'MULTILINE_IMPLICIT_KEY'
    ? `${message} (check the indentation, and put texts with ": " in quotes)`
    : message;
};

/** The first error of each line, in order: the others mostly follow from it. */
const listInOrder = (errors: readonly TextError[], text: string): readonly TextError[] => {
  const sorted = errors.toSorted((a, b) => a.at - b.at);
  return sorted
    .filter(({ at }, index) => index === 0 || text.slice(sorted[index - 1]?.at, at).includes('\n'))
    .slice(0, limits.errors + 1);
};

/** Where a path is in the text: the offset of its key, or of the nearest existing key above it. */
export const offsetOf = (document: Document, path: Path): number => {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : 0;
  for (const key of path) {
    const pair = isMap(node)
      ? node.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(key))
      : undefined;
    const inner: unknown = isSeq(node) ? node.items[Number(key)] : pair?.value;
    const place = pair === undefined ? inner : pair.key;
    if (!isNode(place)) break;
    offset = place.range?.[0];
    node = inner;
  }
  return offset ?? 0;
};
