import * as z from 'zod';
import { type RunState, runStates } from '../../assumptions/record-states.ts';
import { ownValue } from '../../util/mapping.ts';
import { amountOf, tiesSchema } from '../../world/amount.ts';
import { createDatabase, recordOf } from '../../world/database.ts';
import { drawId } from '../../world/faker.ts';
import type { Kind } from '../../world/kind.ts';
import {
  changesOf,
  fieldsOf,
  recordIdSchema,
  statusSchema,
  withTransitions,
} from '../../world/record-schema.ts';
import { seedsOfKeys, withChangesOf, withKeys } from '../../world/sections.ts';
import { runSchema } from './contract.ts';
import { runLifecycle } from './lifecycle.ts';
import { runModel, threadModel } from './model.ts';
import { createRunDatabase, enterRunState, seedRuns, writeRun } from './seed.ts';
import type { Run } from './types.ts';

const fields = fieldsOf(() => runSchema.extend({ status: statusSchema<RunState>() }));

const section = {
  name: 'threads',
  schema: z.lazy(() => {
    const thread = z.strictObject({
      runs: amountOf(runStates).default(0).describe('How many runs to seed, in total or of each state.'),
      ties: tiesSchema,
      ...changesOf(withTransitions(fields, runStates)),
    });
    return z.record(recordIdSchema, thread).default({}).describe('The threads by id, with their runs.');
  }),
} as const;

/** The threads. A thread only has an id, since no operation returns more. */
export const threads: Kind<{ readonly id: string }, typeof section> = {
  name: 'thread',
  plural: 'threads',
  section,
  columns: Object.keys(threadModel),
  fields: z.strictObject({ id: recordIdSchema }),
  newId: () => drawId('thread_'),
  seeds: (parts) => {
    const db = createDatabase({ thread: threadModel });
    return seedsOfKeys(parts, (id) => recordOf(db.thread.create({ id })));
  },
  withChanges: (parts, _owner, changes) =>
    withKeys(parts, changes, (_, before = { runs: 0, records: [], deleted: [] }) => before),
  write: ({ id }) => ({ record: { id }, transitions: [] }),
};

export const runs: Kind<Run, typeof section> = {
  name: 'run',
  plural: 'runs',
  section,
  owner: { kind: 'thread', field: 'thread_id' },
  columns: Object.keys(runModel),
  fields,
  lifecycle: runLifecycle,
  newId: () => drawId('run_'),
  seeds: (threads, owner, seeding) => {
    const { runs: amount = 0, ties } = ownValue(threads, owner) ?? {};
    return seedRuns(createRunDatabase(), amount, ties, owner, seeding);
  },
  changes: ownValue,
  withChanges: withChangesOf,
  write: writeRun,
  enter: enterRunState,
};
