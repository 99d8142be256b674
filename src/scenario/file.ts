import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import { maxDepth, readInteger } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import type { ScenarioDocument } from './library.ts';
import type { ScenarioMistake } from './scenario-error.ts';

/** The largest file that is read, in characters. */
const maxLength = 20_000_000;

/** How often what an anchor names may be repeated, all in all. */
const maxAliasCount = 10_000;

/**
 * Reads the text of a scenario file, YAML or JSON. What is wrong with the text stands in the document, so that a folder
 * with one broken file is still of use.
 *
 * @param name what others refer to it by
 * @param file how messages name it
 */
export const readDocument = (name: string, file: string, text: string): ScenarioDocument => {
  const broken = (mistakes: readonly ScenarioMistake[]): ScenarioDocument => ({
    name,
    file,
    value: undefined,
    mistakes,
  });
  if (text.length > maxLength)
    return broken([{ path: [], message: `it is too large: at most ${maxLength} characters are read` }]);
  const lines = new LineCounter();
  try {
    const document = parse(text, lines);
    const flaws = findFlaws(document, file, text);
    if (flaws.length > 0)
      return broken(
        flaws.map(({ at, message }) => ({ path: [], message, file, ...placeAt(lines, text, at) })),
      );
    return {
      name,
      file,
      value: withNumbers(document).toJS({ maxAliasCount }),
      locate: (path) => locate(document, lines, path),
    };
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? 'it nests too deep'
        : error instanceof ReferenceError
          ? `its aliases multiply: at most ${maxAliasCount} copies are made of what an anchor names`
          : String(error);
    return broken([{ path: [], message: `no valid YAML: ${reason}` }]);
  }
};

/**
 * Stops where a text nests deeper than any value may: what makes a document of it goes down by recursion, and where the
 * stack ends within a regular expression, the engine ends the whole process.
 */
class BoundedParser extends Parser {
  override *next(lexeme: string) {
    yield* super.next(lexeme);
    // A value may be that deep, and what it stands in is around it.
    if (this.stack.length > maxDepth + 10) throw new RangeError('It nests too deep.');
  }
}

/** What `parseDocument` does, with the parser above. */
const parse = (text: string, lines: LineCounter): Document.Parsed => {
  const composer = new Composer({ prettyErrors: false, stringKeys: true, intAsBigInt: true });
  const tokens = new BoundedParser(lines.addNewLine).parse(text);
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error('There is no document.'); // it is told to make one of any text
  if (second !== undefined)
    document.errors.push(
      new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', 'a second document'),
    );
  return document;
};

/** Integers are numbers again, but for those beyond 2^53, which keep their digits. */
const withNumbers = (document: Document.Parsed): Document.Parsed => {
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'bigint') scalar.value = readInteger(String(scalar.value));
    },
  });
  return document;
};

const endlessQuote = 'the quote that begins here does not end';

interface Flaw {
  readonly at: number;
  readonly message: string;
}

/** What is wrong with the text itself, one flaw a line: the others of the same line follow from it. */
const findFlaws = (document: Document.Parsed, file: string, text: string): Flaw[] => {
  if (document.errors.length === 0 && document.contents === null)
    return [{ at: 0, message: 'it is empty: expected a mapping' }];
  const json = document.errors.length > 0 && file.toLowerCase().endsWith('.json') && findJsonFlaw(text);
  if (json) return [json];
  const flaws = [...document.errors, ...document.warnings].map((error) => toFlaw(error, document, text));
  const inOrder = (flaws.length > 0 ? flaws : findBadAliases(document)).toSorted((a, b) => a.at - b.at);
  // Such a quote takes the rest of the file for its text.
  const last = inOrder.findIndex(({ message }) => message.endsWith(endlessQuote));
  return inOrder.slice(0, last === -1 ? undefined : last + 1).filter(({ at, message }, index) => {
    const before = inOrder[index - 1];
    return before === undefined || (before.message !== message && text.slice(before.at, at).includes('\n'));
  });
};

const toFlaw = (error: YAMLError, document: Document.Parsed, text: string): Flaw => {
  const at = error.message.startsWith('Missing closing') ? findOpening(document, error.pos[0]) : error.pos[0];
  return { at, message: `no valid YAML: ${describe(error, text.slice(at))}` };
};

/** In words of what a person wrote, where the parser speaks of its grammar. */
const describe = ({ code, message }: YAMLError, rest: string): string => {
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return `${message} (is the indentation right, and is each text with ": " in quotes?)`;
    case 'DUPLICATE_KEY':
      return `the key "${/^["']?([^"':\n]*)/.exec(rest)?.[1]}" stands twice`;
    case 'MISSING_CHAR':
      return message.startsWith('Missing closing') ? endlessQuote : message;
    case 'MULTIPLE_DOCS':
      return 'a second document begins, where a file has one';
    case 'NON_STRING_KEY':
      return 'a key is a text';
    case 'RESOURCE_EXHAUSTION':
      return 'it nests too deep';
    default:
      return message;
  }
};

/** Where the quoted text begins that goes on to the end. */
const findOpening = (document: Document.Parsed, end: number): number => {
  let opening = end;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE') && range && range[0] <= end) opening = range[0];
    },
  });
  return opening;
};

/** Aliases of what was not named before, and of what they stand in. */
const findBadAliases = (document: Document.Parsed): Flaw[] => {
  const flaws: Flaw[] = [];
  const named = new Map<string, Node>();
  visit(document, {
    Node: (_key, node, above) => {
      if (!isAlias(node)) {
        if (node.anchor) named.set(node.anchor, node);
        return;
      }
      const [at, whole] = [node.range?.[0] ?? 0, named.get(node.source)];
      if (whole === undefined)
        flaws.push({ at, message: `no valid YAML: nothing before it is named &${node.source}` });
      else if (above.includes(whole))
        flaws.push({ at, message: `no valid YAML: *${node.source} stands within &${node.source}` });
    },
  });
  return flaws;
};

/** What keeps a text from being JSON, where the engine tells the place of it, too. */
const findJsonFlaw = (text: string): Flaw | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const told = messageOf(error);
    const at = told.startsWith('Unexpected end') ? text.length : / at position (\d+)/.exec(told)?.[1];
    return at === undefined
      ? undefined
      : { at: Number(at), message: `no valid JSON: ${told.replace(/ in JSON at position .*$/s, '')}` };
  }
};

/** A place behind the last line is one at its end. */
const placeAt = (lines: LineCounter, text: string, offset: number) => {
  const { line, col } = lines.linePos(Math.min(offset, text.trimEnd().length));
  return { line, column: col };
};

/** Where a path stands: at its key, or at the nearest mapping above it that the file has. */
const locate = (document: Document, lines: LineCounter, path: readonly PropertyKey[]) => {
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  for (let length = path.length; length > 0; length -= 1) {
    const [above, key] = [path.slice(0, length - 1), path[length - 1]];
    const parent: unknown = above.length === 0 ? document.contents : document.getIn(above, true);
    const pair = isMap(parent)
      ? parent.items.find((item: Pair) => isScalar(item.key) && String(item.key.value) === String(key))
      : undefined;
    const node: unknown = isMap(parent) ? pair?.key : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return place(node.range[0]);
  }
  return place(isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0);
};
