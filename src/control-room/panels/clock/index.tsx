import { Box, Flex, Portal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight, IconPlayerTrackNext, IconPlus } from '@tabler/icons-react';
import { Action, act } from '../../act.tsx';
import { Choice, Loading, TextForm } from '../../parts.tsx';
import { useRoute } from '../../route.ts';
import { formatSpan, formatTime } from '../../text.tsx';
import { type Now, useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { Changes } from './changes.tsx';
import { advance, freeze, goToNext, runAt } from './commands.ts';
import { maxHistories } from './spans.ts';
import { Timeline } from './timeline.tsx';

export const Panel = () => {
  const now = useNow();
  const search = useRoute().query.q?.trim();
  const { value } = useQuery(
    'lifelines',
    async ({ clock }) => ({
      histories: await clock.timeline({ limit: maxHistories, search }),
      upcoming: await clock.upcoming(),
    }),
    { details: search, wait: search ? 150 : 0 },
  );
  if (now === undefined || value === undefined) return <Loading />;
  const { histories, upcoming } = value;
  return (
    <>
      <Portal target="#panel-tools">
        <Time now={now} hasNext={upcoming !== undefined} />
      </Portal>
      <Flex gap="md" direction={{ base: 'column-reverse', lg: 'row' }}>
        <Box flex="2 1 0" miw={0}>
          <Timeline histories={histories} now={now.seconds} />
        </Box>
        <Stack flex="1 1 0" miw={0}>
          <Changes histories={histories} now={now.seconds} upcoming={search ? undefined : upcoming} />
        </Stack>
      </Flex>
    </>
  );
};

const steps = { '1 min': '1m', '10 min': '10m', '1 h': '1h', '1 day': '1d' };

const speeds = [0, 1, 10, 60, 600, 3600];

const nameOf = (speed: number): string => (speed === 0 ? 'frozen' : `${formatSpan(speed)} per second`);

/** The world's time, and what changes it. */
const Time = ({ now: { seconds, speed }, hasNext }: { readonly now: Now; readonly hasNext: boolean }) => {
  const time = formatTime(Math.floor(seconds));
  return (
    <section className="sentence" aria-label="The world's time">
      <VisuallyHidden role="status">{speed === 0 && `It is ${time}.`}</VisuallyHidden>
      <Text component="time" fw={600} c="var(--mantine-color-text)">
        {time}
      </Text>
      UTC
      <Choice
        aria-label="Speed"
        value={String(speed)}
        choices={[...new Set([...speeds, speed])].map((choice) => [String(choice), nameOf(choice)])}
        choose={(value) => void act(value === '0' ? freeze : runAt(Number(value)))}
      />
      <TextForm
        aria-label="Move by a time, or to a date"
        name="move"
        w={190}
        placeholder="10m or a date"
        action="Move"
        Icon={IconArrowRight}
        toTask={advance}
      />
      {Object.entries(steps).map(([name, by]) => (
        <Action key={name} Icon={IconPlus} aria-label={`Advance by ${name}`} {...advance(by)}>
          {name}
        </Action>
      ))}
      <Action
        variant="filled"
        Icon={IconPlayerTrackNext}
        disabled={!hasNext}
        title={hasNext ? undefined : 'No further changes'}
        {...goToNext}
      >
        Next change
      </Action>
    </section>
  );
};
