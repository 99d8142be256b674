import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '../../use-query.ts';
import { Changes } from './changes.tsx';
import { Load } from './load.tsx';
import { Loaded } from './loaded.tsx';
import { SavedStates } from './states.tsx';

export const Panel = () => {
  const { value } = useQuery('scenario', async ({ scenario, state }) => ({
    scenario: await scenario.current(),
    changes: await state.changes(),
  }));
  if (value === undefined) return <Skeleton height={220} animate={false} />;
  const { scenario, changes } = value;
  return (
    <Stack>
      <Loaded key={scenario.name} scenario={scenario} changes={changes.length} />
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <Changes changes={changes} />
        <Stack>
          <Load loaded={scenario.name} />
          <SavedStates />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
};
