import { Anchor, Group, NavLink, Stack, Text, Title } from '@mantine/core';
import { type Kind, kinds, recordsOf } from '../../kinds.ts';
import { toHash, useRoute } from '../../route.ts';
import { Foreign, formatCount, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import './data.css';
import { RecordList } from './list.tsx';
import { NewLink, NewRecord } from './new.tsx';
import { RecordView } from './record.tsx';

/** The records of the session by kind: `#/data/runs`, `#/data/runs/run_1`. */
export const Panel = () => {
  const { rest, query } = useRoute();
  const [name = 'threads', id] = rest;
  const isNew = query.new !== undefined;
  const kind = kinds.find((one) => one.name === name);
  const key = `${name}/${id}/${query.new}`;
  return (
    <Stack gap="sm">
      <Kinds current={name} />
      {kind === undefined && <Text c="dimmed">Unknown kind of record “{isolate(name)}”.</Text>}
      {kind && id === undefined && (
        <Group justify="space-between" gap="sm">
          <Heading kind={kind} />
          {!isNew && <NewLink kind={kind} />}
        </Group>
      )}
      {kind && id === undefined && isNew && <NewRecord key={key} kind={kind} />}
      {kind && id === undefined && !isNew && <RecordList key={name} kind={kind} />}
      {kind && id !== undefined && (
        <RecordView key={key} kind={kind} id={id}>
          <Heading kind={kind} id={id} />
        </RecordView>
      )}
    </Stack>
  );
};

const Kinds = ({ current }: { readonly current: string }) => {
  const { value: counts } = useQuery('counts', (own) =>
    Promise.all(kinds.map(({ name }) => recordsOf(name, own).count())),
  );
  return (
    <Group component="nav" gap={4} aria-label="Kinds of record">
      {kinds.map(({ name, title }, at) => (
        <NavLink
          key={name}
          w="auto"
          py={4}
          label={title}
          rightSection={<small className="dimmed">{counts && formatCount(counts[at] ?? 0)}</small>}
          href={toHash('data', [name])}
          active={name === current}
          aria-current={name === current ? 'page' : undefined}
        />
      ))}
    </Group>
  );
};

const Heading = ({ kind, id }: { readonly kind: Kind; readonly id?: string }) => (
  <Title order={2} tabIndex={-1} className="wrap">
    <Anchor inherit c="inherit" underline={id ? 'always' : 'never'} href={toHash('data', [kind.name])}>
      {kind.title}
    </Anchor>
    {id !== undefined && (
      <span className="mono">
        {' / '}
        <Foreign text={id} />
      </span>
    )}
  </Title>
);
