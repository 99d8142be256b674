import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useFileDialog } from '@mantine/hooks';
import { IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { act } from '../../act.tsx';
import { Lines, Section } from '../../parts.tsx';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { toLoad, toLoadFile } from './commands.ts';

/** Loads another scenario, by name or from a file. */
export const Load = ({ loaded }: { readonly loaded: string }) => {
  const [error, setError] = useState<string>();
  const dialog = useFileDialog({
    accept: '.yaml,.yml,.json',
    multiple: false,
    resetOnOpen: true, // the same file may be loaded again
    onChange: (files) => files?.[0] && void act({ ...toLoadFile(files[0]), fail: setError }),
  });
  const { value: all = [] } = useQuery('scenarios', (own) => own.scenario.list());
  return (
    <Section
      title="Load another scenario"
      note="A scenario from a file, in YAML or JSON, gets the name of the file."
      side={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFileUpload size={16} aria-hidden />}
          onClick={dialog.open}
        >
          Load a file
        </Button>
      }
    >
      {error && (
        <Alert color="red" role="alert" my="xs" className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
          <Foreign text={error} />
        </Alert>
      )}
      <Lines label="Scenarios" of={all} commandsOf={({ name }) => [toLoad(name)]}>
        {({ name, description }) => (
          <>
            <Group gap="xs">
              <Foreign text={name} />
              {name === loaded && <Badge color="teal">loaded</Badge>}
            </Group>
            <Text size="xs" c="dimmed">
              <Foreign text={description} />
            </Text>
          </>
        )}
      </Lines>
    </Section>
  );
};
