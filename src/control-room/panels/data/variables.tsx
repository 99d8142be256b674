import { Badge, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { parseJson, toJsonText } from '../../../util/json.ts';
import { tryParse } from '../../../util/try-parse.ts';
import { type Route, setQuery } from '../../route.ts';
import { isolate } from '../../text.tsx';
import { readAt, writeAt } from './form.ts';
import { type Message, namesIn, parseVariables } from './template.ts';

interface VariablesProps {
  readonly route: Route;
  readonly messages: readonly Message[];
  readonly missing: readonly string[];
}

/** The inputs for the variables of a prompt, which are in the link. */
export const VariablesForm = ({ route, messages, missing }: VariablesProps) => {
  const { variables: text = '{}', as } = route.query;
  const variables = tryParse(text, parseVariables);
  // Those that only a partial names are known by missing once. Their fields stay while somebody types.
  const [seen, setSeen] = useState<readonly string[]>([]);
  const isVariable = (name: string): boolean => !name.startsWith('>');
  const added = missing.filter((name) => isVariable(name) && !seen.includes(name));
  if (added.length > 0) setSeen([...seen, ...added]);
  const named = namesIn(messages);
  const listed = [...new Set([...named.map(({ name }) => name), ...seen])];
  const others = Object.keys(variables ?? {}).filter(
    (key) => !listed.some((name) => name === key || name.startsWith(`${key}.`)),
  );
  const names = [...listed, ...others];
  const showsJson = as === 'json' || variables === undefined;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="How variables are given"
          data={[
            { value: '', label: 'Fields' },
            { value: 'json', label: 'JSON' },
          ]}
          value={showsJson ? 'json' : ''}
          onChange={(next) => setQuery(route, { as: next })}
        />
        <Text size="sm" role="status">
          {missing.length === 0 ? 'No variables are missing.' : `Missing: ${missing.length}`}
        </Text>
      </Group>
      {showsJson ? (
        <Textarea
          label="Variables, as JSON"
          description={missing.length > 0 && isolate(`Missing: ${missing.join(', ')}`)}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={8}
          error={variables === undefined}
          value={text}
          onChange={(event) => setQuery(route, { variables: event.currentTarget.value })}
        />
      ) : (
        names.map((name) => (
          <VariableField
            key={name}
            name={name}
            isSection={named.some((one) => one.name === name && one.isSection)}
            isMissing={missing.includes(name)}
            value={readAt(variables, name.split('.'))}
            onValue={(value) =>
              setQuery(route, { variables: toJsonText(writeAt(variables, name.split('.'), value), 2) })
            }
          />
        ))
      )}
      <Text size="xs" c="dimmed">
        {names.length === 0
          ? 'The template has no variables.'
          : 'Variables with an empty field are not sent.'}
      </Text>
      {missing
        .filter((name) => !isVariable(name))
        .map((name) => (
          <Text key={name} size="sm">
            There is no prompt “{isolate(name.slice(1))}” to put in.
          </Text>
        ))}
    </Stack>
  );
};

interface VariableProps {
  readonly name: string;
  readonly isSection: boolean;
  readonly isMissing: boolean;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}

const VariableField = ({ name, isSection, isMissing, value, onValue }: VariableProps) => {
  // If it ever was more than a text, the input is parsed as JSON if possible.
  const isRich = isSection || (value !== undefined && typeof value !== 'string');
  const [wasRich, setRich] = useState(isRich);
  const [draft, setDraft] = useState(() => showValue(value));
  const read = (text: string): unknown =>
    text === '' ? undefined : wasRich ? (tryParse(text, parseJson) ?? text) : text;
  useLayoutEffect(() => {
    if (isRich) setRich(true);
    if (toJsonText(read(draft)) !== toJsonText(value)) setDraft(showValue(value));
  }, [toJsonText(value)]);
  return (
    <Textarea
      label={isolate(name)}
      rightSection={isMissing && <Badge color="orange">missing</Badge>}
      rightSectionWidth={isMissing ? 84 : 0}
      description={isSection && 'A section: JSON such as true, a list or an object.'}
      classNames={{ label: 'wrap', input: wasRich ? 'mono' : '' }}
      autosize
      minRows={1}
      maxRows={6}
      value={draft}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        onValue(read(event.currentTarget.value));
      }}
    />
  );
};

const showValue = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : toJsonText(value);
