import { Badge, Flex, Group, NativeSelect, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight, IconPlayerTrackNext, IconPlus } from '@tabler/icons-react';
import { Action, act } from '../../act.tsx';
import { TextForm } from '../../parts.tsx';
import { formatSpan, formatTime } from '../../text.tsx';
import type { Now } from '../../use-clock.ts';
import { advance, freeze, goToNext, runAt } from './commands.ts';

const steps = [
  ['1 min', '1m'],
  ['10 min', '10m'],
  ['1 h', '1h'],
  ['1 day', '1d'],
] as const;

const speeds = [0, 1, 10, 60, 600, 3600];

const toOption = (speed: number): { value: string; label: string } => ({
  value: String(speed),
  label: speed === 0 ? 'frozen' : `${formatSpan(speed)} per second`,
});

/** The world's time, and what changes it. */
export const Time = ({ now, hasNext }: { readonly now: Now; readonly hasNext: boolean }) => {
  const { seconds, speed } = now;
  const time = formatTime(Math.floor(seconds));
  const isFrozen = speed === 0;
  return (
    <Paper component="section" aria-label="The world's time">
      <VisuallyHidden role="status">{isFrozen && `It is ${time}.`}</VisuallyHidden>
      <Stack>
        <Group gap="sm">
          <Text component="time" fz={{ base: 24, xs: 28 }} fw={600} lh={1.2}>
            {time}
          </Text>
          <Text c="dimmed">UTC</Text>
          <Badge color={isFrozen ? 'gray' : 'teal'}>{isFrozen ? 'frozen' : `runs ${speed}×`}</Badge>
        </Group>
        <Group gap="xs">
          {steps.map(([name, by]) => (
            <Action
              key={name}
              size="sm"
              px="sm"
              Icon={IconPlus}
              aria-label={`Advance by ${name}`}
              {...advance(by)}
            >
              {name}
            </Action>
          ))}
          <Action
            size="sm"
            Icon={IconPlayerTrackNext}
            disabled={!hasNext}
            title={hasNext ? undefined : 'No further changes'}
            {...goToNext}
          >
            Go to the next change
          </Action>
        </Group>
        <Flex gap="md" direction={{ base: 'column', md: 'row' }} align="flex-start">
          <TextForm
            label="Move by a time, or to a date"
            placeholder="10m, -1h30m, 2d, or 2026-01-15 13:00:00"
            action="Move"
            Icon={IconArrowRight}
            toTask={advance}
          />
          <NativeSelect
            label="Speed"
            data={[...new Set([...speeds, speed])].sort((a, b) => a - b).map(toOption)}
            value={String(speed)}
            onChange={({ currentTarget: { value } }) =>
              void act(value === '0' ? freeze : runAt(Number(value)))
            }
          />
        </Flex>
      </Stack>
    </Paper>
  );
};
