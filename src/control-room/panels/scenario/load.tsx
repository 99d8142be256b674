import { Alert, Badge, Button, FileButton, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { IconFileUpload, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';
import { type Route, setQuery } from '../../route.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { loadFile } from './file.ts';

interface PickProps {
  readonly loaded: string;
  readonly route: Route;
}

/** Loads another scenario, by name. */
export const Pick = ({ loaded, route }: PickProps) => {
  const { q: filter = '' } = route.query;
  const { value: all = [] } = useQuery('scenarios', (own) => own.scenario.list());
  const words = filter.toLowerCase().split(/\s+/);
  const found = all.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Paper component="section" aria-label="Load another">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Load another
        </Title>
        <Text size="sm" c="dimmed" role="status">
          {found.length} of {all.length}
        </Text>
      </Group>
      <TextInput
        aria-label="Filter"
        placeholder="Filter by name or description"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter}
        onChange={(event) => setQuery(route, { q: event.currentTarget.value })}
      />
      {found.length === 0 && all.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          No scenario contains this text.
        </Text>
      )}
      <ul className="plain-list lines" aria-label="Scenarios">
        {found.map(({ name, description }) => (
          <li key={name}>
            <div className="wrap">
              <Group gap="xs">
                <Text size="sm" fw={500}>
                  <Foreign text={name} />
                </Text>
                {name === loaded && <Badge color="teal">loaded</Badge>}
              </Group>
              <Text size="xs" c="dimmed">
                <Foreign text={description} />
              </Text>
            </div>
            <Action
              size="compact-sm"
              run={() => control.scenario.load(name)}
              done={`${name} is loaded.`}
              undo={1}
              aria-label={isolate(`Load ${name}`)}
            >
              Load
            </Action>
          </li>
        ))}
      </ul>
    </Paper>
  );
};

/** Loads a scenario file under its own name: chosen, or dropped anywhere on the page. */
export const FromFile = () => {
  const [error, setError] = useState<string>();
  const [isOver, setOver] = useState(false);
  const forget = useRef<() => void>(null);
  const load = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    const name = file.name.replace(/\.[^.]*$/, '');
    await act(() => loadFile(file), { done: `${name} is loaded.`, undo: 1, fail: setError });
    forget.current?.(); // so that the same file can be chosen again after it was corrected
  };
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault(); // else the browser would leave the page and show the file
      setOver(event.type === 'dragover');
      if (event.type === 'drop') void load(event.dataTransfer.files[0]);
    };
    const types = ['dragover', 'dragleave', 'drop'] as const;
    for (const type of types) addEventListener(type, onDrag);
    return () => {
      for (const type of types) removeEventListener(type, onDrag);
    };
  }, []);
  return (
    <Paper
      component="section"
      aria-label="Load a file"
      className="file-target"
      data-over={isOver || undefined}
    >
      <Title order={2} size="h4" mb="xs">
        Load a file
      </Title>
      <Group gap="sm">
        <FileButton
          resetRef={forget}
          accept=".yaml,.yml,.json"
          inputProps={{ 'aria-label': 'Scenario file' }}
          onChange={(file) => void load(file)}
        >
          {(props) => (
            <Button variant="default" leftSection={<IconFileUpload size={16} aria-hidden />} {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop it on this page: YAML or JSON. The scenario gets the name of the file.
        </Text>
      </Group>
      {error && (
        <Alert color="red" role="alert" mt="sm" className="file-error">
          <Foreign text={error} />
        </Alert>
      )}
    </Paper>
  );
};
