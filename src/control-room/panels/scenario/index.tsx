import { Badge, Button, Code, Menu, Portal, Stack, Text } from '@mantine/core';
import { useFileDialog } from '@mantine/hooks';
import { IconDeviceFloppy, IconDownload, IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { Action, Actions, act } from '../../act.tsx';
import { fieldError, Lines, Loading, Section, TextForm } from '../../parts.tsx';
import { countOf, Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { changeText, copyFingerprint, downloads, reset, toLoadFile, toSave } from './commands.ts';
import { Gallery } from './gallery.tsx';

/** The maximum of differences that the server returns. */
const maxChanges = 500;

export const Panel = () => {
  const { value } = useQuery('scenario', async ({ scenario, state }) => ({
    scenario: await scenario.current(),
    changes: await state.changes(),
    states: await state.list(),
  }));
  const { value: fingerprint } = useQuery('fingerprint', (own) => own.state.fingerprint());
  const [error, setError] = useState<string>();
  const dialog = useFileDialog({
    accept: '.yaml,.yml,.json',
    multiple: false,
    resetOnOpen: true, // the same file may be loaded again
    onChange: (files) => files?.[0] && void act({ ...toLoadFile(files[0]), fail: setError }),
  });
  if (value === undefined) return <Loading />;
  const { scenario, changes, states } = value;
  return (
    <Stack>
      <Portal target="#panel-tools">
        <Action
          text="Load a file"
          Icon={IconFileUpload}
          run={dialog.open}
          title="YAML or JSON; the scenario gets the name of the file"
        />
        <Menu position="bottom-end">
          <Menu.Target>
            <Button leftSection={<IconDownload size={16} aria-hidden />}>Download</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {downloads.map((command) => (
              <Menu.Item key={command.name} onClick={() => act(command)}>
                {command.text}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <TextForm
          name="state"
          aria-label="Name of the state"
          placeholder="before checkout"
          action="Save this state"
          Icon={IconDeviceFloppy}
          toTask={(name) => toSave(name, states)}
        />
      </Portal>
      {error && (
        <Text c="var(--bad)" style={{ whiteSpace: 'pre-wrap' }}>
          {fieldError(error)}
        </Text>
      )}
      <Section
        title={isolate(scenario.name)}
        note={<Foreign text={scenario.description || 'It has no description.'} />}
        side={
          <>
            <Text title="Two sessions with the same fingerprint are in the same state">
              <span className="dimmed">Seed {scenario.seed}, fingerprint</span>{' '}
              <Code>{fingerprint ?? '…'}</Code>
            </Text>
            <Badge color={changes.length === 0 ? 'gray' : 'blue'}>
              {changes.length === 0 ? 'at its start' : countOf(changes.length, 'change')}
            </Badge>
            <Actions of={changes.length > 0 ? [copyFingerprint, reset] : [copyFingerprint]} />
          </>
        }
      >
        {changes.length === maxChanges && <Text c="dimmed">The first {maxChanges} differences.</Text>}
        {changes.length > 0 && (
          <Lines label="The differences" first={4} of={changes.map(changeText)}>
            {(text) => (
              <Text className="mono" lineClamp={1} title={isolate(text)}>
                <Foreign text={text} />
              </Text>
            )}
          </Lines>
        )}
      </Section>
      <Gallery loaded={scenario.name} states={states} />
    </Stack>
  );
};
