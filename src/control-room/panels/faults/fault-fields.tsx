import { Fieldset, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { conditionNames, effectKinds, usualWords } from '../../../faults/kinds.ts';
import { readHealth } from '../../connection.ts';
import { Fold } from '../../parts.tsx';
import { isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { type FaultParts, optionsOf, readFault, withKind, writeFault } from './fault-line.ts';

/** What follows a kind, other than a status. */
const wordLabels: Readonly<Record<string, string>> = {
  delay: 'Time',
  drip: 'Time',
  'wrong-content-type': 'Content type',
  'insert-records': 'Records',
  'clamp-limit': 'Records',
};

const conditionLabels = {
  share: ['Share', '25%'],
  times: ['At most, times', '2'],
  until: ['Until', '2030-01-15T13:00:00Z'],
  for: ['For', '10m'],
  path: ['Path', '/v1/threads/thread_demo/*'],
} as const;

interface FieldsProps {
  readonly line: string;
  readonly setLine: (line: string) => void;
}

/** The line of a fault as fields: each change writes the line, and a line that was typed fills the fields. */
export const FaultFields = ({ line, setLine }: FieldsProps) => {
  const { value: health } = useQuery('health', readHealth);
  const parts = readFault(line);
  const shown = parts ?? readFault('');
  if (shown === undefined) return null;
  const { operation, calls, kind, word, conditions, patterns, options, headers } = shown;
  const set = (changed: Partial<FaultParts>): void => setLine(writeFault({ ...shown, ...changed }));
  const field = (
    label: string,
    text: string | undefined,
    change: (text: string) => Partial<FaultParts>,
    hint?: string,
  ) => <Field key={label} label={label} hint={hint} text={text} set={(typed) => set(change(typed))} />;
  const hasConditions = Object.keys(conditions).length > 0 || patterns !== '';
  const takesWord = kind === 'error' || usualWords[kind] !== undefined;
  const names = optionsOf(kind);
  const ids = new Set([...(health?.operations ?? []), operation]); // besides the known ones, what was typed
  ids.delete('*');
  return (
    <Fieldset aria-label="The fault as fields" variant="unstyled" m={0} p={0} disabled={parts === undefined}>
      <SimpleGrid minColWidth="150px" spacing="sm">
        <NativeSelect
          label="Operation"
          value={operation}
          data={[{ value: '*', label: 'any' }, ...[...ids].map(toOption)]}
          onChange={(event) => set({ operation: event.currentTarget.value })}
        />
        {field('Which calls', calls, (text) => ({ calls: text }), '3, 2-4 or 5-')}
        <NativeSelect
          label="Kind"
          value={kind}
          data={[
            { value: 'error', label: 'error status' },
            ...[...new Set([...effectKinds, kind])].filter((one) => one !== 'error').map(toOption),
          ]}
          onChange={(event) => setLine(writeFault(withKind(shown, event.currentTarget.value)))}
        />
        {takesWord && field(wordLabels[kind] ?? 'Status', word, (text) => ({ word: text }), usualWords[kind])}
        {names?.map((name) =>
          field(name, options[name], (text) => ({ options: { ...options, [name]: text } })),
        )}
        {names && field('Reply headers', headers, (text) => ({ headers: text }), 'header.x-a=b')}
      </SimpleGrid>
      <Fold title="Only some of these calls" isOpen={hasConditions}>
        <SimpleGrid minColWidth="150px" spacing="sm">
          {conditionNames.map((name) => {
            const [label, hint] = conditionLabels[name];
            const change = (text: string) => ({ conditions: { ...conditions, [name]: text } });
            return field(label, conditions[name], change, hint);
          })}
          {field('Query and headers', patterns, (text) => ({ patterns: text }), 'query.after=*')}
        </SimpleGrid>
      </Fold>
    </Fieldset>
  );
};

const toOption = (value: string) => ({ value, label: isolate(value) });

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly text: string | undefined;
  readonly set: (text: string) => void;
}

/** While it has the focus it keeps what is typed, such as a space at its end. */
const Field = ({ label, hint, text = '', set }: FieldProps) => {
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      label={label}
      classNames={{ input: 'mono' }}
      autoComplete="off"
      spellCheck={false}
      placeholder={hint}
      value={typed ?? text}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        set(value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
};
