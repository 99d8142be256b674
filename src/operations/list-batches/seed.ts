import type { Faker } from '@faker-js/faker';
import type { BatchState } from '../../protocol/record-states.ts';
import type { Amount } from '../../world/amount.ts';
import { type Distribution, distribute } from '../../world/distribution.ts';
import { drawId, fakerOf } from '../../world/faker.ts';
import type { NewRecord, Seed, Seeding } from '../../world/kind.ts';
import { finalState } from '../../world/lifecycle.ts';
import {
  chooseStates,
  fitTimestamps,
  type Span,
  type StatePath,
  schedule,
  spanOf,
} from '../../world/schedule.ts';
import { recordAt, type Timeline } from '../../world/timeline.ts';
import type { Batch } from './contract.ts';
import { agreeCounts, chooseProgress } from './counts.ts';
import { chooseErrors } from './errors.ts';
import { batchLifecycle, filesOf } from './lifecycle.ts';

/** Active batches are well within their completion window; older ones have ended or expired. */
const distribution: Distribution<BatchState> = {
  newest: { min: 5, max: 240 },
  bands: [
    {
      until: 240,
      gap: { min: 300, max: 7200 },
      states: { validating: 1 },
    },
    {
      until: 64_800,
      gap: { min: 300, max: 10_800 },
      states: { in_progress: 3, finalizing: 1, cancelling: 1, failed: 1, cancelled: 1, completed: 5 },
    },
    {
      until: 93_600,
      gap: { min: 300, max: 10_800 },
      states: { completed: 1 },
    },
    {
      until: Number.POSITIVE_INFINITY,
      gap: { min: 300, max: 10_800 },
      states: { completed: 14, failed: 2, expired: 2, cancelled: 2 },
    },
  ],
  tied: 6,
  young: { states: ['validating', 'in_progress', 'finalizing', 'cancelling'], within: 64_000 },
};

/** Seeds the batches, oldest first. */
export const seedBatches = (
  amount: Amount<BatchState>,
  ties: number | undefined,
  { seed, start }: Seeding,
): readonly Seed<Batch>[] =>
  distribute(
    distribution,
    amount,
    ties,
    (purpose) => fakerOf(seed, 'batches', purpose),
    () => drawId('batch_'),
  )
    .map(({ id, state, age }) => ({
      id,
      created_at: start - age,
      finalStatus: finalState(batchLifecycle, state),
      make: () => {
        const faker = fakerOf(seed, 'batch', id);
        const span = { created: start - age, lifetime: batchLifecycle.lifetime, now: start };
        return makeBatch(id, chooseStates(batchLifecycle, state, faker), span, faker);
      },
    }))
    .reverse();

/** Completes a written batch: the other fields are consistent with the given ones and with the time. */
export const completeBatch = (given: Partial<Batch>, { seed, id, now }: NewRecord): Batch => {
  const faker = fakerOf(seed, 'batch', id);
  const { state, ...span } = spanOf(batchLifecycle, given, now, faker);
  const { behind } = chooseStates(batchLifecycle, state, faker);
  const timeline = makeBatch(id, { behind: fitStart(behind, given), ahead: [] }, span, faker);
  const whole = recordAt(timeline, Number.POSITIVE_INFINITY);
  const request_counts = given.request_counts ?? agreeCounts(whole, given);
  const files = { outputFile: whole.output_file_id ?? fileId(), errorFile: whole.error_file_id ?? fileId() };
  const hasEnded = ['completed', 'expired', 'cancelled'].includes(whole.status);
  return {
    ...whole,
    request_counts,
    ...(hasEnded && filesOf(request_counts, whole.status, files)),
    ...fitTimestamps(batchLifecycle, whole, given),
    ...given,
  };
};

/** Decides by the given counts and files whether a cancelled batch had started. If error_file_id is null, it had not. */
const fitStart = (behind: readonly BatchState[], given: Partial<Batch>): readonly BatchState[] => {
  const ends = behind.filter((state) => state !== 'in_progress');
  if (ends[0] !== 'cancelling') return behind;
  if (given.request_counts?.total || given.output_file_id || given.error_file_id)
    return ['in_progress', ...ends];
  return given.error_file_id === null ? ends : behind;
};

/** Makes a batch that goes through these states. */
const makeBatch = (id: string, path: StatePath<BatchState>, span: Span, faker: Faker): Timeline<Batch> => {
  const record = newBatch(id, span, faker);
  const events = {
    errors: { object: 'list', data: chooseErrors(record.endpoint, faker) },
    progress: chooseProgress([...path.behind, ...path.ahead], faker),
    outputFile: fileId(),
    errorFile: fileId(),
    expires_at: span.created + span.lifetime,
  };
  return { record, transitions: schedule(batchLifecycle, path, span, faker, events) };
};

/** Purposes of batches, with the endpoints of their requests. */
const purposes = [
  { description: 'nightly evaluation', endpoint: '/v1/chat/completions' },
  { description: 'ticket triage backfill', endpoint: '/v1/chat/completions' },
  { description: 'review sentiment, weekly', endpoint: '/v1/chat/completions' },
  { description: 'translation of help articles', endpoint: '/v1/responses' },
  { description: 'call transcript summaries', endpoint: '/v1/responses' },
  { description: 'product catalogue embeddings', endpoint: '/v1/embeddings' },
] as const;

/** A batch at its creation. */
const newBatch = (id: string, { created, lifetime }: Span, faker: Faker): Batch => {
  const { description, endpoint } = faker.helpers.arrayElement(purposes);
  return {
    id,
    object: 'batch',
    endpoint,
    errors: null,
    input_file_id: fileId(),
    completion_window: '24h',
    status: 'validating',
    output_file_id: null,
    error_file_id: null,
    created_at: created,
    in_progress_at: null,
    expires_at: created + lifetime,
    finalizing_at: null,
    completed_at: null,
    failed_at: null,
    expired_at: null,
    cancelling_at: null,
    cancelled_at: null,
    request_counts: { total: 0, completed: 0, failed: 0 },
    metadata: faker.datatype.boolean(0.3)
      ? null
      : {
          description,
          ...(faker.datatype.boolean(0.6) && {
            team: faker.helpers.arrayElement(['search', 'support', 'growth', 'data-platform']),
          }),
          ...(faker.datatype.boolean(0.3) && { attempt: String(faker.number.int({ min: 1, max: 3 })) }),
        },
  };
};

/** Draws the id of a file. */
const fileId = (): string => drawId('file-', 22);
