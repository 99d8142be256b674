import { Badge, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { parseJson, toJsonText } from '../../../util/json.ts';
import { isMapping, type Mapping } from '../../../util/mapping.ts';
import { tryParse } from '../../../util/try-parse.ts';
import { setQuery, useRoute } from '../../route.ts';
import { isolate } from '../../text.tsx';
import { readAt, writeAt } from './form.ts';

interface VariablesProps {
  readonly messages: readonly Message[];
  readonly missing: readonly string[];
}

/** The inputs for the variables of a prompt, which are in the link. */
export const VariablesForm = ({ messages, missing }: VariablesProps) => {
  const variables = readVariables(useRoute().query.variables);
  // Those that only a partial names are known by missing once. Their fields stay while somebody types.
  const [seen, setSeen] = useState<readonly string[]>([]);
  const added = missing.filter((name) => !name.startsWith('>') && !seen.includes(name));
  if (added.length > 0) setSeen([...seen, ...added]);
  const named = namesIn(messages);
  const listed = [...new Set([...named.keys(), ...seen])];
  return (
    <Stack gap="sm">
      <Text role="status" className="wrap">
        {missing.length === 0 ? 'No variables are missing.' : isolate(`Missing: ${missing.join(', ')}`)}
      </Text>
      {listed.map((name) => (
        <VariableField
          key={name}
          name={name}
          isSection={named.get(name)?.isSection === true}
          isMissing={missing.includes(name)}
          value={readAt(variables, name.split('.'))}
          set={(value) => setQuery({ variables: toJsonText(writeAt(variables, name.split('.'), value), 2) })}
        />
      ))}
      <Text size="xs" c="dimmed">
        {listed.length === 0
          ? 'The template has no variables.'
          : 'Variables with an empty field are not sent.'}
      </Text>
    </Stack>
  );
};

interface VariableProps {
  readonly name: string;
  readonly isSection: boolean;
  readonly isMissing: boolean;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

/** What stands in it is its own, since JSON is written in another way than somebody types it. */
const VariableField = ({ name, isSection, isMissing, value, set }: VariableProps) => {
  const isJson = isSection || (value !== undefined && typeof value !== 'string');
  const read = (text: string): unknown => (isJson ? (tryParse(text, parseJson) ?? text) : text) || undefined;
  return (
    <Textarea
      label={isolate(name)}
      rightSection={isMissing && <Badge color="orange">missing</Badge>}
      rightSectionWidth={isMissing ? 84 : 0}
      description={isSection && 'A section: JSON such as true, a list or an object.'}
      classNames={{ label: 'wrap', input: isJson ? 'mono' : '' }}
      autosize
      minRows={1}
      maxRows={6}
      defaultValue={value === undefined || typeof value === 'string' ? value : toJsonText(value)}
      onChange={({ currentTarget }) => set(read(currentTarget.value))}
    />
  );
};

/** A message of a prompt, stored or rendered. */
export interface Message {
  readonly role: string;
  readonly [field: string]: unknown;
}

/** A stored prompt: one version of it, or several. */
export interface StoredPrompt {
  readonly messages?: readonly Message[];
  readonly published?: number;
  readonly versions?: readonly { version: number; labels?: string[]; messages: readonly Message[] }[];
}

/** Mustache tags with the usual delimiters, which is enough for a form. */
const tag = /\{\{\{?\s*([#^/&>!=]?)\s*([^{}]*?)\s*\}?\}\}/g;

/** The variables that a template names outside of sections. Those that open a section may be more than a text. */
export const namesIn = (
  messages: readonly Message[],
): ReadonlyMap<string, { readonly isSection: boolean }> => {
  const found = new Map<string, { isSection: boolean }>();
  for (const text of messages.flatMap(({ name, content }) => [name, content])) {
    let depth = 0;
    for (const [, sign = '', name = ''] of typeof text === 'string' ? text.matchAll(tag) : []) {
      const isSection = sign === '#' || sign === '^';
      const isVariable = isSection || sign === '' || sign === '&';
      if (depth === 0 && isVariable && name !== '' && name !== '.')
        found.set(name, { isSection: isSection || found.get(name)?.isSection === true });
      depth += isSection ? 1 : sign === '/' ? -1 : 0;
    }
  }
  return found;
};

/** Splits a text at tags: every second part is a tag. */
export const splitTags = (text: string): readonly string[] => text.split(/(\{\{\{?[^{}]*\}?\}\})/);

/** The variables in a link, which are JSON. */
export const readVariables = (text = ''): Mapping => {
  const value = tryParse(text, parseJson);
  return isMapping(value) ? value : {};
};
