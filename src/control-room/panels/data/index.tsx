import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { formatCount } from '../../format.ts';
import { recordsOf } from '../../kinds.ts';
import { type Route, toHash } from '../../route.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import './data.css';
import { type Kind, kinds } from './kinds.ts';
import { RecordList } from './list.tsx';
import { NewRecord } from './new.tsx';
import { RecordView } from './record.tsx';

/** The records of the session by kind: `#/data/runs`, `#/data/runs/run_1`. */
export const DataPanel = ({ route }: { readonly route: Route }) => {
  const [name = 'threads', id] = route.rest;
  const kind = kinds.find((one) => one.name === name);
  const ownerKind = kind?.owner?.kind;
  const { value: newest } = useQuery(['owner', ownerKind], async (own) =>
    ownerKind === undefined ? [] : await recordsOf(ownerKind, own).list({ limit: 1 }),
  );
  const view = useRef<HTMLDivElement>(null);
  const shown = useRef(`${name}/${id}`);
  useLayoutEffect(() => {
    if (shown.current === `${name}/${id}`) return; // the first view, which the browser focuses
    shown.current = `${name}/${id}`;
    // The pressed link has gone, and the focus with it.
    if (document.activeElement === document.body) view.current?.querySelector('h2')?.focus();
  }, [name, id]);
  return (
    <Stack gap="sm" ref={view}>
      <Kinds current={name} />
      {kind === undefined && <Text c="dimmed">Unknown kind of record “{isolate(name)}”.</Text>}
      {kind && id === undefined && (
        <>
          <Group justify="space-between" gap="sm">
            <Heading kind={kind} />
            <NewRecord key={`new ${name}`} kind={kind} route={route} owner={newest?.[0]?.id} />
          </Group>
          <RecordList key={name} kind={kind} route={route} />
        </>
      )}
      {kind && id !== undefined && (
        <RecordView key={`${name}/${id}`} kind={kind} id={id} route={route}>
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
        <Button
          key={name}
          component="a"
          size="xs"
          variant={name === current ? 'light' : 'subtle'}
          color={name === current ? 'indigo' : 'gray'}
          href={toHash('data', [name])}
          aria-current={name === current ? 'page' : undefined}
          rightSection={<span className="numbers dimmed">{counts && formatCount(counts[at] ?? 0)}</span>}
        >
          {title}
        </Button>
      ))}
    </Group>
  );
};

const Heading = ({ kind, id }: { readonly kind: Kind; readonly id?: string }) => (
  <Title order={2} size="h4" tabIndex={-1} className="wrap">
    {id === undefined ? (
      kind.title
    ) : (
      <>
        <Anchor inherit underline="always" href={toHash('data', [kind.name])}>
          {kind.title}
        </Anchor>
        {' / '}
        <span className="mono">
          <Foreign text={id} />
        </span>
      </>
    )}
  </Title>
);
