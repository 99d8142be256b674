import './data.css';
import { Anchor, Group, Portal, Text, Title } from '@mantine/core';
import { type Kind, kinds, recordsOf } from '../../kinds.ts';
import { toHash, useRoute } from '../../route.ts';
import { Foreign, formatCount, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { RecordList } from './list.tsx';
import { NewLink, NewRecord } from './new.tsx';
import { OwnRecords, useOwnKinds } from './own.tsx';
import { RecordView } from './record.tsx';

/** The records of the session by kind: `#/data/runs`, `#/data/runs/run_1`. */
export const Panel = () => {
  const { rest, query } = useRoute();
  const [name = 'runs', id] = rest;
  const kind = kinds.find((candidate) => candidate.name === name);
  const key = `${name}/${id}/${query.new}`;
  if (name === 'own')
    return (
      <>
        <Head kind={{ name, title: 'Own records' }} />
        <OwnRecords />
      </>
    );
  if (kind === undefined) return <Text c="dimmed">Unknown kind of record “{isolate(name)}”.</Text>;
  if (id !== undefined)
    return (
      <>
        <Head kind={kind} id={id} />
        <RecordView key={key} kind={kind} id={id} />
      </>
    );
  return (
    <>
      <Head kind={kind} />
      {query.new === undefined ? (
        <>
          <Portal target="#panel-tools">
            <NewLink kind={kind} />
          </Portal>
          <RecordList key={name} kind={kind} />
        </>
      ) : (
        <NewRecord key={key} kind={kind} />
      )}
    </>
  );
};

interface HeadProps {
  readonly kind: Pick<Kind, 'title'> & { readonly name: string };
  readonly id?: string;
}

/** The title line: the kind with the others, or the record. */
const Head = ({ kind, id }: HeadProps) => {
  const own = useOwnKinds();
  const { value: counts } = useQuery('counts', (own) =>
    Promise.all(kinds.map(({ name }) => recordsOf(name, own).count())),
  );
  return (
    <Group className="panel-head">
      <Title order={1} tabIndex={-1} className="wrap">
        {id === undefined ? (
          kind.title
        ) : (
          <>
            <Anchor fz="sm" fw={400} href={toHash('data', [kind.name])}>
              {kind.title}
            </Anchor>
            <Text span c="dimmed">
              {' / '}
            </Text>
            <span className="mono" style={{ fontSize: 16 }}>
              <Foreign text={id} />
            </span>
          </>
        )}
      </Title>
      {id === undefined && (
        <nav aria-label="Kinds of record" className="segments">
          {kinds.map(({ name, title }, at) => (
            <a
              key={name}
              href={toHash('data', [name])}
              aria-current={name === kind.name ? 'page' : undefined}
            >
              {title} <span className="dimmed">{counts && formatCount(counts[at] ?? 0)}</span>
            </a>
          ))}
          {own.length > 0 && (
            <a href={toHash('data', ['own'])} aria-current={kind.name === 'own' ? 'page' : undefined}>
              Own records
            </a>
          )}
        </nav>
      )}
      <Group id="panel-tools" gap="xs" ml="auto" />
    </Group>
  );
};
