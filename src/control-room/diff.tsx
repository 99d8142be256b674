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
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The lines in which two texts differ, with those around them. */
export const Diff = ({ label, before, after }: DiffProps) => {
  if (before === after) return <Text c="dimmed">No difference.</Text>;
  const [old, fresh] = [toLines(before), toLines(after)];
  const parts = diffArrays(old, fresh, { maxEditLength: maxSteps }) ?? [
    { value: old, removed: true, added: false },
    { value: fresh, removed: false, added: true },
  ];
  return (
    // It scrolls, so it must be reachable by keyboard.
    <Code block className="diff" tabIndex={0} role="region" aria-label={label}>
      {parts.flatMap(({ value, removed, added }, part) => {
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
      })}
    </Code>
  );
};

interface SectionProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** The same with a heading. */
export const DiffSection = ({ title, before, after }: SectionProps) => (
  <div>
    <Title order={3} mb={4}>
      {title}
    </Title>
    <Diff label={title} before={before} after={after} />
  </div>
);
