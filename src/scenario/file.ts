import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';
import type { ScenarioDocument } from './load.ts';
import type { Mistake } from './mistakes.ts';

/** The largest file that is read, in characters. */
const maxLength = 20_000_000;

/**
 * Reads the text of a scenario file, YAML or JSON. What is wrong with the text stands in the document, so that a folder
 * with one broken file is still of use.
 *
 * @param name what others refer to it by
 * @param file how messages name it
 */
export const readDocument = (name: string, file: string, text: string): ScenarioDocument => {
  if (text.length > maxLength)
    return broken(name, file, [
      { path: [], message: `it is too large: at most ${maxLength} characters are read` },
    ]);
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const mistakes = [...document.errors, ...document.warnings].map(({ message, pos: [at] }) => {
      const { line, col } = lines.linePos(at);
      return { path: [], message: `no valid YAML: ${message}`, file, line, column: col };
    });
    if (mistakes.length > 0) return broken(name, file, mistakes);
    return {
      name,
      file,
      value: document.toJS({ maxAliasCount: 100 }),
      locate: (path) => locate(document, lines, path),
    };
  } catch (error) {
    // Aliases that multiply, or nesting without end.
    const reason =
      error instanceof RangeError
        ? 'it nests too deep'
        : error instanceof Error
          ? error.message
          : String(error);
    return broken(name, file, [{ path: [], message: `no valid YAML: ${reason}` }]);
  }
};

const broken = (name: string, file: string, mistakes: readonly Mistake[]): ScenarioDocument => ({
  name,
  file,
  value: undefined,
  mistakes,
});

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
