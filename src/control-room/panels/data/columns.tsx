import { Paper, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Policy } from '../../../core/operations/get-rate-limits-policy/types.ts';
import type { StatusHistory } from '../../../service/control/status-histories.ts';
import type { GridColumn } from '../../grid.tsx';
import type { AnyRecord, Kind, KindName } from '../../kinds.ts';
import { Note, Status } from '../../parts.tsx';
import {
  capitalize,
  Foreign,
  formatAway,
  formatCount,
  formatTime,
  isolate,
  RecordLink,
} from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { nextOf } from '../clock/spans.ts';

/** What matters of a record besides its owner: the columns of a list after the id, the most important ones first, and its facts. */
const fields: Readonly<Record<KindName, readonly string[]>> = {
  threads: [],
  runs: ['status', 'created_at', 'model', 'usage.total_tokens'],
  batches: ['status', 'created_at', 'request_counts', 'endpoint'],
  jobs: [],
  checkpoints: ['step_number', 'metrics.train_loss', 'metrics.valid_loss', 'created_at'],
  policies: ['limits', 'name', 'status'],
  prompts: ['description'],
};

const titles: Readonly<Record<string, string>> = {
  limits: 'Limit',
  created_at: 'Created (UTC)',
  request_counts: 'Requests',
  step_number: 'Step',
  'usage.total_tokens': 'Tokens',
  'metrics.train_loss': 'Training loss',
  'metrics.valid_loss': 'Validation loss',
};

/** The widths of some fields; the others share the rest. */
const widths: Readonly<Record<string, string>> = {
  id: 'minmax(0, 3fr)',
  status: '130px',
  created_at: '150px',
  'usage.total_tokens': '70px',
  step_number: '90px',
  limits: 'minmax(0, 3fr)',
  description: 'minmax(0, 3fr)',
};

export const units = { rpm: 'a minute', rph: 'an hour', rpd: 'a day' };

/** The limit of a policy: "60 requests a minute for each api_key". */
export const describePolicy = (policy: Partial<Policy>): string => {
  const { type = 'requests', unit = 'rpm', value = 0, group_by = [], conditions = [] } = policy;
  const what = value === 1 ? type.replace(/s$/, '') : type;
  const keys = group_by.map(({ key }) => key).join(' and ');
  const where = conditions.map((condition) => `${condition.key} is ${condition.value}`).join(' and ');
  const whom = keys === '' ? 'for all together' : `for each ${keys}`;
  return `${formatCount(value)} ${what} ${units[unit]} ${whom}${where && `, where ${where}`}`;
};

/**
 * @param isOwned whether all records have the same owner, which is not shown then
 * @param histories the states of runs or batches, for the column “Next”
 */
export const columnsOf = (kind: Kind, isOwned: boolean, histories: readonly StatusHistory[]) => {
  const columns = ['id', ...(isOwned ? fields[kind.name] : fieldsOf(kind))].map(
    (field): GridColumn<AnyRecord> => ({
      title: titleOf(kind, field),
      width: widths[field] ?? 'minmax(0, 1fr)',
      isNumber: /^(?:step_number|metrics|usage)/.test(field),
      show: (record) => show(kind, field, record, true),
    }),
  );
  if (!kind.isLiving) return columns;
  const showNext = ({ id }: AnyRecord) => {
    const history = histories.find((candidate) => candidate.id === id);
    return history && <Next history={history} />;
  };
  return columns.toSpliced(3, 0, { title: 'Next', width: '170px', show: showNext });
};

/** What the clock does next with a record: `completed in 2 min`. */
const Next = ({ history }: { readonly history: StatusHistory }) => {
  const now = useNow()?.seconds;
  const next = now !== undefined && nextOf(history, now);
  return next ? `${next.status} ${formatAway(next.at - now)}` : '';
};

type Fact = readonly [title: string, fact: ReactNode];

export const factsOf = (kind: Kind, record: AnyRecord): readonly Fact[] =>
  fieldsOf(kind).map((field) => [titleOf(kind, field), show(kind, field, record, false)]);

/** What matters of a record, in a row. */
export const Facts = ({ of }: { readonly of: readonly Fact[] }) =>
  of.length > 0 && (
    <Paper p="8px 16px" component={SimpleGrid} cols={{ base: 2, sm: 3, md: 5 }}>
      {of.map(([title, fact]) => (
        <div key={title} className="wrap">
          <Note>{title}</Note>
          <div>{fact}</div>
        </div>
      ))}
    </Paper>
  );

const fieldsOf = ({ name, owner }: Kind) => [...fields[name], ...(owner ? [owner.field] : [])];

const titleOf = ({ owner }: Kind, field: string): string =>
  field === owner?.field ? owner.title : (titles[field] ?? capitalize(field));

/** @param isInGrid the grid handles the keyboard, so links are not in the tab order */
const show = ({ name, owner }: Kind, field: string, record: AnyRecord, isInGrid: boolean) => {
  const text = toText(field, record) || (isInGrid ? '' : 'none');
  if (field === 'id') return <RecordLink kind={name} id={text} title={isolate(text)} isSkipped={isInGrid} />;
  if (field === owner?.field) return <RecordLink kind={owner.kind} id={text} isSkipped={isInGrid} />;
  if (field === 'status') return <Status status={text} />;
  return (
    <span title={isolate(text)}>
      <Foreign text={text} />
    </span>
  );
};

const toText = (field: string, record: AnyRecord): string => {
  if (field === 'limits') return describePolicy(record as unknown as Policy); // only policies have it
  const value = field.split('.').reduce<unknown>((part, key) => Object(part)[key], record);
  if (value === undefined || value === null) return '';
  if (field === 'created_at') return formatTime(Number(value));
  if (field === 'usage.total_tokens') return formatCount(Number(value));
  if (field !== 'request_counts') return String(value);
  const { completed = 0, failed = 0, total = 0 } = Object(value);
  return `${completed} of ${total}${failed === 0 ? '' : `, ${failed} failed`}`;
};
