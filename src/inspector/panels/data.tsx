import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAsk } from '../ask.ts';
import { Empty, RecordLink } from '../parts.tsx';
import { type Route, toHash } from '../route.ts';
import { type KindInfo, type KindName, kinds, type ListProps, recordsOf } from './data-kinds.ts';
import { NewRecord, RecordList } from './data-list.tsx';
import { RecordView } from './data-record.tsx';

/** The maximum count that is shown. Kinds that may have many more are not counted. */
const countable = 100;

/** The records of the session by kind: `#/data/runs`, `#/data/runs/run_1`. */
export const DataPanel = ({ route }: { readonly route: Route }) => {
  const [kindName = 'threads', id] = route.rest;
  const kind = kinds.find(({ name }) => name === kindName);
  const { value: few } = useAsk(readFew);
  if (kind === undefined)
    return (
      <>
        <Kinds counts={few} current={undefined} />
        <Empty>Unknown kind of record “{kindName}”.</Empty>
      </>
    );
  const owner = kind.owner && route.query[kind.owner.key];
  const someOwner = kind.owner && few?.[kind.owner.kind]?.[0]?.id;
  const heading = <Heading key={`${kind.name}/${id}`} kind={kind} id={id} owner={owner} />;
  return (
    <>
      <Kinds counts={few} current={kind} />
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

type Few = Partial<Readonly<Record<KindName, readonly { readonly id: string }[]>>>;

const fewKinds = ['threads', 'jobs', 'policies', 'prompts'] as const;

const readFew = async (): Promise<Few> => {
  const lists = fewKinds.map(async (kind) => [kind, await recordsOf(kind).list({ limit: countable + 1 })]);
  return Object.fromEntries(await Promise.all(lists));
};

const Kinds = ({
  counts,
  current,
}: {
  readonly counts: Few | undefined;
  readonly current: KindInfo | undefined;
}) => (
  <nav class="data-kinds" aria-label="Kinds of record">
    {kinds.map(({ name, title }) => (
      <a key={name} href={toHash('data', [name])} aria-current={name === current?.name ? 'page' : undefined}>
        {title}
        {counts?.[name] && (
          <span class="data-count">
            {' '}
            {counts[name].length > countable ? `${countable}+` : counts[name].length}
          </span>
        )}
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
      {id !== undefined && <span class="mono">{id}</span>}
      {id === undefined && kind.owner && owner !== undefined && (
        <>
          {' of '}
          <RecordLink kind={kind.owner.kind} id={owner} />
        </>
      )}
    </h2>
  );
};

/** Whether this is not the first view, which the browser focuses. */
let isLater = false;
