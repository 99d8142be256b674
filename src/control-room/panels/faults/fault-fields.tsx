import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { conditionNames, effectKinds, usualWords } from '../../../core/faults/kinds.ts';
import { listOperations } from '../../connection.ts';
import { inputFirst } from '../../parts.tsx';
import { isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { type FaultParts, readFault, withKind, writeFault } from './fault-line.ts';

/** What follows a kind, with an example. Other kinds take at most one word. */
const detailLabels: Readonly<Record<string, readonly [label: string, example: string]>> = {
  error: ['Status and options', '503 message="Try again" retry-after=2'],
  reply: ['Status and options', '200 body={"a": 1} header.x-a=b'],
  delay: ['Time', '500ms..2s'],
  drip: ['Time', '2s'],
  'insert-records': ['Records', '3'],
  'clamp-limit': ['Records', '5'],
  'wrong-content-type': ['Content type', 'text/plain'],
};

/** What each kind does. */
const meanings: Readonly<Record<string, string>> = {
  error: 'The reply is an error with this status.',
  reply: 'The reply has this status, body and headers.',
  'html-error': 'The reply is the HTML error page of a proxy.',
  delay: 'The usual reply is late by this time, or by a random one in a range.',
  drip: 'The body arrives in pieces over this time.',
  'wrong-content-type': 'The usual body has another content type.',
  reset: 'The connection is reset before the reply.',
  'hang-up': 'The connection is closed half way through the body.',
  'malformed-json': 'The body is not JSON.',
  'truncated-json': 'The body is the first half of the JSON.',
  'empty-body': 'Status and headers are as usual, but there is no body.',
  'cursor-loop': 'The next page is the first page again.',
  'empty-page': 'The page is empty, but has_more is true.',
  'repeat-record': 'The page begins with the last record of the page before.',
  'vanish-record': 'The record of the cursor was deleted.',
  'insert-records': 'This many records were created since the page before.',
  'clamp-limit': 'A page has at most this many records, whatever the limit.',
  'expire-cursor': 'The cursor has expired.',
} satisfies Readonly<Record<'error' | (typeof effectKinds)[number], string>>;

interface FieldsProps {
  readonly line: string;
  readonly setLine: (line: string) => void;
}

/** The line of a fault as fields: each change writes the line, and a line that was typed fills the fields. */
export const FaultFields = ({ line, setLine }: FieldsProps) => {
  const { value: operations = [] } = useQuery('operations', listOperations);
  const parts = readFault(line);
  const { operation, kind, details } = parts;
  const ids = new Set([...operations, operation]); // besides the known ones, what was typed
  ids.delete('*');
  const [label, example] = detailLabels[kind] ?? ['Status', usualWords[kind]];
  const fieldOf = (name: keyof FaultParts) => ({
    value: parts[name],
    inputWrapperOrder: inputFirst,
    classNames: { input: 'mono' },
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setLine(writeFault({ ...parts, [name]: event.currentTarget.value })),
  });
  return (
    <SimpleGrid minColWidth="200px" spacing="sm" role="group" aria-label="The fault as fields">
      <NativeSelect
        label="Operation"
        data={[{ value: '*', label: 'any' }, ...[...ids].map(toOption)]}
        {...fieldOf('operation')}
      />
      <TextInput label="Which calls" placeholder="3, 2-4 or 5-" {...fieldOf('calls')} />
      <TextInput
        label="Only if"
        placeholder="share=25% times=2 query.limit=5"
        description={`Conditions: ${conditionNames.join(', ')}, query.NAME, header.NAME`}
        {...fieldOf('conditions')}
      />
      <NativeSelect
        label="Kind"
        description={meanings[kind]}
        inputWrapperOrder={inputFirst}
        value={kind}
        data={[
          { value: 'error', label: 'error status' },
          ...[...new Set([...effectKinds, kind])].filter((one) => one !== 'error').map(toOption),
        ]}
        onChange={(event) => setLine(writeFault(withKind(parts, event.currentTarget.value)))}
      />
      {(example !== undefined || details !== '') && (
        <TextInput
          label={label}
          placeholder={example}
          {...fieldOf('details')}
          style={{ gridColumn: '1 / -1' }}
        />
      )}
    </SimpleGrid>
  );
};

const toOption = (value: string) => ({ value, label: isolate(value) });
