import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { AssumptionInUse } from '../../../core/assumptions/marking.ts';
import { Assumption } from '../../assumption.tsx';
import { hasWords } from '../../commands.ts';
import { SearchField } from '../../parts.tsx';
import { useRoute } from '../../route.ts';
import { countOf, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

export const Panel = () => {
  const { q = '' } = useRoute().query;
  const { value: all } = useQuery('assumptions', (own) => own.assumptions.list());
  const found = all && choose(all, q);
  return (
    <Stack gap="sm">
      <Text c="dimmed" maw={820}>
        <Rich text="Assumptions decide what the mock answers where the contract is silent. Replies that depend on an assumption list it in the header `x-mock-assumptions`. A choice made here lasts until the session is reset. To keep it, set `assumptions` in the scenario or the options." />
      </Text>
      <Group>
        <SearchField placeholder="Search" />
        <Text c="dimmed" role="status" ml="auto">
          {all && found && `${found.length} of ${all.length}`}
        </Text>
      </Group>
      {found?.length === 0 && <Text c="dimmed">No assumption matches the filter.</Text>}
      <Stack component="ul" gap="xs" className="plain-list" aria-label="Assumptions">
        {found?.map((one) => (
          <Paper key={one.id} component="li" p="sm">
            <Group justify="space-between" align="baseline">
              <Title order={2} className="mono">
                {one.id}
              </Title>
              <Group gap="xs">
                {one.value !== one.choices[0]?.[0] && <Badge color="blue">not the default</Badge>}
                <Badge color={one.used > 0 ? 'orange' : 'gray'}>{describeUse(one)}</Badge>
              </Group>
            </Group>
            <Assumption assumption={one} />
          </Paper>
        ))}
      </Stack>
    </Stack>
  );
};

/** Used assumptions first, by number of uses; the others in the order of the registry. */
const choose = (all: readonly AssumptionInUse[], q: string): AssumptionInUse[] =>
  all
    .filter((one) => hasWords([one.id, one.description, one.section, ...one.choices.flat()].join(' '), q))
    .sort((a, b) => b.used - a.used);

/** The header does not list those that apply to every reply. */
const describeUse = ({ used, standing }: AssumptionInUse): string => {
  if (used > 0) return `used ${countOf(used, 'time')}`;
  return standing ? 'applies to every reply' : 'not used';
};
