// The line of a fault as the fields of a form, and back. The server checks the line.
import { conditionNames, optionNames, usualWords } from '../../../faults/kinds.ts';
import { quoteValue, splitLine, type Token } from '../../../faults/tokens.ts';
import { parseJson, toJsonText } from '../../../util/json.ts';

type Values = Readonly<Record<string, string>>;

export interface FaultParts {
  readonly operation: string;
  /** `3`, `2-4` or `5-`; empty for all. */
  readonly calls: string;
  readonly conditions: Values;
  /** The conditions on the query and headers, as in the line. */
  readonly patterns: string;
  /** A kind, or `error`. */
  readonly kind: string;
  /** The status of an error, or what follows the kind. */
  readonly word: string;
  readonly options: Values;
  /** The headers of the reply, as in the line. */
  readonly headers: string;
}

/** What the fields show before a line is written. */
export const newFault: FaultParts = {
  operation: '*',
  calls: '',
  conditions: {},
  patterns: '',
  kind: 'error',
  word: '503',
  options: {},
  headers: '',
};

/** The options that a kind takes, besides headers; undefined if it takes none at all. */
export const optionsOf = (kind: string): readonly string[] | undefined =>
  new Map<string, readonly string[]>(Object.entries(optionNames)).get(kind);

/** The fields of a line; undefined if it cannot be read. */
export const readFault = (line: string): FaultParts | undefined => {
  if (line.trim() === '') return newFault;
  try {
    const [[target, ...clauses], [first, ...rest]] = splitLine(line);
    if (target === undefined || first === undefined) return undefined;
    const [operation = '', calls = ''] = target.text.split('#');
    const kind = /^\d+$/.test(first.text) ? 'error' : first.text;
    const options = kind === 'wrong-content-type' ? [] : rest.filter(({ value }) => value !== undefined);
    const words = rest.filter((token) => !options.includes(token));
    const [conditions, patterns] = sort(clauses, conditionNames);
    const [known, headers] = sort(options, optionsOf(kind) ?? []);
    const word = kind === 'error' ? first.text : words.map(({ text }) => text).join(' ');
    return { operation, calls, conditions, patterns, kind, word, options: known, headers };
  } catch {
    return undefined;
  }
};

/** The values of the named tokens, and the text of the others. */
const sort = (tokens: readonly Token[], names: readonly string[]): readonly [Values, string] => {
  const isNamed = ({ name }: Token): boolean => names.includes(name);
  return [
    Object.fromEntries(
      tokens
        .filter(isNamed)
        .map(({ name, value }) => [name, typeof value === 'string' ? value : toJsonText(value)]),
    ),
    tokens
      .filter((token) => !isNamed(token))
      .map(({ text }) => text)
      .join(' '),
  ];
};

export const writeFault = (parts: FaultParts): string => {
  const { operation, calls, conditions, patterns, kind, word, options, headers } = parts;
  const join = (...words: readonly string[]): string => words.filter((one) => one.trim() !== '').join(' ');
  const target = operation + (calls.trim() && `#${calls.replace(/\s/g, '')}`);
  return `${join(target, ...toWords(conditions), patterns)}: ${join(kind === 'error' ? '' : kind, word, ...toWords(options), headers)}`;
};

const toWords = (values: Values): string[] =>
  Object.entries(values).flatMap(([name, text]) =>
    text === '' ? [] : `${name}=${quoteValue(name === 'body' ? fromJson(text) : text)}`,
  );

/** A body is an object or a list where it can be read as one, otherwise a text. */
const fromJson = (text: string): unknown => {
  try {
    return /^\s*[{[]/.test(text) ? parseJson(text) : text;
  } catch {
    return text;
  }
};

/** The same calls with another kind of fault, with the options that both take. */
export const withKind = (parts: FaultParts, kind: string): FaultParts => {
  const taken = optionsOf(kind);
  const usual = usualWords[kind];
  return {
    ...parts,
    kind,
    word: kind === 'error' ? '503' : usual === '' ? '2s' : '', // a time has no default
    options: Object.fromEntries(Object.entries(parts.options).filter(([name]) => taken?.includes(name))),
    headers: taken ? parts.headers : '',
  };
};
