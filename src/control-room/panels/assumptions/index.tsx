import { Badge, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import type { AssumptionInUse } from '../../../protocol/assume.ts';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { countOf } from '../../format.ts';
import { type Route, setQuery } from '../../route.ts';
import { Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

export const AssumptionsPanel = ({ route }: { readonly route: Route }) => {
  const { query } = route;
  const { value: all } = useQuery('assumptions', (own) => own.assumptions.list());
  const found = all && choose(all, query);
  return (
    <Stack gap="sm">
      <Text c="dimmed" maw={820}>
        <Rich text="Assumptions decide what the mock answers where the contract is silent. Replies that depend on an assumption list it in the header `x-mock-assumptions`. “Use” changes one until the session is reset. To keep the choice, set `assumptions` in the scenario or the options." />
      </Text>
      <Group justify="space-between">
        <Group>
          <TextInput
            aria-label="Filter"
            placeholder="Filter"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={query.q ?? ''}
            onChange={(event) => setQuery(route, { q: event.currentTarget.value })}
          />
          <Switch
            label="Only used assumptions"
            checked={query.used === 'yes'}
            onChange={(event) => setQuery(route, { used: event.currentTarget.checked ? 'yes' : '' })}
          />
        </Group>
        <Text size="sm" c="dimmed" role="status">
          {all && found && `${found.length} of ${all.length}`}
        </Text>
      </Group>
      {found?.length === 0 && (
        <Text c="dimmed">
          {query.q
            ? 'No assumption contains this text.'
            : 'No reply of this session depends on an assumption yet.'}
        </Text>
      )}
      <Stack component="ul" gap="xs" className="plain-list" aria-label="Assumptions">
        {found?.map((one) => (
          <One key={one.id} assumption={one} />
        ))}
      </Stack>
    </Stack>
  );
};

/** Used assumptions first, by number of uses; the others in the order of the registry. */
const choose = (all: readonly AssumptionInUse[], { q = '', used }: Route['query']): AssumptionInUse[] => {
  const words = q.toLowerCase().split(/\s+/);
  return all
    .filter((one) => {
      const text = [one.id, one.description, one.section, ...one.choices.flat()].join(' ').toLowerCase();
      return (used !== 'yes' || one.used > 0) && words.every((word) => text.includes(word));
    })
    .sort((a, b) => b.used - a.used);
};

const One = ({
  assumption: { id, description, section, choices, value, used, standing },
}: {
  readonly assumption: AssumptionInUse;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const meaningOf = (choice: string): string => choices.find(([name]) => name === choice)?.[1] ?? choice;
  const others = choices.filter(([choice]) => choice !== value);
  const set = async (choice: string): Promise<void> => {
    await control.assumptions.set(id, choice);
    heading.current?.focus(); // the button goes
  };
  const state =
    used > 0
      ? `used ${used === 1 ? 'once' : countOf(used, 'time')}`
      : standing
        ? 'applies to every reply'
        : 'not used';
  return (
    <Paper component="li" p="sm">
      <Group justify="space-between" align="baseline">
        <Title ref={heading} order={2} size="h5" className="mono" tabIndex={-1}>
          {id}
        </Title>
        <Group gap="xs">
          {value !== choices[0]?.[0] && <Badge color="blue">not the default</Badge>}
          <Badge
            color={used > 0 ? 'orange' : 'gray'}
            title={standing ? 'It applies to every reply, so the header does not list it.' : undefined}
          >
            {state}
          </Badge>
        </Group>
      </Group>
      <Text size="sm">{description}</Text>
      <Text size="xs" c="dimmed">
        The contract is silent: {section}
      </Text>
      <Stack gap={4} mt="xs">
        <Choice value={value} meaning={meaningOf(value)} isChosen />
        {others.map(([other, meaning]) => (
          <Group key={other} gap="xs" wrap="nowrap">
            <Action
              size="compact-xs"
              run={() => set(other)}
              done={`${id} is now ${other}`}
              undo={1}
              aria-label={`Use ${other} for ${id}`}
            >
              Use
            </Action>
            <Choice value={other} meaning={meaning} />
          </Group>
        ))}
      </Stack>
    </Paper>
  );
};

interface ChoiceProps {
  readonly value: string;
  readonly meaning: string;
  readonly isChosen?: boolean;
}

const Choice = ({ value, meaning, isChosen = false }: ChoiceProps) => (
  <Text size="sm" {...(!isChosen && { c: 'dimmed' })}>
    <Text span inherit className="mono" fw={isChosen ? 700 : 400}>
      {value}
    </Text>
    {meaning.startsWith(value) ? meaning.slice(value.length) : ` ${meaning}`}
  </Text>
);
