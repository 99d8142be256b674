import { useLayoutEffect } from 'preact/hooks';
import type { RecordedWalk, WalkPage } from '../../journal/walks.ts';
import type { ListId } from '../../operations/ids.ts';
import { Badge, Card, Empty, RecordLink } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { type Route, toHash } from '../route.ts';
import { texts } from '../texts.ts';

const t = texts.walks;

/** How many ids of a kind are written out. */
const maxIds = 20;

/** Where the records of each list are in the panel of data. */
const kinds: Readonly<Record<string, string>> = {
  listRuns: 'runs',
  listBatches: 'batches',
  listCheckpoints: 'checkpoints',
} satisfies Readonly<Record<ListId, string>>;

/** The walks of clients over lists, as strips of pages. */
export const Walks = ({ route }: { readonly route: Route }) => {
  const { value: walks } = useQuery('walks', (control) => control.requests.walks());
  const { page } = route.query;
  const isKnown = walks !== undefined;
  useLayoutEffect(() => {
    const element = page === undefined ? null : document.getElementById(toElementId(page));
    element?.scrollIntoView({ block: 'center', inline: 'center' });
    element?.querySelector('a')?.focus({ preventScroll: true });
  }, [page, isKnown]);
  if (walks === undefined) return <Empty>{texts.common.loading}</Empty>;
  return (
    <>
      <p class="muted walk-legend">
        {t.lead} <i class="seen" /> {t.states.seen} <i class="repeated" /> {t.states.repeated}{' '}
        <i class="missed" /> {t.states.missed} <i class="come" /> {t.states.come}
      </p>
      {walks.length === 0 && (
        <Card label={t.title}>
          <Empty>{t.none}</Empty>
        </Card>
      )}
      {walks.map((walk) => (
        <Walk key={walk.pages[0]?.ordinal} walk={walk} page={page} />
      ))}
    </>
  );
};

const toElementId = (page: string): string => `walk-page-${page}`;

const Walk = ({ walk, page }: { readonly walk: RecordedWalk; readonly page: string | undefined }) => {
  const { operation, params, client, pages, missed, come, stopped } = walk;
  const kind = kinds[operation] ?? '';
  const repeated = pages.flatMap(({ records }) =>
    records.filter(({ state }) => state === 'repeated').map(({ id }) => id),
  );
  const owner = Object.values(params).join(' ');
  const name = owner === '' ? operation : t.of(operation, owner);
  return (
    <Card
      title={name}
      label={t.from(name, pages[0]?.ordinal ?? 0)}
      aside={<Outcome walk={walk} repeated={repeated.length} />}
    >
      <p class="muted">
        {t.by(client)} {stopped ? t.stopped : t.open}
      </p>
      <ol class="walk" aria-label={name}>
        {pages.map((one) => (
          <Page key={one.ordinal} page={one} kind={kind} isMeant={one.request === page} />
        ))}
        {missed.length + come.length > 0 && (
          <li class="beside">
            <Strip records={[...missed.map(() => 'missed' as const), ...come.map(() => 'come' as const)]} />
          </li>
        )}
      </ol>
      <Ids title={t.states.repeated} ids={[...new Set(repeated)]} kind={kind} />
      <Ids title={t.states.missed} ids={missed} kind={kind} />
      <Ids title={t.states.come} ids={come} kind={kind} />
    </Card>
  );
};

/** Whether each record was seen once. */
const Outcome = ({ walk, repeated }: { readonly walk: RecordedWalk; readonly repeated: number }) => (
  <>
    {walk.missed.length > 0 && <Badge tone="bad">{t.missed(walk.missed.length)}</Badge>}
    {repeated > 0 && <Badge tone="warn">{t.repeated(repeated)}</Badge>}
    {walk.stopped && walk.missed.length + repeated === 0 && <Badge tone="good">{t.once}</Badge>}
  </>
);

const Page = ({
  page: { request, ordinal, status, cursor, has_more, records, faults },
  kind,
  isMeant,
}: {
  readonly page: WalkPage;
  readonly kind: string;
  readonly isMeant: boolean;
}) => (
  <li id={toElementId(request)} class={isMeant ? 'meant' : ''}>
    <a href={toHash('requests', [request])}>{t.page(ordinal, records.length)}</a>
    {status !== 200 && <Badge tone="bad">{status ?? texts.requests.reset}</Badge>}
    {faults.map((fault) => (
      <Badge key={fault} tone="bad" title={fault}>
        {texts.request.fault}
      </Badge>
    ))}
    <Strip records={records.map(({ state }) => state)} />
    <small>
      {cursor === null ? (
        t.first
      ) : (
        <>
          {t.after} <RecordLink kind={kind} id={cursor} />
        </>
      )}
      {has_more === false && ` · ${t.last}`}
    </small>
  </li>
);

type State = WalkPage['records'][number]['state'] | 'missed';

/** A square for each record; those that follow each other and are alike are one element. */
const Strip = ({ records }: { readonly records: readonly State[] }) => {
  const runs: { readonly state: State; number: number }[] = [];
  for (const state of records) {
    const last = runs.at(-1);
    if (last?.state === state) last.number += 1;
    else runs.push({ state, number: 1 });
  }
  const label = runs.map(({ state, number }) => `${number} ${t.states[state]}`).join(', ');
  return (
    <span class="strip" role="img" aria-label={label === '' ? t.noRecords : label} title={label}>
      {runs.map(({ state, number }, at) => (
        <i key={at} class={state} style={{ width: `${number * 0.5}rem` }} />
      ))}
    </span>
  );
};

const Ids = ({
  title,
  ids,
  kind,
}: {
  readonly title: string;
  readonly ids: readonly string[];
  readonly kind: string;
}) =>
  ids.length === 0 ? null : (
    <p class="ids">
      {title}:{' '}
      {ids.slice(0, maxIds).map((id) => (
        <span key={id}>
          <RecordLink kind={kind} id={id} />{' '}
        </span>
      ))}
      {ids.length > maxIds && t.more(ids.length - maxIds)}
    </p>
  );
