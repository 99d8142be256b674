import { Anchor, Text } from '@mantine/core';
import { formatTime } from '../../format.ts';
import type { GridColumn } from '../../grid.tsx';
import type { AnyRecord, KindName } from '../../kinds.ts';
import { toHash } from '../../route.ts';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { Status } from './compare.tsx';
import { readAt } from './form.ts';
import { type Kind, kinds } from './kinds.ts';
import { describePolicyOf } from './policy.ts';

/** The fields in the list of each kind, after the id, with their titles. */
const columns: Readonly<Record<KindName, Readonly<Record<string, string>>>> = {
  threads: { owned: 'Runs' },
  runs: { status: 'Status', model: 'Model', created_at: 'Created (UTC)', thread_id: 'Thread' },
  batches: {
    status: 'Status',
    endpoint: 'Endpoint',
    request_counts: 'Requests completed',
    created_at: 'Created (UTC)',
  },
  jobs: { owned: 'Checkpoints' },
  checkpoints: {
    step_number: 'Step',
    'metrics.train_loss': 'train_loss',
    'metrics.valid_loss': 'valid_loss',
    'metrics.train_mean_token_accuracy': 'train_accuracy',
    'metrics.valid_mean_token_accuracy': 'valid_accuracy',
    created_at: 'Created (UTC)',
    fine_tuning_job_id: 'Job',
  },
  policies: { name: 'Name', limits: 'Limits', status: 'Status' },
  prompts: { description: 'Description', versions: 'Versions' },
};

/** The widths of those that are not as wide as a share of the rest. */
const widths: Readonly<Record<string, string>> = {
  id: 'minmax(0, 2fr)',
  status: '130px',
  created_at: '160px',
  limits: 'minmax(0, 3fr)',
  description: 'minmax(0, 3fr)',
  step_number: '70px',
  versions: '80px',
};

/** Those that the server cannot sort by. */
const unsorted = ['owned', 'request_counts', 'limits', 'versions', 'thread_id', 'fine_tuning_job_id'];

const isNumber = (field: string): boolean => /^(?:step_number|versions|metrics)/.test(field);

const toText = (field: string, record: AnyRecord): string => {
  if (field === 'limits') return describePolicyOf(record);
  const value = readAt(record, field.split('.'));
  if (field === 'versions') return String(Array.isArray(value) ? value.length : 1);
  if (value === undefined || value === null) return '';
  if (field === 'created_at' && typeof value === 'number') return formatTime(value);
  if (field !== 'request_counts') return String(value);
  const { completed = 0, failed = 0, total = 0 } = Object(value);
  return `${completed} of ${total}${failed === 0 ? '' : `, ${failed} failed`}`;
};

/** The grid has the keyboard, and Enter opens a row, so the tab key passes over the links. */
const show = ({ name, owner }: Kind, field: string, title: string, record: AnyRecord) => {
  const text = toText(field, record);
  if (field === 'id') return <RecordLink kind={name} id={text} title={isolate(text)} isPassed />;
  if (field === 'status') return <Status status={text} />;
  if (field === owner?.field) return <RecordLink kind={owner.kind} id={text} isPassed />;
  const owned = kinds.find((one) => one.owner?.kind === name);
  if (field === 'owned' && owned?.owner !== undefined)
    return (
      <Anchor inherit href={toHash('data', [owned.name], { [owned.owner.key]: record.id })} tabIndex={-1}>
        {title} of <Foreign text={record.id} />
      </Anchor>
    );
  return (
    <span title={isolate(text)}>
      <Foreign text={text} />
    </span>
  );
};

/** The columns of a list. @param isOwned whether all its records have the same owner, which is not shown then */
export const columnsOf = (kind: Kind, isOwned: boolean): readonly GridColumn<AnyRecord>[] =>
  Object.entries({ id: 'Id', ...columns[kind.name] })
    .filter(([field]) => !isOwned || field !== kind.owner?.field)
    .map(([field, title]) => ({
      name: field,
      title,
      width: widths[field] ?? 'minmax(0, 1fr)',
      isNumber: isNumber(field),
      ...(!unsorted.includes(field) && { sortKey: field }),
      show: (record) => show(kind, field, title, record),
    }));

/** The same in one column, for a narrow list: the id, and below it the rest; a number with its title. */
export const stack = (all: readonly GridColumn<AnyRecord>[]): GridColumn<AnyRecord> => ({
  name: 'record',
  title: 'Record',
  width: 'minmax(0, 1fr)',
  show: (record) => (
    <div className="data-stack">
      {all.map((column) => (
        <span key={column.name} className={column.name}>
          {column.isNumber && (
            <Text span size="xs" c="dimmed">
              {column.title}{' '}
            </Text>
          )}
          {column.show(record)}
        </span>
      ))}
    </div>
  ),
});
