import type { Ref } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../../util/json.ts';
import { useAsk } from '../ask.ts';
import { Field, Select } from '../fields.tsx';
import { Action, Card, Empty, Failure, formatTime, RecordLink, Status } from '../parts.tsx';
import { go, type Route, setQuery, toHash } from '../route.ts';
import { Table, type Column as TableColumn } from '../table.tsx';
import {
  type AnyRecord,
  type KindInfo,
  type ListProps,
  linkTo,
  type Owner,
  recordsOf,
} from './data-kinds.ts';
import { describePolicyOf } from './data-policy.ts';
import { parseInput, useFields } from './data-schemas.ts';

/** How many more records are shown at a time. */
const step = 100;
/** How many more records are searched at a time with a filter, which the server does not have. */
const depth = 1000;

/** The records of a kind, newest first; all, or those of one owner. */
export const RecordList = ({ kind, route, owner }: ListProps & { readonly route: Route }) => {
  const { query } = route;
  const { status = '', id = '' } = query;
  const isFiltered = status !== '' || id !== '';
  const pages = Math.min(Math.max(1, Math.floor(Number(query.pages)) || 1), 100);
  const limit = pages * (isFiltered ? depth : step);
  const filter = (changed: Route['query']): void => setQuery(route, { ...changed, pages: '' });
  const owned: Owner = kind.owner && owner ? { [kind.owner.field]: owner } : {};
  const { value, error } = useAsk(
    // One more than shown, to know whether there are more.
    async () => ({ records: await recordsOf(kind.name).list({ ...owned, limit: limit + 1 }), limit }),
    [kind.name, owner],
    [limit],
  );
  const hasMore = value !== undefined && value.records.length > value.limit;
  const looked = value?.records.slice(0, value.limit) ?? [];
  const found = looked.filter(
    (record) => (status === '' || record.status === status) && (id === '' || record.id.includes(id)),
  );
  const shown = found.slice(0, pages * step);
  const table = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The button disappears with the last records, and the focus with it.
    if (pages > 1 && document.activeElement === document.body) table.current?.focus();
  }, [hasMore]);

  return (
    <Card label={kind.title}>
      <div class="data-tools">
        <Find kind={kind} id={id} onInput={(text) => filter({ id: text })} />
        {kind.states && (
          <Select
            label="State"
            value={status}
            options={[['', 'all'], ...kind.states]}
            set={(chosen) => filter({ status: chosen })}
          />
        )}
        {kind.owner && query[kind.owner.key] !== undefined && (
          <button
            type="button"
            onClick={() => go(toHash('data', route.rest, { ...query, [kind.owner?.key ?? '']: '' }))}
          >
            Of all {kind.owner.kind}
          </button>
        )}
      </div>
      <Failure message={error} />
      {value === undefined ? (
        error === undefined && <Empty>…</Empty>
      ) : shown.length === 0 ? (
        <Empty>
          {isFiltered
            ? `No matches${hasMore ? ` in the newest ${limit}` : ''}.`
            : `No ${kind.name} yet. Create one with “New ${kind.singular}”, or load another scenario.`}
        </Empty>
      ) : (
        <RecordTable kind={kind} records={shown} isOwned={owner !== undefined} box={table} />
      )}
      {value !== undefined && (
        <div class="row data-more">
          <small>
            {isFiltered
              ? `${shown.length} of ${hasMore ? 'the newest ' : ''}${looked.length} ${kind.name}`
              : `${hasMore ? 'The newest ' : ''}${shown.length} ${shown.length === 1 ? kind.singular : kind.name}`}
          </small>
          {(hasMore || found.length > shown.length) && (
            <button type="button" onClick={() => setQuery(route, { pages: String(pages + 1) })}>
              {isFiltered ? `Search ${depth} more` : 'Show more'}
            </button>
          )}
        </div>
      )}
    </Card>
  );
};

/** Part of an id filters the list. Enter opens the record with exactly this id, wherever it is in the list. */
const Find = ({
  kind,
  id,
  onInput,
}: {
  readonly kind: KindInfo;
  readonly id: string;
  readonly onInput: (text: string) => void;
}) => {
  const [error, setError] = useState<string>();
  const wanted = id.trim();
  const find = async (): Promise<void> => {
    if (wanted === '') return;
    const record = await recordsOf(kind.name).get(wanted);
    if (record === undefined) throw new Error(`No ${kind.singular} has the id "${wanted}".`);
    location.hash = linkTo(kind.name, wanted);
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <div class="data-find">
        <Field label="Id, or a part of it">
          <input
            class="mono"
            type="search"
            autocomplete="off"
            spellcheck={false}
            value={id}
            onInput={(event) => {
              setError(undefined);
              onInput(event.currentTarget.value);
            }}
          />
        </Field>
        <Action type="submit" run={find} fail={setError}>
          Find by id
        </Action>
      </div>
      <Failure message={error} />
    </form>
  );
};

