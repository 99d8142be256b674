import {
  Composer,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  Parser,
  stringify,
  visit,
  type YAMLError,
  type YAMLMap,
  YAMLParseError,
} from 'yaml';
import { maxBodySize } from '../protocol/call.ts';
import { parseJson, toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { truncate } from '../util/truncate.ts';
import type { ScenarioDocument } from './library.ts';
import { hasMoreSigns, hasTooManyValues, maxMistakes, maxNesting, maxValues, tooDeep } from './limits.ts';
import type { ScenarioMistake } from './scenario-error.ts';
import type { Scenario } from './schema.ts';
import { type Flaw, readValue } from './yaml-value.ts';

/** The largest file that is read, in characters. */
const maxLength = 20_000_000;

/**
 * The most characters and signs that the YAML parser reads over HTTP. For each sign it takes up to 15 µs and 1,000 bytes, while
 * no other call is answered.
 */
const [maxYaml, maxSigns] = [1_000_000, 50_000];

/** Whether a text has more than that. The parser makes at least one token of each sign, and few without. */
const isLargeYaml = (text: string): boolean =>
  text.length > maxYaml || hasMoreSigns(text, maxSigns, /[\n,:?[\]{}&*!|>#%@`"'-]/g);

/** Describes the limit that a text over HTTP exceeds; undefined if it exceeds none. */
export const describeExcess = (file: string, text: string | 'too-large'): string | undefined => {
  const isLarge = text === 'too-large' || (isJson(file) ? hasTooManyValues(text) : isLargeYaml(text));
  if (!isLarge) return undefined;
  return isJson(file)
    ? `a JSON file may have at most ${maxBodySize} bytes and ${maxValues} values. Load`
    : `a YAML file may have at most ${maxYaml} characters, and ${maxSigns} signs such as : - , and line ends. Save it as JSON, or load`;
};

/**
 * Parses a scenario file, YAML or JSON. Problems are part of the returned document, so that a folder with one broken file
 * remains usable.
 *
 * @param name the name by which other scenarios refer to it
 * @param file the name of the file for messages. A large JSON file is parsed without the lines of its mistakes
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
  const isLargeJson = isJson(file) && isLargeYaml(text);
  const lines = new LineCounter();
  try {
    if (isLargeJson) return { name, file, value: parseJson(text) };
    const document = parse(text, lines);
    const { value, flaws } = readWhole(document, file, text);
    if (flaws.length > 0)
      return broken(
        flaws.map(({ at, message }) => ({ path: [], message, file, ...placeAt(lines, text, at) })),
      );
    return { name, file, value, locate: createLocate(document, lines) };
  } catch (error) {
    const reason = error instanceof RangeError ? tooDeep : messageOf(error);
    const message = `not valid ${isLargeJson ? 'JSON' : 'YAML'}: ${reason}`;
    const place = error instanceof DepthError && { file, ...placeAt(lines, text, error.at) };
    return broken([{ path: [], message, ...place }]);
  }
};

/** Whether a file is JSON, by its name. */
export const isJson = (file: string): boolean => file.toLowerCase().endsWith('.json');

/** The text of a scenario file: JSON if its name ends so, otherwise YAML. */
export const toFileText = (file: string, scenario: Scenario): string =>
  isJson(file)
    ? `${toJsonText(scenario, 2)}\n`
    : stringify(scenario, { aliasDuplicateObjects: false, lineWidth: 0 });

/** Thrown at the offset at which a text is nested too deeply. */
class DepthError extends RangeError {
  readonly at: number;

  constructor(at: number) {
    super(`The text is nested too deeply at ${at}.`);
    this.at = at;
  }
}

/**
 * Stops if a text is nested too deeply. The library recurses, and if the stack overflows inside a regular expression, the
 * engine ends the whole process.
 */
class BoundedParser extends Parser {
  override *next(lexeme: string) {
    yield* super.next(lexeme);
    if (this.stack.length > maxNesting) throw new DepthError(this.offset - lexeme.length);
  }
}

/** Like `parseDocument`, but with the parser above. */
const parse = (text: string, lines: LineCounter): Document.Parsed => {
  const composer = new Composer({
    prettyErrors: false,
    stringKeys: true,
    intAsBigInt: true,
    uniqueKeys: false, // this check compares each key with all others: see `findEqualKeys`
  });
  const tokens = new BoundedParser(lines.addNewLine).parse(text);
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error('The parser returned no document.'); // the option `forceDoc` is on
  if (second !== undefined)
    document.errors.push(
      new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', 'a second document'),
    );
  return document;
};

const endlessQuote = 'the quote that starts here is not closed';

/** The value of a document, or the problems of its text, of which only the first of each line is reported. */
const readWhole = (document: Document.Parsed, file: string, text: string) => {
  const flaws = findFlaws(document, file, text);
  const found = flaws.length > 0 ? { value: undefined, flaws } : readValue(document);
  const inOrder = found.flaws.toSorted((a, b) => a.at - b.at);
  // An unclosed quote contains the rest of the file, so nothing after it can be checked.
  const last = inOrder.findIndex(({ message }) => message.endsWith(endlessQuote));
  const listed = inOrder.slice(0, last === -1 ? undefined : last + 1).filter(({ at, message }, index) => {
    const before = inOrder[index - 1];
    return before === undefined || (before.message !== message && text.slice(before.at, at).includes('\n'));
  });
  return { value: found.value, flaws: listed };
};

const findFlaws = (document: Document.Parsed, file: string, text: string): Flaw[] => {
  if (document.errors.length === 0 && document.contents === null)
    return [{ at: 0, message: 'the file is empty: expected a mapping' }];
  const json = document.errors.length > 0 && isJson(file) && findJsonFlaw(text);
  if (json) return [json];
  // Only the first unclosed quote is reported, and to find where one opens takes long.
  const last = document.errors.findIndex(({ message }) => message.startsWith('Missing closing'));
  const errors = [
    ...document.errors.slice(0, last === -1 ? maxMistakes + 1 : last + 1),
    ...document.warnings.slice(0, maxMistakes + 1),
  ];
  return [...errors.map((error) => toFlaw(error, document)), ...findEqualKeys(document)];
};

const findEqualKeys = (document: Document.Parsed): Flaw[] => {
  const flaws: Flaw[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (names.has(name))
          flaws.push({
            at: key.range?.[0] ?? 0,
            message: `not valid YAML: the key "${truncate(name)}" is given twice`,
          });
        names.add(name);
      }
    },
  });
  return flaws;
};

