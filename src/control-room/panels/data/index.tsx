import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import type { Control } from '../../../control/types.ts';
import { formatCount } from '../../format.ts';
import { recordsOf } from '../../kinds.ts';
import { type Route, toHash } from '../../route.ts';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import './data.css';
import { findKind, type Kind, kinds } from './kinds.ts';
import { RecordList } from './list.tsx';
import { NewRecord } from './new.tsx';
import { RecordView } from './record.tsx';

/** The records of the session by kind: `#/data/runs`, `#/data/runs/run_1`. */
export const DataPanel = ({ route }: { readonly route: Route }) => {
  const [name = 'threads', id] = route.rest;
  const kind = findKind(name);
  const ownerKind = kind?.owner?.kind;
  const { value: someOwner } = useQuery(['owner', ownerKind], async (control) =>
    ownerKind === undefined ? undefined : (await recordsOf(ownerKind, control).list({ limit: 1 }))[0]?.id,
  );
  if (kind === undefined)
    return (
      <Stack gap="sm">
        <Kinds current={undefined} />
        <Text c="dimmed">Unknown kind of record “{isolate(name)}”.</Text>
      </Stack>
    );
  const owner = kind.owner && route.query[kind.owner.key];
  const heading = <Heading key={`${name}/${id}`} kind={kind} id={id} owner={owner} />;
  return (
    <Stack gap="sm">
      <Kinds current={kind} />
      {id === undefined ? (
        <>
          <Group justify="space-between" gap="sm">
            {heading}
            <NewRecord key={`new ${name} ${owner}`} kind={kind} route={route} owner={owner ?? someOwner} />
          </Group>
          <RecordList key={`${name} ${owner}`} kind={kind} route={route} owner={owner} />
        </>
      ) : (
        <RecordView key={`${name}/${id}`} kind={kind} id={id} route={route} heading={heading} />
      )}
    </Stack>
  );
};

const readCounts = async (control: Control): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    await Promise.all(kinds.map(async ({ name }) => [name, await recordsOf(name, control).count()])),
  );

const Kinds = ({ current }: { readonly current: Kind | undefined }) => {
  const { value: counts } = useQuery('counts', readCounts);
  return (
    <Group component="nav" gap={4} aria-label="Kinds of record">
      {kinds.map(({ name, title }) => (
        <Button
          key={name}
          component="a"
          size="xs"
          variant={name === current?.name ? 'light' : 'subtle'}
          color={name === current?.name ? 'indigo' : 'gray'}
          href={toHash('data', [name])}
          aria-current={name === current?.name ? 'page' : undefined}
          rightSection={
            counts && (
              <Text span size="xs" className="numbers">
                {formatCount(counts[name] ?? 0)}
              </Text>
            )
          }
        >
          {title}
        </Button>
      ))}
    </Group>
  );
};

interface HeadingProps {
  readonly kind: Kind;
  readonly id: string | undefined;
  readonly owner: string | undefined;
}

const Heading = ({ kind, id, owner }: HeadingProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The pressed link was removed, and the focus with it.
    if (isLater && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    isLater = true;
  }, []);
  return (
    <Title ref={heading} id="data-heading" order={2} size="h4" tabIndex={-1} className="wrap">
      {id === undefined ? (
        kind.title
      ) : (
        <>
          <Anchor inherit underline="always" href={toHash('data', [kind.name])}>
            {kind.title}
          </Anchor>{' '}
          /{' '}
          <span className="mono">
            <Foreign text={id} />
          </span>
        </>
      )}
      {id === undefined && kind.owner && owner !== undefined && (
        <>
          {' '}
          of <RecordLink kind={kind.owner.kind} id={owner} />
        </>
      )}
    </Title>
  );
};

/** Whether this is not the first view, which the browser focuses. */
let isLater = false;
