import { Badge, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ScenarioInfo } from '../../../service/control/control-interface.ts';
import { Action, Actions, Copy } from '../../act.tsx';
import { Section } from '../../parts.tsx';
import { countOf, Foreign, isolate } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { downloadState, fileNameOf, reset } from './commands.ts';

interface LoadedProps {
  readonly scenario: ScenarioInfo;
  /** How many differences from its start there are. */
  readonly changes: number;
}

/** What is loaded: the scenario, what identifies its present state, and that state as a file with a name of its own. */
export const Loaded = ({ scenario: { name, description, seed }, changes }: LoadedProps) => {
  const { value: fingerprint } = useQuery('fingerprint', (own) => own.state.fingerprint());
  const now = useNow();
  const [given, setGiven] = useState<string>();
  const file = given ?? fileNameOf(name, now?.seconds ?? 0);
  return (
    <Section
      title={isolate(name)}
      note={<Foreign text={description || 'It has no description.'} />}
      side={<Actions of={[reset]} />}
    >
      <Stack gap="sm" mt="sm">
        <Group gap="sm">
          <Badge color={changes === 0 ? 'gray' : 'blue'}>
            {changes === 0 ? 'at its start' : countOf(changes, 'change')}
          </Badge>
          <Text>
            <span className="dimmed">Seed</span> {seed}
          </Text>
          <Text title="Two sessions with the same fingerprint are in the same state">
            <span className="dimmed">Fingerprint</span> <Code>{fingerprint ?? '…'}</Code>
          </Text>
          <Copy text={fingerprint ?? ''} aria-label="Copy the fingerprint" />
        </Group>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Download the current state as"
            size="xs"
            w={260}
            value={file}
            onChange={(event) => setGiven(event.currentTarget.value)}
          />
          {(['yaml', 'json'] as const).map((format) => (
            <Action
              key={format}
              Icon={IconDownload}
              disabled={file.trim() === ''}
              run={() => downloadState(file.trim(), format)}
              aria-label={`Download as ${format.toUpperCase()}`}
            >
              {format.toUpperCase()}
            </Action>
          ))}
        </Group>
      </Stack>
    </Section>
  );
};
