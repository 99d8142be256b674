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

/** The most copies that aliases may make of anchored values in one file. */
const maxAliasCount = 10_000;

/**
 * Parses a scenario file, YAML or JSON. Problems are part of the returned document, so that a folder with one broken file
 * remains usable.
 *
 * @param name the name by which other scenarios refer to it
 * @param file the name of the file for messages
 */
export const readDocument = (name: string, file: string, text: string): ScenarioDocument => {
  const broken = (mistakes: readonly ScenarioMistake[]): ScenarioDocument => ({
    name,
    file,
    value: undefined,
    mistakes,
  });
  if (text.length > maxLength)
    return broken([
      { path: [], message: `the file is too large: at most ${maxLength} characters are allowed` },
    ]);
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
        ? 'it is nested too deeply'
        : error instanceof ReferenceError
          ? `too many aliases: they may make at most ${maxAliasCount} copies of anchored values`
          : String(error);
    return broken([{ path: [], message: `not valid YAML: ${reason}` }]);
  }
};

/**
 * Stops if a text is nested too deeply. The library recurses, and if the stack overflows inside a regular expression, the
 * engine ends the whole process.
 */
class BoundedParser extends Parser {
  override *next(lexeme: string) {
    yield* super.next(lexeme);
    // The document itself takes some levels in addition to those of its value.
    if (this.stack.length > maxDepth + 10) throw new RangeError('The text is nested too deeply.');
  }
}

/** Like `parseDocument`, but with the parser above. */
const parse = (text: string, lines: LineCounter): Document.Parsed => {
  const composer = new Composer({ prettyErrors: false, stringKeys: true, intAsBigInt: true });
  const tokens = new BoundedParser(lines.addNewLine).parse(text);
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error('The parser returned no document.'); // the option `forceDoc` is on
  if (second !== undefined)
    document.errors.push(
      new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', 'a second document'),
    );
  return document;
};

/** Converts integers to numbers, except those beyond 2^53, which stay bigints. */
const withNumbers = (document: Document.Parsed): Document.Parsed => {
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'bigint') scalar.value = readInteger(String(scalar.value));
    },
  });
  return document;
};

const endlessQuote = 'the quote that starts here is not closed';

interface Flaw {
  readonly at: number;
  readonly message: string;
}

/** The problems of the text itself, at most one per line, since the others of a line follow from it. */
const findFlaws = (document: Document.Parsed, file: string, text: string): Flaw[] => {
  if (document.errors.length === 0 && document.contents === null)
    return [{ at: 0, message: 'the file is empty: expected a mapping' }];
  const json = document.errors.length > 0 && file.toLowerCase().endsWith('.json') && findJsonFlaw(text);
  if (json) return [json];
  const flaws = [...document.errors, ...document.warnings].map((error) => toFlaw(error, document, text));
  const inOrder = (flaws.length > 0 ? flaws : findBadAliases(document)).toSorted((a, b) => a.at - b.at);
  // An unclosed quote contains the rest of the file, so nothing after it can be checked.
  const last = inOrder.findIndex(({ message }) => message.endsWith(endlessQuote));
  return inOrder.slice(0, last === -1 ? undefined : last + 1).filter(({ at, message }, index) => {
    const before = inOrder[index - 1];
    return before === undefined || (before.message !== message && text.slice(before.at, at).includes('\n'));
  });
};

const toFlaw = (error: YAMLError, document: Document.Parsed, text: string): Flaw => {
  const at = error.message.startsWith('Missing closing') ? findOpening(document, error.pos[0]) : error.pos[0];
  return { at, message: `not valid YAML: ${describe(error, text.slice(at))}` };
};

/** Describes an error in terms of the file, where the parser's message is about its grammar. */
const describe = ({ code, message }: YAMLError, rest: string): string => {
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return `${message} (check the indentation, and put texts with ": " in quotes)`;
    case 'DUPLICATE_KEY':
      return `the key "${/^["']?([^"':\n]*)/.exec(rest)?.[1]}" is given twice`;
    case 'MISSING_CHAR':
      return message.startsWith('Missing closing') ? endlessQuote : message;
    case 'MULTIPLE_DOCS':
      return 'a second document starts here, but a file may have only one';
    case 'NON_STRING_KEY':
      return 'a key must be a string';
    case 'RESOURCE_EXHAUSTION':
      return 'it is nested too deeply';
    default:
      return message;
  }
};

/** Where the unclosed quoted text starts. */
const findOpening = (document: Document.Parsed, end: number): number => {
  let opening = end;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE') && range && range[0] <= end) opening = range[0];
    },
  });
  return opening;
};

/** Finds aliases of unknown anchors, and of values that contain the alias. */
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
        flaws.push({ at, message: `not valid YAML: there is no anchor &${node.source} before it` });
      else if (above.includes(whole))
        flaws.push({ at, message: `not valid YAML: *${node.source} is inside &${node.source}` });
    },
  });
  return flaws;
};

/** The first syntax error of a JSON text, if the engine reports its position. */
const findJsonFlaw = (text: string): Flaw | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const reason = messageOf(error);
    const at = reason.startsWith('Unexpected end') ? text.length : / at position (\d+)/.exec(reason)?.[1];
    return at === undefined
      ? undefined
      : { at: Number(at), message: `not valid JSON: ${reason.replace(/ in JSON at position .*$/s, '')}` };
  }
};

/** A position after the last line counts as its end. */
const placeAt = (lines: LineCounter, text: string, offset: number) => {
  const { line, col } = lines.linePos(Math.min(offset, text.trimEnd().length));
  return { line, column: col };
};

/** Where a path is in the file: the position of its key, or of the nearest existing key above it. */
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