const toFlaw = (error: YAMLError, document: Document.Parsed): Flaw => {
  const at = error.message.startsWith('Missing closing') ? findOpening(document, error.pos[0]) : error.pos[0];
  return { at, message: `not valid YAML: ${describe(error)}` };
};

/** Describes an error in terms of the file, where the parser's message is about its grammar. */
const describe = ({ code, message: whole }: YAMLError): string => {
  const message = truncate(whole);
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return `${message} (check the indentation, and put texts with ": " in quotes)`;
    case 'MISSING_CHAR':
      return message.startsWith('Missing closing') ? endlessQuote : message;
    case 'MULTIPLE_DOCS':
      return 'a second document starts here, but a file may have only one';
    case 'NON_STRING_KEY':
      return 'a key must be a string';
    case 'RESOURCE_EXHAUSTION':
      return tooDeep;
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

/**
 * Returns a function that finds where a path is in the file: the position of its key, or of the nearest existing key above
 * it. Mappings are indexed when they are first searched, since one file may have very many mistakes.
 */
const createLocate = (document: Document, lines: LineCounter) => {
  const pairsOf = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  const findPair = (mapping: YAMLMap, key: string): Pair | undefined => {
    const known =
      pairsOf.get(mapping) ??
      new Map(mapping.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
    pairsOf.set(mapping, known);
    return known.get(key);
  };
  return (path: readonly PropertyKey[]) => {
    let node: unknown = document.contents;
    let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    for (const key of path) {
      const pair = isMap(node) ? findPair(node, String(key)) : undefined;
      const inner: unknown = isSeq(node) ? node.items[Number(key)] : pair?.value;
      const place = pair === undefined ? inner : pair.key;
      if (!isNode(place)) break;
      offset = place.range?.[0] ?? offset;
      node = inner;
    }
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
};
