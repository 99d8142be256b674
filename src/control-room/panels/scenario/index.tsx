import './scenario.css';
import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import type { Route } from '../../route.ts';
import { useQuery } from '../../use-query.ts';
import { Changes } from './changes.tsx';
import { History } from './history.tsx';
import { FromFile, Pick } from './load.tsx';
import { Loaded } from './loaded.tsx';
import { SavedStates } from './states.tsx';

export const ScenarioPanel = ({ route }: { readonly route: Route }) => {
  const { value } = useQuery('scenario', async ({ scenario, state }) => ({
    scenario: await scenario.current(),
    changes: await state.changes(),
  }));
  if (value === undefined) return <Skeleton height={220} animate={false} />;
  const { scenario, changes } = value;
  return (
    <Stack>
      <Loaded scenario={scenario} changes={changes.length} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>
          <Changes changes={changes} />
          <History />
        </Stack>
        <Stack>
          <Pick loaded={scenario.name} route={route} />
          <FromFile />
          <SavedStates />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
};
