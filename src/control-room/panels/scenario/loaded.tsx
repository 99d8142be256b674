import { Badge, Code, Group, Paper, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconDownload, IconRestore } from '@tabler/icons-react';
import { useState } from 'react';
import type { ScenarioInfo } from '../../../control/types.ts';
import { Action } from '../../action.tsx';
import { useNow } from '../../clock.ts';
import { control } from '../../connection.ts';
import { Copy } from '../../copy.tsx';
import { countOf } from '../../format.ts';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { downloadState, type Format, fileNameOf } from './file.ts';

interface LoadedProps {
  readonly scenario: ScenarioInfo;
  /** How many differences from its start there are. */
  readonly changes: number;
}

/** What is loaded: the scenario, what identifies its present state, and that state as a file. */
export const Loaded = ({ scenario: { name, description, seed }, changes }: LoadedProps) => {
  const { value: fingerprint } = useQuery('fingerprint', (own) => own.state.fingerprint());
  return (
    <Paper component="section" aria-label="The loaded scenario">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Group gap="xs" className="wrap">
            <Title order={2} size="h3" className="wrap">
              <Foreign text={name} />
            </Title>
            <Badge color={changes === 0 ? 'gray' : 'blue'}>
              {changes === 0 ? 'at its start' : countOf(changes, 'change')}
            </Badge>
          </Group>
          <Action
            size="sm"
            leftSection={<IconRestore size={16} aria-hidden />}
            run={() => control.reset()}
            done={`The session was reset to the start of ${name}.`}
            undo={1}
          >
            Reset to the start
          </Action>
        </Group>
        <Text className="wrap">
          <Foreign text={description || 'It has no description.'} />
        </Text>
        <Group gap="lg">
          <Text size="sm">
            <span className="dimmed">Seed</span> {seed}
          </Text>
          <Group gap="xs">
            <Text size="sm" title="Two sessions with the same fingerprint are in the same state">
              <span className="dimmed">Fingerprint of the present state</span>{' '}
              <Code>{fingerprint ?? '…'}</Code>
            </Text>
            <Copy text={fingerprint ?? ''} label="Copy the fingerprint" />
          </Group>
        </Group>
        <Download scenario={name} />
      </Stack>
    </Paper>
  );
};

/** Downloads the present state under a name of its own, so that it is not confused with its scenario. */
const Download = ({ scenario }: { readonly scenario: string }) => {
  const now = useNow();
  const [given, setGiven] = useState<string>();
  const [format, setFormat] = useState<Format>('yaml');
  const name = given ?? fileNameOf(scenario, now?.seconds ?? 0);
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <Group gap="xs">
        <TextInput
          aria-label="File name"
          maw={320}
          flex={1}
          miw={180}
          value={name}
          rightSection={<span className="dimmed">.{format}</span>}
          rightSectionWidth={56}
          onChange={(event) => setGiven(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Format"
          data={[
            { value: 'yaml', label: 'YAML' },
            { value: 'json', label: 'JSON' },
          ]}
          value={format}
          onChange={(value) => setFormat(value)}
        />
        <Action
          type="submit"
          size="sm"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={name.trim() === ''}
          run={() => downloadState(name.trim(), format)}
        >
          Download the state
        </Action>
      </Group>
    </form>
  );
};
