import type { Faker } from '@faker-js/faker';
import type { BatchState } from '../../assumptions/record-states.ts';
import type { Amount } from '../../world/amount.ts';
import { lastTimestamp } from '../../world/clock-limits.ts';
import { createDatabase, recordOf } from '../../world/database.ts';
import { type Distribution, distribute } from '../../world/distribution.ts';
import { drawId, fakerOf } from '../../world/faker.ts';
import type { RecordPlan, Resource, Seeding, WriteContext } from '../../world/kind.ts';
import { type Ending, isFinal } from '../../world/lifecycle.ts';
import {
  chooseStates,
  chooseTimes,
  enterState,
  planWritten,
  type StateEntry,
  schedule,
} from '../../world/schedule.ts';
import { layWritten, livesOn } from '../../world/state-fields.ts';
import type { Timeline } from '../../world/timeline.ts';
import { chooseErrors } from './batch-errors.ts';
import { type BatchEvents, batchLifecycle } from './lifecycle.ts';
import { batchModel } from './model.ts';
import type { Batch } from './types.ts';

/** Active batches are well within their completion window; older batches have ended or expired. */
const distribution: Distribution<BatchState> = {
  newest: [5, 60],
  bands: [
    { until: 66, gap: [300, 7200], states: { validating: 1 } }, // a batch starts within 66 s
    { until: 750, gap: [300, 6500], states: { in_progress: 1 } }, // cancelling takes ten minutes
    {
      until: 64_800,
      gap: [300, 6500],
      states: { in_progress: 3, finalizing: 1, cancelling: 1, failed: 1, cancelled: 1, completed: 5 },
    },
    { until: 93_600, gap: [300, 6500], states: { completed: 1 } },
    {
      until: Number.POSITIVE_INFINITY,
      gap: [300, 6500],
      states: { completed: 14, failed: 2, expired: 2, cancelled: 2 },
    },
  ],
  tied: 35,
  young: { states: ['validating', 'in_progress', 'finalizing', 'cancelling'], within: 64_000 },
};

export const createBatchDatabase = () => createDatabase({ batch: batchModel });

type Database = ReturnType<typeof createBatchDatabase>;

export const seedBatches = (
  db: Database,
  amount: Amount<BatchState>,
  ties: number | undefined,
  { seed, start }: Seeding,
): readonly RecordPlan<Batch>[] => {
  const fakerFor = (purpose: string) => fakerOf(seed, 'batches', purpose);
  return distribute(distribution, amount, ties, fakerFor, () => drawId('batch_'))
    .map(({ id, state, age }) => ({
      id,
      created_at: start - age,
      finalStatus: isFinal(batchLifecycle, state) ? state : undefined,
      make: () => {
        const faker = fakerOf(seed, 'batch', id, 'choices');
        const path = chooseStates(batchLifecycle, state, faker);
        return makeBatch(id, db, seed, chooseTimes(batchLifecycle, path, start - age, start, faker), faker);
      },
    }))
    .reverse();
};

export const writeBatch = (
  written: Partial<Batch> & Resource,
  { seed, now }: Pick<WriteContext, 'seed' | 'now'>,
  ending?: Ending,
): Timeline<Batch> => {
  const faker = fakerOf(seed, 'batch', written.id, 'choices');
  const entries = planWritten(batchLifecycle, written, now, ending);
  const isLiving = livesOn(written, ending);
  const fixed = isLiving ? written : {};
  const timeline = makeBatch(written.id, createBatchDatabase(), seed, entries, faker, fixed);
  // The counts of a batch with further transitions grow to the written counts.
  const { request_counts, ...others } = written;
  const fields = request_counts && isLiving ? others : written;
  return layWritten(batchLifecycle, timeline, fields, ending);
};

/** A written batch that enters a state now. */
export const enterBatchState = (
  batch: Batch,
  state: BatchState,
  { seed, now }: Pick<WriteContext, 'seed' | 'now'>,
  ending?: Ending,
): Timeline<Batch> => {
  const { record } = writeBatch({ id: batch.id, created_at: batch.created_at }, { seed, now });
  const faker = fakerOf(seed, 'batch', batch.id, state);
  return enterState(batchLifecycle, batch, record, state, now, faker, chooseEvents, ending);
};

/** Makes a batch that goes through these states. @param faker draws the decisions @param written the fields that a user wrote */
const makeBatch = (
  id: string,
  db: Database,
  seed: number,
  entries: readonly StateEntry<BatchState>[],
  faker: Faker,
  written: Partial<Batch> = {},
): Timeline<Batch> => {
  const created = entries[0]?.at ?? 0;
  const { description, endpoint } = faker.helpers.arrayElement(purposes);
  const decided = {
    id,
    endpoint,
    created_at: created,
    expires_at: Math.min(lastTimestamp, created + batchLifecycle.lifetime),
    metadata: faker.datatype.boolean(0.3) ? null : drawMetadata(description, faker),
  };
  fakerOf(seed, 'batch', id, 'columns'); // the getters of the model draw from here
  const batch: Batch = recordOf(db.batch.create(decided));
  return schedule(batchLifecycle, batch, entries, fakerOf(seed, 'batch', id, 'states'), (...drawn) => {
    const events = chooseEvents(...drawn);
    return { ...events, counts: fitCounts(events.counts, written, drawn[1].includes('expired')) };
  });
};

/** The written counts; or drawn counts that agree with the written files. */
const fitCounts = (
  drawn: BatchEvents['counts'],
  { request_counts, output_file_id, error_file_id }: Partial<Batch>,
  expires: boolean,
): BatchEvents['counts'] => {
  if (request_counts && request_counts.total > 0) return request_counts;
  if (!output_file_id && !error_file_id) return drawn;
  const done = Math.max(2, drawn.completed + drawn.failed);
  const least = !error_file_id ? 0 : expires || output_file_id === null ? done : 1;
  const most = !output_file_id ? done : error_file_id === null ? 0 : done - 1;
  const failed = Math.max(least, Math.min(drawn.failed, most));
  return { total: drawn.total, completed: done - failed, failed };
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

const drawMetadata = (description: string, faker: Faker) => ({
  description,
  ...(faker.datatype.boolean(0.6) && {
    team: faker.helpers.arrayElement(['search', 'support', 'growth', 'data-platform']),
  }),
  ...(faker.datatype.boolean(0.3) && { attempt: String(faker.number.int({ min: 1, max: 3 })) }),
});

/** Draws the values that a batch gets in its states, for all possible states. */
const chooseEvents = (batch: Batch, states: readonly BatchState[], faker: Faker): BatchEvents => ({
  errors: { object: 'list', data: chooseErrors(batch.endpoint, faker) },
  counts: chooseCounts(batch.request_counts?.total, states, faker),
  outputFile: drawId('file-', 22),
  errorFile: drawId('file-', 22),
});

/** Most batches have no failed requests, some have a few, and in a few all requests fail. */
const chooseCounts = (
  presentTotal: number | undefined,
  states: readonly BatchState[],
  faker: Faker,
): BatchEvents['counts'] => {
  const { int } = faker.number;
  const total = presentTotal || int({ min: 20, max: 5000 }); // 0 before it starts
  const done = states.includes('finalizing') ? total : int({ min: 0, max: Math.floor(total * 0.95) });
  const failed = faker.helpers.weightedArrayElement([
    { value: 0, weight: 6 },
    { value: int({ min: Math.min(1, done), max: Math.ceil(done * 0.08) }), weight: 3 },
    { value: done, weight: 1 },
  ]);
  return { total, completed: done - failed, failed };
};
