import * as z from 'zod';
import { count } from '../../world/amount.ts';
import { drawId } from '../../world/faker.ts';
import { defineKind, noChanges, seedsOfKeys } from '../../world/kind.ts';
import { partOf, withChangesOf, withOwners } from '../../world/owners.ts';
import { changesOf, fieldsOf, recordIdSchema } from '../../world/pinned.ts';
import { completeCheckpoint } from './complete.ts';
import { type Checkpoint, checkpoint } from './contract.ts';
import { seedCheckpoints } from './seed.ts';

const fields = fieldsOf(() => checkpoint);

const job = z.lazy(() =>
  z
    .strictObject({
      checkpoints: count.default(0).describe('How many checkpoints the training makes.'),
      made: count
        .exactOptional()
        .describe(
          'How many of them exist at the start; the others appear as the clock moves on. Default: all.',
        ),
      ...changesOf(fields),
    })
    .refine(({ checkpoints: all, made }) => made === undefined || made <= all, {
      path: ['made'],
      error: 'more than the training makes',
    }),
);

const section = {
  name: 'jobs',
  schema: z.lazy(() =>
    z.record(recordIdSchema, job).default({}).describe('The fine-tuning jobs by id, with their checkpoints.'),
  ),
} as const;

/** A fine-tuning job is known by its id alone: no operation shows more of it. */
export const jobs = defineKind<{ readonly id: string }, typeof section>({
  name: 'job',
  plural: 'jobs',
  section,
  fields: z.strictObject({ id: recordIdSchema }),
  record: () => z.object({ id: z.string() }),
  newId: () => drawId('ftjob-'),
  seeds: (given) => seedsOfKeys(given, (id) => ({ id })),
  changes: () => noChanges,
  withChanges: (given, _owner, changes) =>
    withOwners(given, changes, { checkpoints: 0, records: [], deleted: [] }),
  complete: (_given, { id }) => ({ id }),
});

/** The checkpoints of one job. */
export const checkpoints = defineKind<Checkpoint, typeof section>({
  name: 'checkpoint',
  plural: 'checkpoints',
  section,
  owner: { kind: 'job', field: 'fine_tuning_job_id' },
  fields,
  record: () => checkpoint,
  newId: () => drawId('ftckpt_'),
  seeds: (given, owner, seeding) =>
    seedCheckpoints(partOf(given, owner)?.checkpoints ?? 0, partOf(given, owner)?.made, owner, seeding),
  changes: (given, owner) => partOf(given, owner) ?? noChanges,
  withChanges: withChangesOf,
  complete: completeCheckpoint,
  createdAt: ({ created_at }) => created_at,
});
