import { type DiffLine, diffLines } from '../diff-lines.ts';
import { Name } from '../name.tsx';
import { Empty } from '../parts.tsx';
import { texts } from '../texts.ts';

const t = texts.diff;

/** How many equal lines are shown beside a difference. */
const context = 3;

/** Two texts side by side, where they differ; in a narrow window, one below the other. */
export const Diff = ({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}) => {
  if (before === after) return <Empty>{t.same}</Empty>;
  const parts = foldEqual(toPairs(diffLines(toLines(before), toLines(after))));
  return (
    // It scrolls, so it must be reachable by keyboard.
    <div class="diff mono" tabIndex={0} role="region" aria-label={label}>
      {parts.map((part, at) =>
        typeof part === 'number' ? (
          <div key={at} class="muted">
            {t.equal(part)}
          </div>
        ) : (
          <div key={at} class={`pair ${part.isSame ? 'same' : ''}`}>
            {<Side tag={part.isSame ? 'span' : 'del'} text={part.left} />}
            {<Side tag={part.isSame ? 'span' : 'ins'} text={part.right} />}
          </div>
        ),
      )}
    </div>
  );
};

const Side = ({
  tag: Tag,
  text,
}: {
  readonly tag: 'span' | 'del' | 'ins';
  readonly text: string | undefined;
}) =>
  text === undefined ? null : (
    <Tag>
      <Name text={text} />
    </Tag>
  );

const toLines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** Lines that stand beside each other. */
interface Pair {
  readonly left?: string;
  readonly right?: string;
  readonly isSame: boolean;
}

const toPairs = (lines: readonly DiffLine[]): Pair[] => {
  const pairs: Pair[] = [];
  let removed: string[] = [];
  const flush = (): void => {
    pairs.push(...removed.map((left) => ({ left, isSame: false })));
    removed = [];
  };
  for (const { kind, text } of lines) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'same') {
      flush();
      pairs.push({ left: text, right: text, isSame: true });
    } else {
      const left = removed.shift();
      pairs.push({ ...(left !== undefined && { left }), right: text, isSame: false });
    }
  }
  flush();
  return pairs;
};

/** Replaces long runs of equal lines by their number. */
const foldEqual = (pairs: readonly Pair[]): readonly (Pair | number)[] => {
  const isNear = pairs.map(() => false);
  for (const [at, { isSame }] of pairs.entries())
    if (!isSame) isNear.fill(true, Math.max(0, at - context), at + context + 1);
  const parts: (Pair | number)[] = [];
  for (const [at, pair] of pairs.entries()) {
    const last = parts.at(-1);
    if (isNear[at]) parts.push(pair);
    else if (typeof last === 'number') parts[parts.length - 1] = last + 1;
    else parts.push(1);
  }
  return parts;
};
