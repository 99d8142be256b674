import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { AssumptionInUse } from '../../../core/assumptions/marking.ts';
import { Assumption } from '../../assumption.tsx';
import { hasWords } from '../../commands.ts';
import { Loading, SearchField } from '../../parts.tsx';
import { useRoute } from '../../route.ts';
import { countOf, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** What the mock does where the contract is silent: what can be switched first, the rest folded until it is searched for. */
export const Panel = () => {
  const { q = '' } = useRoute().query;
  const { value: all } = useQuery('assumptions', (own) => own.assumptions.list());
  if (all === undefined) return <Loading />;
  const found = all.filter(({ id, description, section, choices }) =>
    hasWords([id, description, section, ...choices.flat()].join(' '), q),
  );
  const rank = ({ value, choices, used }: AssumptionInUse): number =>
    (value === choices[0]?.[0] ? 0 : 1e9) + used;
  const isSwitch = ({ choices }: AssumptionInUse): boolean => choices.length > 1;
  const switches = found.filter(isSwitch).sort((a, b) => rank(b) - rank(a));
  const others = found.filter((assumption) => !isSwitch(assumption));
  return (
    <Stack gap="sm">
      <Text c="dimmed" maw={820}>
        <Rich text="Replies that depend on an assumption list it in the header `x-mock-assumptions`. A choice made here lasts until the session is reset. To keep it, set `assumptions` in the scenario or the options." />
      </Text>
      <Group>
        <SearchField placeholder="Search" w={280} />
        <Text c="dimmed" role="status" ml="auto">
          {found.length} of {all.length}
        </Text>
      </Group>
      {found.length === 0 && <Text c="dimmed">No assumption matches the filter.</Text>}
      {switches.length > 0 && <AssumptionList label="With a choice" of={switches} />}
      {others.length > 0 && (
        <details open={q !== ''}>
          <summary>{countOf(others.length, 'assumption')} without a choice</summary>
          <AssumptionList label="Without a choice" of={others} />
        </details>
      )}
    </Stack>
  );
};

interface ListProps {
  readonly label: string;
  readonly of: readonly AssumptionInUse[];
}

const AssumptionList = ({ label, of }: ListProps) => (
  <Paper component="ul" p={0} className="plain-list" aria-label={label}>
    {of.map((assumption) => (
      <Group
        key={assumption.id}
        component="li"
        className="row"
        gap="4px 16px"
        px="md"
        py={8}
        align="flex-start"
      >
        <div className="wrap" style={{ flex: '1 1 320px' }}>
          <Group gap="xs">
            <Title order={2} className="mono">
              {assumption.id}
            </Title>
            {assumption.value !== assumption.choices[0]?.[0] && <Badge color="orange">switched</Badge>}
            {assumption.used > 0 && <Badge color="gray">used {countOf(assumption.used, 'time')}</Badge>}
          </Group>
          <Text size="xs" c="dimmed" title={`The contract does not say this under “${assumption.section}”.`}>
            <Rich text={assumption.description} />
          </Text>
        </div>
        <div style={{ flex: '1 1 280px' }}>
          <Assumption assumption={assumption} />
        </div>
      </Group>
    ))}
  </Paper>
);
