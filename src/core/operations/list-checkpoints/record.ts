import * as z from 'zod';
import { ownValue } from '../../util/mapping.ts';
import { countSchema } from '../../world/amount.ts';
import { createDatabase, recordOf } from '../../world/database.ts';
import { drawId } from '../../world/faker.ts';
import type { Kind } from '../../world/kind.ts';
import { changesOf, fieldsOf, recordIdSchema } from '../../world/record-schema.ts';
import { seedsOfKeys, withChangesOf, withKeys } from '../../world/sections.ts';
import { checkpointSchema } from './contract.ts';
import { checkpointModel, jobModel } from './model.ts';
import { createCheckpointDatabase, seedCheckpoints, writeCheckpoint } from './seed.ts';
import type { Checkpoint } from './types.ts';

const fields = fieldsOf(() => checkpointSchema);

const section = {
  name: 'jobs',
  schema: z.lazy(() => {
    const job = z
      .strictObject({
        checkpoints: countSchema.default(0).describe('How many checkpoints the training makes in total.'),
        made: countSchema
          .exactOptional()
          .describe(
            'How many of them exist at the start. The others appear as the clock advances. Default: all.',
          ),
        ...changesOf(fields),
      })
      .refine(({ checkpoints: all, made }) => made === undefined || made <= all, {
        path: ['made'],
        error: 'more than the checkpoints of the training',
      });
    return z
      .record(recordIdSchema, job)
      .default({})
      .describe('The fine-tuning jobs by id, with their checkpoints.');
  }),
} as const;

/** The fine-tuning jobs. A job only has an id, since no operation returns more. */
export const jobs: Kind<{ readonly id: string }, typeof section> = {
  name: 'job',
  plural: 'jobs',
  section,
  columns: Object.keys(jobModel),
  fields: z.strictObject({ id: recordIdSchema }),
  newId: () => drawId('ftjob-'),
  seeds: (parts) => {
    const db = createDatabase({ job: jobModel });
    return seedsOfKeys(parts, (id) => recordOf(db.job.create({ id })));
  },
  withChanges: (parts, _owner, changes) =>
    withKeys(parts, changes, (_, before = { checkpoints: 0, records: [], deleted: [] }) => before),
  write: ({ id }) => ({ record: { id }, transitions: [] }),
};

export const checkpoints: Kind<Checkpoint, typeof section> = {
  name: 'checkpoint',
  plural: 'checkpoints',
  section,
  owner: { kind: 'job', field: 'fine_tuning_job_id' },
  columns: Object.keys(checkpointModel),
  fields,
  newId: () => drawId('ftckpt_'),
  seeds: (parts, owner, seeding) => {
    const { checkpoints: size = 0, made } = ownValue(parts, owner) ?? {};
    return seedCheckpoints(createCheckpointDatabase(), size, made, owner, seeding);
  },
  changes: ownValue,
  withChanges: withChangesOf,
  write: writeCheckpoint,
};
