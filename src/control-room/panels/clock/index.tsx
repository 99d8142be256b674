import { maxHistories } from './spans.ts';
import './clock.css';
import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useRoute } from '../../route.ts';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { Changed, Coming } from './changes.tsx';
import { Time } from './time.tsx';
import { Timeline } from './timeline.tsx';

export const Panel = () => {
  const now = useNow();
  const search = useRoute().query.q?.trim();
  const { value: known } = useQuery('clock', async ({ clock, state }) => ({
    histories: await clock.timeline({ limit: maxHistories }),
    upcoming: await clock.upcoming(),
    changes: (await state.history()).changes,
  }));
  const { value: found } = useQuery(
    'found',
    async ({ clock }) => (search ? await clock.timeline({ limit: maxHistories, search }) : undefined),
    { details: search, wait: 150 },
  );
  if (now === undefined || known === undefined) return <Skeleton height={220} animate={false} />;
  const { histories, changes } = known;
  const upcoming = known.upcoming === undefined ? undefined : Date.parse(known.upcoming) / 1000;
  const shown = { histories, now: now.seconds };
  return (
    <Stack>
      <Time now={now} hasNext={upcoming !== undefined} />
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <Changed {...shown} changes={changes} />
        <Coming {...shown} upcoming={upcoming} />
      </SimpleGrid>
      <Timeline histories={(search && found) || histories} now={now.seconds} />
    </Stack>
  );
};
