import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { thatFit } from '../../commands.ts';
import { Lines, SearchField, Section } from '../../parts.tsx';
import { useRoute } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { chooseFile, toLoad } from './commands.ts';

/** Loads another scenario, by name or from a file. */
export const Load = ({ loaded }: { readonly loaded: string }) => {
  const [error, setError] = useState<string>();
  const { value: all = [] } = useQuery('scenarios', (own) => own.scenario.list());
  const { q = '' } = useRoute().query;
  const found = thatFit(q, all, ({ name, description }) => `${name} ${description}`);
  return (
    <Section
      title="Load another scenario"
      note="A scenario from a file, in YAML or JSON, gets the name of the file."
      side={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFileUpload size={16} aria-hidden />}
          onClick={() => chooseFile(setError)}
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
      <Group gap="sm" my="xs">
        <SearchField aria-label="Filter" placeholder="Filter by name or description" flex={1} />
        <Text c="dimmed" role="status">
          {found.length === 0 && all.length > 0
            ? 'No scenario contains this text.'
            : `${found.length} of ${all.length}`}
        </Text>
      </Group>
      <Lines label="Scenarios" of={found} offersOf={({ name }) => [toLoad(name)]}>
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
