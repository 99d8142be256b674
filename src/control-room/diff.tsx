import { Code, Text, Title } from '@mantine/core';
import { diffArrays } from 'diff';
import { countOf, Foreign } from './text.tsx';

/** How many equal lines are shown beside a difference. */
const context = 3;

/** The most steps of a comparison. Texts that differ more are shown as entirely different. */
const maxSteps = 4000;

const toLines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

interface DiffProps {
  /** What differs. */
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** The lines in which two texts differ, with those around them. */
export const DiffSection = ({ title, before, after }: DiffProps) => (
  <div>
    <Title order={3} mb={4}>
      {title}
    </Title>
    {before === after ? (
      <Text c="dimmed">No difference.</Text>
    ) : (
      // It scrolls, so it must be reachable by keyboard.
      <Code block className="diff" tabIndex={0} role="region" aria-label={title}>
        {toParts(toLines(before), toLines(after))}
      </Code>
    )}
  </div>
);

const toParts = (before: string[], after: string[]) => {
  const parts = diffArrays(before, after, { maxEditLength: maxSteps }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap(({ value, removed, added }, part) => {
    const Tag = removed ? 'del' : added ? 'ins' : 'div';
    const toElements = (lines: readonly string[], place: string) =>
      lines.map((line, at) => (
        <Tag key={`${part}${place}${at}`}>
          <Foreign text={line} />
        </Tag>
      ));
    if (removed || added) return toElements(value, '');
    const start = part === 0 ? 0 : context;
    const end = Math.max(start, value.length - (part === parts.length - 1 ? 0 : context));
    const hidden = <div key={part} className="dimmed">{`… ${countOf(end - start, 'equal line')}`}</div>;
    return [
      ...toElements(value.slice(0, start), 'first'),
      end > start && hidden,
      ...toElements(value.slice(end), 'last'),
    ];
  });
};
