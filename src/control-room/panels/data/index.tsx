import './data.css';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Json } from '../../code.tsx';
import { kinds, recordsOf } from '../../kinds.ts';
import { PanelHead } from '../../parts.tsx';
import { toHash, useRoute } from '../../route.ts';
import { capitalize, Foreign, formatCount, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { RecordList } from './list.tsx';
import { NewRecord } from './new.tsx';
import { RecordView } from './record.tsx';

/** The records of the session by kind: `#/data/runs`, `#/data/runs/run_1`. */
export const Panel = () => {
  const { rest, query } = useRoute();
  const [name = 'runs', id] = rest;
  const kind = kinds.find((candidate) => candidate.name === name);
  const key = `${name}/${id}/${query.new}`;
  if (kind === undefined && name !== 'own')
    return <Text c="dimmed">Unknown kind of record “{isolate(name)}”.</Text>;
  const title = kind === undefined ? 'Own records' : capitalize(name);
  return (
    <>
      <PanelHead title={id === undefined ? title : <Path name={name} id={id} />}>
        {id === undefined && <Kinds current={name} />}
      </PanelHead>
      {kind === undefined ? (
        <OwnRecords />
      ) : id !== undefined ? (
        <RecordView key={key} kind={kind} id={id} />
      ) : query.new !== undefined ? (
        <NewRecord key={key} kind={kind} />
      ) : (
        <RecordList key={name} kind={kind} />
      )}
    </>
  );
};

/** Links to the kinds of records, with how many there are. */
const Kinds = ({ current }: { readonly current: string }) => {
  const ownKinds = useOwnKinds();
  const { value: counts = [] } = useQuery('counts', (own) =>
    Promise.all(kinds.map((kind) => recordsOf(kind.name, own).count())),
  );
  const links = [
    ...kinds.map(({ name }, at) => ({ name, text: `${capitalize(name)} ${formatCount(counts[at] ?? 0)}` })),
    ...(ownKinds.length > 0 ? [{ name: 'own', text: 'Own records' }] : []),
  ];
  return (
    <Group component="nav" aria-label="Kinds of record" gap={0}>
      {links.map(({ name, text }) => (
        <Button
          key={name}
          component="a"
          href={toHash('data', [name])}
          {...(name === current
            ? { variant: 'light', 'aria-current': 'page' }
            : { variant: 'subtle', color: 'gray' })}
        >
          {text}
        </Button>
      ))}
    </Group>
  );
};

/** A record after its kind. */
const Path = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <>
    <Anchor fz="sm" fw={400} href={toHash('data', [name])}>
      {capitalize(name)}
    </Anchor>{' '}
    <span className="dimmed" style={{ fontSize: 13 }}>
      /
    </span>{' '}
    <span className="mono" style={{ fontSize: 16 }}>
      <Foreign text={id} />
    </span>
  </>
);

/** The names of the user's own kinds of records. */
const useOwnKinds = (): readonly string[] =>
  useQuery('own kinds', async (control) => {
    const { records } = await (await control.fetch('health')).json();
    return (records as string[]).filter((name) => !kinds.some((kind) => kind.name === name)); // see the route
  }).value ?? [];

/** How many records of a kind are shown. */
const maxShown = 100;

/** The newest records of the user's own kinds (`defineRecords`). */
const OwnRecords = () => {
  const names = useOwnKinds();
  const { value = [] } = useQuery(['own', names], (control) =>
    Promise.all(
      names.map(async (name) => {
        const records = control.records.own[name];
        return { name, count: await records?.count(), listed: await records?.list({ limit: maxShown }) };
      }),
    ),
  );
  return value.map(({ name, count = 0, listed = [] }) => (
    <Stack key={name} gap="xs" mb="md">
      <Title order={2} fz="md">
        <Foreign text={name} /> <span className="dimmed">{formatCount(count)}</span>
      </Title>
      {count > maxShown && <Text c="dimmed">The newest {maxShown}.</Text>}
      {listed.length > 0 && <Json value={listed} label={name} />}
    </Stack>
  ));
};
