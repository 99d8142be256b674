import type { Policy } from '../../../core/operations/get-rate-limits-policy/types.ts';
import type { GridColumn } from '../../grid.tsx';
import type { AnyRecord, Kind, KindName } from '../../kinds.ts';
import { Status } from '../../parts.tsx';
import { Foreign, formatCount, formatTime, isolate, RecordLink } from '../../text.tsx';

/** The fields in the list of each kind, besides the id. */
const fields: Readonly<Record<KindName, readonly string[]>> = {
  threads: [],
  runs: ['status', 'model', 'created_at', 'thread_id'],
  batches: ['status', 'endpoint', 'request_counts', 'created_at'],
  jobs: [],
  checkpoints: [
    'step_number',
    'metrics.train_loss',
    'metrics.valid_loss',
    'created_at',
    'fine_tuning_job_id',
  ],
  policies: ['name', 'limits', 'status'],
  prompts: ['description'],
};

/** The widths of some fields; the others share the rest. */
const widths: Readonly<Record<string, string>> = {
  id: 'minmax(0, 2fr)',
  status: '130px',
  created_at: '160px',
  step_number: '110px',
  limits: 'minmax(0, 3fr)',
  description: 'minmax(0, 3fr)',
};

/** `Train loss` for `metrics.train_loss`; times are in UTC. */
const toTitle = (field: string): string => {
  const words = field.replace('metrics.', '').replace('_at', ' (UTC)').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const units = { rpm: 'a minute', rph: 'an hour', rpd: 'a day' };

/** The limit of a policy: "60 requests a minute for each api_key". */
export const describePolicy = (policy: Partial<Policy>): string => {
  const { type = 'requests', unit = 'rpm', value = 0, group_by = [], conditions = [] } = policy;
  const what = value === 1 ? type.replace(/s$/, '') : type;
  const keys = group_by.map(({ key }) => key).join(' and ');
  const where = conditions.map((one) => `${one.key} is ${one.value}`).join(' and ');
  const whom = keys === '' ? 'for all together' : `for each ${keys}`;
  return `${formatCount(value)} ${what} ${units[unit]} ${whom}${where && `, where ${where}`}`;
};

const toText = (field: string, record: AnyRecord): string => {
  if (field === 'limits') return describePolicy(record as unknown as Policy); // only policies have it
  const value = field.split('.').reduce<unknown>((whole, key) => Object(whole)[key], record);
  if (value === undefined || value === null) return '';
  if (field === 'created_at') return formatTime(Number(value));
  if (field !== 'request_counts') return String(value);
  const { completed = 0, failed = 0, total = 0 } = Object(value);
  return `${completed} of ${total}${failed === 0 ? '' : `, ${failed} failed`}`;
};

/** The grid handles the keyboard, and Enter opens a row, so the links are not in the tab order. */
const show = ({ name, owner }: Kind, field: string, record: AnyRecord) => {
  const text = toText(field, record);
  if (field === 'id') return <RecordLink kind={name} id={text} title={isolate(text)} isSkipped />;
  if (field === owner?.field) return <RecordLink kind={owner.kind} id={text} isSkipped />;
  if (field === 'status') return <Status status={text} />;
  return (
    <span title={isolate(text)}>
      <Foreign text={text} />
    </span>
  );
};

/** The columns of a list. @param isOwned whether all its records have the same owner, which is not shown then */
export const columnsOf = (kind: Kind, isOwned: boolean): readonly GridColumn<AnyRecord>[] =>
  ['id', ...fields[kind.name]]
    .filter((field) => !isOwned || field !== kind.owner?.field)
    .map((field) => ({
      title: field === kind.owner?.field ? kind.owner.title : toTitle(field),
      width: widths[field] ?? 'minmax(0, 1fr)',
      isNumber: /^(?:step_number|metrics)/.test(field),
      show: (record) => show(kind, field, record),
    }));
