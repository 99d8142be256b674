import { Badge, Table } from '@mantine/core';
import { toJsonText } from '../../../util/json.ts';
import type { Mapping } from '../../../util/mapping.ts';
import { colorOf, formatTime } from '../../format.ts';
import { Foreign } from '../../text.tsx';

export const Status = ({ status }: { readonly status: string }) => (
  <Badge color={colorOf(status)} maw="100%" title={status}>
    <Foreign text={status} />
  </Badge>
);

/** The value of a field in one line. */
export const toLine = (name: string, value: unknown): string => {
  if (value === undefined) return '–';
  const isTime = name.endsWith('_at') && typeof value === 'number';
  return isTime ? `${formatTime(value)} (${value})` : typeof value === 'string' ? value : toJsonText(value);
};

interface CompareProps {
  readonly label: string;
  /** What the two values of a field are. */
  readonly heads: readonly [string, string];
  readonly names: readonly string[];
  readonly of: readonly [Mapping, Mapping];
}

/** Two values of each field, side by side. */
export const Compare = ({ label, heads, names, of }: CompareProps) => (
  <Table aria-label={label} layout="fixed">
    <Table.Thead>
      <Table.Tr>
        {['Field', ...heads].map((head) => (
          <Table.Th key={head}>{head}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {names.map((name) => (
        <Table.Tr key={name} className="wrap">
          <Table.Th scope="row" fw={400} className="mono">
            <Foreign text={name} />
          </Table.Th>
          {of.map((values, at) => (
            <Table.Td key={at}>
              <Foreign text={toLine(name, values[name])} />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
