/** A line of two texts: in both, or in one of them. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'new';
  readonly text: string;
}

/** The most pairs of lines that are compared. Beyond it, all lines between the equal ends count as different. */
const maxPairs = 4_000_000;

/** How one list of lines becomes another one, with as few changes as possible. */
export const diffLines = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const toLines = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind, text }));
  return [
    ...toLines('same', before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...toLines('same', before.slice(before.length - end)),
  ];
};

const diffMiddle = (before: readonly string[], after: readonly string[]): DiffLine[] => {
  const width = after.length + 1;
  const isTooLong = before.length * after.length > maxPairs;
  /** How many lines both have in common from a place on, by the longest common subsequence. */
  const common = new Uint32Array(isTooLong ? 0 : (before.length + 1) * width);
  const at = (a: number, b: number): number => common[a * width + b] ?? 0;
  if (!isTooLong)
    for (let a = before.length - 1; a >= 0; a -= 1)
      for (let b = after.length - 1; b >= 0; b -= 1)
        common[a * width + b] =
          before[a] === after[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  const lines: DiffLine[] = [];
  let [a, b] = [0, 0];
  while (a < before.length || b < after.length) {
    const [removed, added] = [before[a], after[b]];
    if (removed !== undefined && removed === added && !isTooLong) {
      lines.push({ kind: 'same', text: removed });
      a += 1;
      b += 1;
    } else if (removed !== undefined && (added === undefined || at(a + 1, b) >= at(a, b + 1))) {
      lines.push({ kind: 'removed', text: removed });
      a += 1;
    } else {
      lines.push({ kind: 'new', text: added ?? '' });
      b += 1;
    }
  }
  return lines;
};
