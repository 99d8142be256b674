import { Badge, Chip, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { ShippedScenario } from '../../../core/scenario/shipped-names.ts';
import type { SavedStateInfo, ScenarioInfo } from '../../../service/control/control-interface.ts';
import { Actions } from '../../act.tsx';
import { hasWords } from '../../commands.ts';
import { kinds } from '../../kinds.ts';
import { Note, SearchField } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { countOf, Foreign, formatTime, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { stateCommands, toLoad, toLoadInSession } from './commands.ts';

interface GalleryProps {
  readonly loaded: string;
  readonly states: readonly SavedStateInfo[];
}

/** All that the session can start from: scenarios and saved states. */
export const Gallery = ({ loaded, states }: GalleryProps) => {
  const { q = '', tag: chosen = '' } = useRoute().query;
  const { value: scenarios = [] } = useQuery('scenarios', (own) => own.scenario.list());
  const all = [
    ...states.toReversed().map(({ name, scenario, now }) => ({
      name,
      tag: 'saved',
      description: `${scenario}, at ${formatTime(now)}`,
      note: 'kept until the server stops',
      commands: stateCommands(name),
    })),
    ...scenarios.map(({ name, description, counts }) => ({
      name,
      tag: tagOf(name),
      description,
      note: describeCounts(counts),
      commands: [toLoad(name), toLoadInSession(name)],
    })),
  ];
  const tags = [...new Set(all.map(({ tag }) => tag))];
  const shown = all.filter(
    ({ name, tag, description }) =>
      (chosen === '' || tag === chosen) && hasWords(`${name} ${description}`, q),
  );
  return (
    <>
      <Group gap={6} role="group" aria-label="Tags">
        <SearchField placeholder="Find a scenario" w={220} />
        {['', ...tags].map((tag) => (
          <Chip key={tag} checked={tag === chosen} onChange={() => setQuery({ tag })}>
            {tag || 'All'} {all.filter((start) => tag === '' || start.tag === tag).length}
          </Chip>
        ))}
      </Group>
      {shown.length === 0 && <Text c="dimmed">No scenario matches.</Text>}
      <SimpleGrid
        component="ul"
        className="plain-list"
        aria-label="Scenarios"
        cols={{ base: 1, sm: 2, lg: 3 }}
        spacing="sm"
      >
        {shown.map(({ name, tag, description, note, commands }) => (
          <Paper
            key={`${tag} ${name}`}
            component="li"
            p="12px 16px"
            style={tag !== 'saved' && name === loaded ? { borderColor: 'var(--accent-fill)' } : undefined}
          >
            <Group gap="xs">
              <Title order={2} className="wrap">
                {isolate(name)}
              </Title>
              {tag !== 'saved' && name === loaded && <Badge>loaded</Badge>}
              <Badge color="gray" ml="auto">
                {tag}
              </Badge>
            </Group>
            <Text lineClamp={2} mih={40} title={isolate(description)}>
              <Foreign text={description} />
            </Text>
            <Note my={6}>{note}</Note>
            <Group gap={6}>
              <Actions of={commands} />
            </Group>
          </Paper>
        ))}
      </SimpleGrid>
    </>
  );
};

/** `263 runs, 130 batches`. */
const describeCounts = (counts: ScenarioInfo['counts']): string =>
  kinds
    .flatMap(({ name, singular }) => {
      const count = new Map(Object.entries(counts)).get(name) ?? 0; // some kinds are not counted
      return count === 0 ? [] : [countOf(count, singular, name)];
    })
    .join(', ') || 'no records';

/** The scenarios of the package by what they are for. */
const tags: Readonly<Record<string, readonly ShippedScenario[]>> = {
  basics: ['default', 'empty'],
  paging: [
    'one-page',
    'many-pages',
    'many-pages-one-less',
    'many-pages-one-more',
    'tied-timestamps',
    'large',
  ],
  states: ['batch-failures', 'every-batch-status', 'every-run-status', 'assistants-gone'],
  time: ['in-flight', 'live', 'training'],
  texts: ['prompt-library', 'unicode'],
  keys: ['locked-out', 'archived-policies'],
  assumptions: ['lenient-answers', 'strict-answers'],
};

/** `own` for a scenario of the user's. */
const tagOf = (name: string): string =>
  Object.keys(tags).find((tag) => tags[tag]?.some((scenario) => scenario === name)) ?? 'own';
