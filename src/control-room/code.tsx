import { Code, Text, Title } from '@mantine/core';
import { structuredPatch } from 'diff';
import { parseJson, toJsonText } from '../core/util/json.ts';
import { tryParse } from '../core/util/try-parse.ts';
import { Foreign } from './text.tsx';

/** Any value, or a text of JSON, to be read. */
export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const parsed = typeof value === 'string' ? tryParse(value, parseJson) : value;
  return (
    // It scrolls, so it must be reachable by keyboard.
    <Code block className="json" tabIndex={0} role="region" aria-label={label}>
      <Foreign text={parsed === undefined ? String(value) : toJsonText(parsed, 2)} />
    </Code>
  );
};

/** The most steps of a comparison, so that it ends soon. */
const maxEditLength = 4000;

interface DiffProps {
  /** What differs. */
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** The lines in which two texts differ, with three around them. */
export const DiffSection = ({ title, before, after }: DiffProps) => {
  const options = { context: 3, maxEditLength };
  const hunks = structuredPatch('', '', endLine(before), endLine(after), '', '', options)?.hunks;
  return (
    <div>
      <Title order={3} mb={4}>
        {title}
      </Title>
      {hunks?.length === 0 ? (
        <Text c="dimmed">No difference.</Text>
      ) : (
        // It scrolls, so it must be reachable by keyboard.
        <Code block className="diff" tabIndex={0} role="region" aria-label={title}>
          {hunks?.map(({ oldStart, lines }) => <div key={oldStart}>{lines.map(toLine)}</div>) ??
            'They differ in too many lines.'}
        </Code>
      )}
    </div>
  );
};

const endLine = (text: string): string => text && `${text}\n`;

const toLine = (line: string, at: number) => {
  const Tag = line.startsWith('-') ? 'del' : line.startsWith('+') ? 'ins' : 'div';
  return (
    <Tag key={at}>
      <Foreign text={line} />
    </Tag>
  );
};