type Column = TableColumn<AnyRecord>;

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

const column = (title: string, field: string): Column => ({ title, show: (record) => text(record[field]) });

const created: Column = {
  title: 'Created (UTC)',
  show: ({ created_at: at }) => (typeof at === 'number' ? formatTime(at) : text(at)),
};

const state: Column = { title: 'State', show: ({ status }) => <Status status={text(status)} /> };

const belongsTo = ({ owner }: KindInfo): Column[] =>
  owner === undefined
    ? []
    : [
        {
          title: owner.title,
          show: (record) => <RecordLink kind={owner.kind} id={text(record[owner.field])} />,
        },
      ];

const metric = (name: string): Column => ({
  title: name,
  isNumber: true,
  show: ({ metrics }) => text(Object(metrics)[name]),
});

const columns: Readonly<Record<KindInfo['name'], readonly Column[]>> = {
  threads: [
    {
      title: 'Runs',
      show: ({ id }) => <a href={toHash('data', ['runs'], { thread: id })}>Runs of {id}</a>,
    },
  ],
  runs: [state, column('Model', 'model'), created],
  batches: [
    state,
    column('Endpoint', 'endpoint'),
    {
      title: 'Requests done',
      isNumber: true,
      show: ({ request_counts: counts }) =>
        counts ? `${Object(counts).completed} of ${Object(counts).total}` : '',
    },
    created,
  ],
  jobs: [
    {
      title: 'Checkpoints',
      show: ({ id }) => <a href={toHash('data', ['checkpoints'], { job: id })}>Checkpoints of {id}</a>,
    },
  ],
  checkpoints: [
    { ...column('Step', 'step_number'), isNumber: true },
    metric('train_loss'),
    metric('valid_loss'),
    created,
  ],
  policies: [column('Name', 'name'), { title: 'Limits', show: describePolicyOf, class: 'data-wide' }, state],
  prompts: [
    { ...column('Description', 'description'), class: 'data-wide' },
    {
      title: 'Versions',
      isNumber: true,
      show: ({ versions }) => (Array.isArray(versions) ? versions.length : 1),
    },
  ],
};

const RecordTable = ({
  kind,
  records,
  isOwned,
  box,
}: {
  readonly kind: KindInfo;
  readonly records: readonly AnyRecord[];
  readonly isOwned: boolean;
  readonly box: Ref<HTMLDivElement>;
}) => {
  const idColumn: Column = {
    title: 'Id',
    class: 'data-id',
    show: ({ id }) => <RecordLink kind={kind.name} id={id} />,
  };
  const all = [idColumn, ...columns[kind.name], ...(isOwned ? [] : belongsTo(kind))];
  return (
    <div class="scroll data-table" ref={box} tabIndex={0} role="region" aria-label={`List of ${kind.name}`}>
      <Table columns={all} rows={records} keyOf={({ id }) => id} />
    </div>
  );
};

/** A button that opens a form for a new record. Fields that are left out are seeded. */
export const NewRecord = ({ kind, owner }: ListProps) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button type="button" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        New {kind.singular}
      </button>
      {isOpen && <NewForm kind={kind} owner={owner} close={close} />}
    </>
  );
};

const NewForm = ({ kind, owner = '', close }: ListProps & { readonly close: () => void }) => {
  const [draft, setDraft] = useState(() => toJsonText(startOf(kind, owner), 2));
  const [error, setError] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  const names = Object.keys(useFields(kind.name) ?? {});
  useLayoutEffect(() => box.current?.focus(), []);
  const make = async (): Promise<void> => {
    const { id } = await recordsOf(kind.name).create(parseInput(draft) as AnyRecord); // the server checks it
    close();
    location.hash = linkTo(kind.name, id);
  };
  return (
    <form
      class="card stack data-new"
      aria-label={`New ${kind.singular}`}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <Field
        label="Fields, as JSON"
        hint={
          kind.name === 'prompts'
            ? 'All fields of a prompt are required.'
            : `Fields that are left out are seeded. ${names.join(', ')}`
        }
      >
        <textarea
          ref={box}
          class="mono"
          rows={Math.min(12, draft.split('\n').length + 1)}
          spellcheck={false}
          aria-invalid={error !== undefined}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </Field>
      <Failure message={error} />
      <div class="row">
        <Action run={make} fail={setError} class="main">
          Create
        </Action>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};

const startOf = (kind: KindInfo, owner: string): object => {
  if (kind.name === 'prompts')
    return { id: 'prompt_new', messages: [{ role: 'user', content: 'Hello, {{name}}!' }] };
  return kind.owner === undefined ? {} : { [kind.owner.field]: owner };
};
