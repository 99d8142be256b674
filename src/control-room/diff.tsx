import { Code, Text } from '@mantine/core';
import { diffArrays } from 'diff';
import { countOf } from './format.ts';
import { Foreign } from './text.tsx';

/** How many equal lines are shown beside a difference. */
const context = 3;

/** The most steps of a comparison. Texts that differ more are shown as entirely different. */
const maxSteps = 4000;

const toLines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

interface DiffProps {
  /** What differs. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The lines in which two texts differ, with those around them. */
export const Diff = ({ label, before, after }: DiffProps) => {
  if (before === after)
    return (
      <Text size="sm" c="dimmed">
        No difference.
      </Text>
    );
  const [old, fresh] = [toLines(before), toLines(after)];
  const parts = diffArrays(old, fresh, { maxEditLength: maxSteps }) ?? [
    { value: old, removed: true, added: false },
    { value: fresh, removed: false, added: true },
  ];
  return (
    // It scrolls, so it must be reachable by keyboard.
    <Code block className="diff" tabIndex={0} role="region" aria-label={label}>
      {parts.map(({ value, removed, added }, at) => {
        if (removed || added) return <Lines key={at} lines={value} tag={removed ? 'del' : 'ins'} />;
        const start = at === 0 ? 0 : context;
        const end = Math.max(start, value.length - (at === parts.length - 1 ? 0 : context));
        return (
          <div key={at}>
            <Lines lines={value.slice(0, start)} tag="div" />
            {end > start && <div className="dimmed">… {countOf(end - start, 'equal line')}</div>}
            <Lines lines={value.slice(end)} tag="div" />
          </div>
        );
      })}
    </Code>
  );
};

const Lines = ({
  lines,
  tag: Tag,
}: {
  readonly lines: readonly string[];
  readonly tag: 'del' | 'ins' | 'div';
}) =>
  lines.map((line, at) => (
    <Tag key={at}>
      <Foreign text={line} />
    </Tag>
  ));
