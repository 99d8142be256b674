// What matters of a record, in a row.
import type { ReactNode } from 'react';
import type { Policy } from '../../../core/operations/get-rate-limits-policy/types.ts';
import type { Batch } from '../../../core/operations/list-batches/types.ts';
import type { Checkpoint } from '../../../core/operations/list-checkpoints/types.ts';
import type { Run } from '../../../core/operations/list-runs/types.ts';
import type { AnyRecord, Kind } from '../../kinds.ts';
import { Status } from '../../parts.tsx';
import { Foreign, formatCount, formatTime, RecordLink } from '../../text.tsx';
import { describePolicy } from './columns.tsx';

type Facts = readonly (readonly [name: string, fact: ReactNode])[];

export const factsOf = (kind: Kind, record: AnyRecord): Facts => {
  const { owner } = kind;
  const status =
    typeof record.status === 'string' ? [['Status', <Status key="" status={record.status} />] as const] : [];
  const owners = owner
    ? [[owner.title, <RecordLink key="" kind={owner.kind} id={String(record[owner.field])} />] as const]
    : [];
  return [...status, ...owners, ...ownFactsOf(kind, record)];
};

const text = (value: unknown) => <Foreign text={String(value ?? 'none')} />;

const ownFactsOf = (kind: Kind, record: AnyRecord): Facts => {
  if (kind.name === 'runs') {
    const { model, created_at, usage } = record as unknown as Run; // of this kind
    return [
      ['Model', text(model)],
      ['Created', formatTime(created_at)],
      [
        'Usage',
        usage
          ? `${formatCount(usage.prompt_tokens)} in, ${formatCount(usage.completion_tokens)} out`
          : 'none yet',
      ],
    ];
  }
  if (kind.name === 'batches') {
    const { endpoint, request_counts: counts, created_at, completion_window } = record as unknown as Batch; // of this kind
    return [
      ['Endpoint', text(endpoint)],
      [
        'Requests',
        counts
          ? `${formatCount(counts.completed)} of ${formatCount(counts.total)}, ${formatCount(counts.failed)} failed`
          : 'none',
      ],
      ['Created', formatTime(created_at)],
      ['Window', text(completion_window)],
    ];
  }
  if (kind.name === 'checkpoints') {
    const { step_number, metrics, created_at } = record as unknown as Checkpoint; // of this kind
    return [
      ['Step', formatCount(step_number)],
      ['Training loss', text(metrics.train_loss)],
      ['Validation loss', text(metrics.valid_loss)],
      ['Created', formatTime(created_at)],
    ];
  }
  if (kind.name === 'policies') {
    const policy = record as unknown as Policy; // of this kind
    return [
      ['Limit', text(describePolicy(policy))],
      ['Name', text(policy.name)],
      ['Created', formatTime(policy.created_at)],
    ];
  }
  return [];
};
