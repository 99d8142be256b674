import { Badge, Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { AssumptionInUse } from '../../../core/assumptions/marking.ts';
import { hasWords } from '../../commands.ts';
import { Assumption, isSwitched, Lines, Loading, Note, SearchField } from '../../parts.tsx';
import { useRoute } from '../../route.ts';
import { countOf, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** What the mock does where the contract is silent: what can be switched first, the rest folded until it is searched for. */
export const Panel = () => {
  const { q = '' } = useRoute().query;
  const { value: all } = useQuery('assumptions', (own) => own.assumptions.list());
  if (all === undefined) return <Loading />;
  const matching = all.filter(({ id, description, section, choices }) =>
    hasWords([id, description, section, ...choices.flat()].join(' '), q),
  );
  const rank = (assumption: AssumptionInUse): number => (isSwitched(assumption) ? 1e9 : 0) + assumption.used;
  const switches = matching.filter(({ choices }) => choices.length > 1).sort((a, b) => rank(b) - rank(a));
  const others = matching.filter((assumption) => !switches.includes(assumption));
  return (
    <Stack gap="sm">
      <Text c="dimmed" maw={820}>
        <Rich text="Replies that depend on an assumption list it in the header `x-mock-assumptions`. A choice made here lasts until the session is reset. To keep it, set `assumptions` in the scenario or the options." />
      </Text>
      <Group>
        <SearchField placeholder="Search" w={280} />
        <Text c="dimmed" role="status" ml="auto">
          {matching.length} of {all.length}
        </Text>
      </Group>
      {matching.length === 0 && <Text c="dimmed">No assumption matches the filter.</Text>}
      {switches.length > 0 && <Assumptions label="With a choice" of={switches} />}
      {others.length > 0 && (
        <details open={q !== ''}>
          <summary>{countOf(others.length, 'assumption')} without a choice</summary>
          <Assumptions label="Without a choice" of={others} />
        </details>
      )}
    </Stack>
  );
};

const Assumptions = ({ label, of }: { readonly label: string; readonly of: readonly AssumptionInUse[] }) => (
  <Paper py={0}>
    <Lines label={label} of={of} first={of.length}>
      {(assumption) => (
        <Group gap="4px 16px" align="flex-start">
          <Box className="wrap" flex="1 1 320px">
            <Group gap="xs">
              <Title order={2} className="mono">
                {assumption.id}
              </Title>
              {isSwitched(assumption) && <Badge color="orange">switched</Badge>}
              {assumption.used > 0 && <Badge color="gray">used {countOf(assumption.used, 'time')}</Badge>}
            </Group>
            <Note title={`The contract does not say this under “${assumption.section}”.`}>
              <Rich text={assumption.description} />
            </Note>
          </Box>
          <Box flex="1 1 280px">
            <Assumption assumption={assumption} />
          </Box>
        </Group>
      )}
    </Lines>
  </Paper>
);
