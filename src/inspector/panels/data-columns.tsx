import { Name } from '../name.tsx';
import { formatCount, formatTime, RecordLink, Status } from '../parts.tsx';
import { toHash } from '../route.ts';
import { texts } from '../texts.ts';
import type { GridColumn } from '../virtual-grid.tsx';
import type { AnyRecord, KindInfo } from './data-kinds.ts';
import { describePolicyOf } from './data-policy.ts';

const t = texts.data;

interface Column extends GridColumn<AnyRecord> {
  /** Its share of the width of the list. */
  readonly width: number;
  /** The field that the server sorts it by. */
  readonly sort?: string;
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

const column = (title: string, field: string, width = 1): Column => ({
  name: field,
  title,
  width,
  sort: field,
  hint: (record) => text(record[field]),
  show: (record) => <Name text={text(record[field])} />,
});

const created: Column = {
  name: 'created_at',
  title: t.created,
  width: 1.4,
  sort: 'created_at',
  show: ({ created_at: at }) => (typeof at === 'number' ? formatTime(at) : text(at)),
};

const state: Column = {
  name: 'status',
  title: t.state,
  width: 1,
  sort: 'status',
  show: ({ status }) => <Status status={text(status)} />,
};

const belongsTo = ({ owner }: KindInfo): Column[] =>
  owner === undefined
    ? []
    : [
        {
          name: 'owner',
          title: owner.title,
          width: 1.6,
          show: (record) => <RecordLink kind={owner.kind} id={text(record[owner.field])} isPassed />,
        },
      ];

const metric = (name: string): Column => ({
  name,
  title: name,
  width: 1,
  sort: `metrics.${name}`,
  show: ({ metrics }) => text(Object(metrics)[name]),
});

/** The column of a number, which says nothing without its title: a narrow list, which has no heads, shows it beside. */
const titled = (given: Column): Column => ({
  ...given,
  show: (record) => (
    <>
      <small class="cell-title">{given.title} </small>
      {given.show(record)}
    </>
  ),
});

/** A link to what a record owns. */
const owned = (title: string, kind: string, key: string, label: (id: string) => string): Column => ({
  name: kind,
  title,
  width: 2,
  show: ({ id }) => (
    <a href={toHash('data', [kind], { [key]: id })} tabIndex={-1}>
      {label(id)}
    </a>
  ),
});

const describeCounts = ({ request_counts: counts }: AnyRecord): string => {
  const { completed = 0, failed = 0, total = 0 } = Object(counts);
  return counts ? t.doneOf(completed, failed, total) : '';
};

const columns: Readonly<Record<KindInfo['name'], readonly Column[]>> = {
  threads: [owned(t.runs, 'runs', 'thread', t.runsOf)],
  runs: [state, column(t.model, 'model'), created],
  batches: [
    state,
    column(t.endpoint, 'endpoint', 1.5),
    { name: 'request_counts', title: t.done, width: 1.8, hint: describeCounts, show: describeCounts },
    created,
  ],
  jobs: [owned(t.checkpoints, 'checkpoints', 'job', t.checkpointsOf)],
  checkpoints: [
    titled(column(t.step, 'step_number', 0.6)),
    titled(metric('train_loss')),
    titled(metric('valid_loss')),
    created,
  ],
  policies: [
    column(texts.common.name, 'name', 1.5),
    { name: 'limits', title: t.limits, width: 3, hint: describePolicyOf, show: describePolicyOf },
    { ...state, width: 0.6 },
  ],
  prompts: [
    column(t.description, 'description', 3),
    {
      name: 'versions',
      title: t.versions,
      width: 0.5,
      show: ({ versions }) => formatCount(Array.isArray(versions) ? versions.length : 1),
    },
  ],
};

/** The columns of a list. The grid has the keyboard, and Enter opens a row, so the links are not stops of the tab key. */
export const columnsOf = (kind: KindInfo, isOwned: boolean): readonly Column[] => [
  {
    name: 'id',
    title: t.id,
    width: 2,
    sort: 'id',
    hint: ({ id }) => id,
    show: ({ id }) => <RecordLink kind={kind.name} id={id} isPassed />,
  },
  ...columns[kind.name],
  ...(isOwned ? [] : belongsTo(kind)),
];

/** With a narrow one for the boxes to choose rows. */
export const templateOf = (shown: readonly Column[]): string =>
  `1.2rem ${shown.map(({ width }) => `minmax(0, ${width}fr)`).join(' ')}`;
