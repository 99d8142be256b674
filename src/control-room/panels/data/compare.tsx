import { Table } from '@mantine/core';
import { toJsonText } from '../../../core/util/json.ts';
import type { Mapping } from '../../../core/util/mapping.ts';
import { Foreign, formatTime } from '../../text.tsx';

/** The value of a field in one line. */
const toLine = (name: string, value: unknown): string => {
  if (name.endsWith('_at') && typeof value === 'number') return `${formatTime(value)} (${value})`;
  return typeof value === 'string' ? value : toJsonText(value);
};

interface CompareProps {
  readonly label: string;
  /** What the two values of a field are. */
  readonly heads: readonly [string, string];
  readonly names: readonly string[];
  readonly of: readonly [Mapping, Mapping];
}

/** Two values of each field, side by side. */
export const Compare = ({ label, heads, names, of }: CompareProps) => {
  const body = names.map((name) =>
    [name, ...of.map((values) => toLine(name, values[name]))].map((text) => (
      <Foreign key={text} text={text} />
    )),
  );
  return (
    <Table aria-label={label} className="wrap" layout="fixed" data={{ head: ['Field', ...heads], body }} />
  );
};
