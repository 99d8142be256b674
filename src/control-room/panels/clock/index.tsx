import { Box, Flex, Portal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight, IconPlayerSkipForward, IconPlayerTrackNext, IconPlus } from '@tabler/icons-react';
import { Action, act } from '../../act.tsx';
import { Choice, Lines, Loading, Section, TextForm } from '../../parts.tsx';
import { useRoute } from '../../route.ts';
import { Foreign, formatAway, formatSpan, formatTime, isolate, RecordLink } from '../../text.tsx';
import { type Now, useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { advance, freeze, goTo, goToNext, runAt } from './commands.ts';
import { type Change, listChanges, maxHistories, titleOf } from './spans.ts';
import { Timeline } from './timeline.tsx';

/** How many changes are listed at most. */
const maxListed = 100;

/** The world's time, the states of runs and batches over time, what changes next, each with a button that moves the clock there, and what changed last. */
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
  const changes = listChanges(histories);
  const last = changes.filter(({ at }) => at <= now.seconds).reverse();
  const next: SomeChange[] = changes.filter(({ at }) => at > now.seconds);
  // The next change of the session may also be a record that appears.
  const at = search || upcoming === undefined ? 0 : Date.parse(upcoming) / 1000;
  if (at > now.seconds && at < (next[0]?.at ?? Infinity)) next.unshift({ at });
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
          <Section
            title="What changes next"
            note={next.length === 0 && 'No further changes. Go back in time, or load another scenario.'}
          >
            <Lines
              label="What changes next"
              first={6}
              of={next.slice(0, maxListed)}
              commandsOf={({ at, history, to }) => [
                {
                  name: `Go here: ${history ? `${history.id} becomes ${to}` : 'a record appears'}`,
                  Icon: IconPlayerSkipForward,
                  ...goTo(at),
                },
              ]}
            >
              {(change) => showChange(change, now.seconds)}
            </Lines>
          </Section>
          <Section title="What changed" note={last.length === 0 && 'Nothing has changed so far.'}>
            <Lines label="What changed" first={6} of={last.slice(0, maxListed)}>
              {(change) => showChange(change, now.seconds)}
            </Lines>
          </Section>
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
        choose={(value) => act(value === '0' ? freeze : runAt(Number(value)))}
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
        <Action text={name} key={name} Icon={IconPlus} aria-label={`Advance by ${name}`} {...advance(by)} />
      ))}
      <Action
        text="Next change"
        variant="filled"
        Icon={IconPlayerTrackNext}
        disabled={!hasNext}
        title={hasNext ? undefined : 'No further changes'}
        {...goToNext}
      />
    </section>
  );
};

/** Without a history if some record appears. */
type SomeChange = Partial<Change> & Pick<Change, 'at'>;

const showChange = ({ at, history, from, to }: SomeChange, now: number) => (
  <>
    <time title={formatTime(at)} dateTime={new Date(at * 1000).toISOString()}>
      {formatAway(at - now)}
    </time>{' '}
    {history ? (
      <RecordLink kind={history.kind} id={history.id} title={isolate(titleOf(history))} />
    ) : (
      'a record appears'
    )}
    <div className="dimmed">{to !== undefined && <Foreign text={`${from ?? 'not created'} → ${to}`} />}</div>
  </>
);
