import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Control } from '../../control/types.ts';
import { Name } from '../name.tsx';
import { Empty, formatCount, RecordLink } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { type Route, toHash } from '../route.ts';
import { texts } from '../texts.ts';
import { type KindInfo, type KindName, kinds, type ListProps, recordsOf } from './data-kinds.ts';
import { RecordList } from './data-list.tsx';
import { NewRecord } from './data-new.tsx';
import { RecordView } from './data-record.tsx';

const t = texts.data;

/** The records of the session by kind: `#/data/runs`, `#/data/runs/run_1`. */
export const DataPanel = ({ route }: { readonly route: Route }) => {
  const [kindName = 'threads', id] = route.rest;
  const kind = kinds.find(({ name }) => name === kindName);
  const { value: counts } = useQuery('counts', readCounts);
  const ownerKind = kind?.owner?.kind;
  const { value: someOwner } = useQuery(['owner', ownerKind], async (control) =>
    ownerKind === undefined ? undefined : (await recordsOf(ownerKind, control).list({ limit: 1 }))[0]?.id,
  );
  if (kind === undefined)
    return (
      <>
        <Kinds counts={counts} current={undefined} />
        <Empty>{t.unknownKind(kindName)}</Empty>
      </>
    );
  const owner = kind.owner && route.query[kind.owner.key];
  const heading = <Heading key={`${kind.name}/${id}`} kind={kind} id={id} owner={owner} />;
  return (
    <>
      <Kinds counts={counts} current={kind} />
      {id === undefined ? (
        <>
          <div class="row">
            {heading}
            <NewRecord key={kind.name} kind={kind} owner={owner ?? someOwner} />
          </div>
          <RecordList key={kind.name} kind={kind} route={route} owner={owner} />
        </>
      ) : (
        <RecordView key={`${kind.name}/${id}`} kind={kind} id={id} route={route} heading={heading} />
      )}
    </>
  );
};

type Counts = Partial<Readonly<Record<KindName, number>>>;

const readCounts = async (control: Control): Promise<Counts> =>
  Object.fromEntries(
    await Promise.all(kinds.map(async ({ name }) => [name, await recordsOf(name, control).count()])),
  );

const Kinds = ({
  counts,
  current,
}: {
  readonly counts: Counts | undefined;
  readonly current: KindInfo | undefined;
}) => (
  <nav class="data-kinds" aria-label={t.kinds}>
    {kinds.map(({ name, title }) => (
      <a key={name} href={toHash('data', [name])} aria-current={name === current?.name ? 'page' : undefined}>
        {title}
        {counts?.[name] !== undefined && <span class="data-count"> {formatCount(counts[name])}</span>}
      </a>
    ))}
  </nav>
);

const Heading = ({ kind, id, owner }: ListProps & { readonly id: string | undefined }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The pressed link was removed, and the focus with it.
    if (isLater && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    isLater = true;
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1} class="data-heading">
      {id === undefined ? kind.title : <a href={toHash('data', [kind.name])}>{kind.title}</a>}
      {id !== undefined && <> / </>}
      {id !== undefined && (
        <span class="mono">
          <Name text={id} />
        </span>
      )}
      {id === undefined && kind.owner && owner !== undefined && (
        <>
          {t.of}
          <RecordLink kind={kind.owner.kind} id={owner} />
        </>
      )}
    </h2>
  );
};

/** Whether this is not the first view, which the browser focuses. */
let isLater = false;
