import { type Document, isAlias, isMap, isScalar, isSeq, type Pair } from 'yaml';
import { readInteger } from '../util/json.ts';
import { truncate } from '../util/truncate.ts';
import { maxNesting, tooDeep } from './limits.ts';

/** The most values that the aliases of one file may copy. A text counts as one for each 50 characters. */
const [maxCopied, textUnit] = [100_000, 50];

/** A problem of a text, and its offset in it. */
export interface Flaw {
  readonly at: number;
  readonly message: string;
}

/** A value of the file, how many levels it nests, and how many values it contains. Aliases count as what they copy. */
interface Read {
  readonly value: unknown;
  readonly depth: number;
  readonly size: number;
}

/**
 * Reads the value of a document without errors, in time linear in its size: the library searches each alias from the
 * start of the file. Integers beyond 2^53 become bigints.
 */
export const readValue = (document: Document.Parsed): { readonly value: unknown; readonly flaws: Flaw[] } => {
  const flaws: Flaw[] = [];
  /** Undefined while the anchored value is being read. */
  const anchored = new Map<string, Read | undefined>();
  let copied = 0;

  const read = (node: unknown, level: number): Read => {
    if (isAlias(node)) return follow(node.source, node.range?.[0] ?? 0, level);
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (anchor !== undefined) anchored.set(anchor, undefined);
    const found = isMap(node)
      ? readMapping(node.items, level)
      : isSeq(node)
        ? collect(node.items, level, (values) => values)
        : readScalar(isScalar(node) ? node.value : null);
    if (anchor !== undefined) anchored.set(anchor, found);
    return found;
  };

  const readScalar = (value: unknown): Read => ({
    value: typeof value === 'bigint' ? readInteger(String(value)) : value, // beyond 2^53 it stays a bigint
    depth: 0,
    size: 1 + (typeof value === 'string' ? Math.floor(value.length / textUnit) : 0),
  });

  const readMapping = (pairs: readonly Pair[], level: number): Read => {
    const names = pairs.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
    // Unlike an assignment, `fromEntries` also keeps a key such as `__proto__`, so that it can be reported.
    return collect(
      pairs.map(({ value }) => value),
      level,
      (values) => Object.fromEntries(names.map((name, index) => [name, values[index]])),
    );
  };

  const collect = (nodes: readonly unknown[], level: number, make: (values: unknown[]) => unknown): Read => {
    const inner = nodes.map((node) => read(node, level + 1));
    return {
      value: make(inner.map(({ value }) => value)),
      depth: 1 + inner.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
      size: 1 + inner.reduce((sum, { size }) => sum + size, 0),
    };
  };

  const follow = (name: string, at: number, level: number): Read => {
    const found = anchored.get(name);
    const shown = truncate(name);
    copied += found?.size ?? 0;
    if (found !== undefined && copied <= maxCopied && level + found.depth <= maxNesting) return found;
    const problem =
      found === undefined
        ? anchored.has(name)
          ? `*${shown} is inside &${shown}`
          : `there is no anchor &${shown} before it`
        : copied > maxCopied
          ? `too many aliases: they may copy at most ${maxCopied} values, and a text counts as one for each ${textUnit} characters`
          : tooDeep;
    flaws.push({ at, message: `not valid YAML: ${problem}` });
    return { value: null, depth: 0, size: 1 };
  };

  const { value } = read(document.contents, 0);
  return { value, flaws };
};
