import * as z from 'zod';
import { type RunState, runStates } from '../../protocol/record-states.ts';
import { ownValue } from '../../util/mapping.ts';
import { amountOf, tiesSchema } from '../../world/amount.ts';
import { drawId } from '../../world/faker.ts';
import { defineKind, noChanges, seedsOfKeys } from '../../world/kind.ts';
import { lifespanOf } from '../../world/lifecycle.ts';
import { withChangesOf, withOwners } from '../../world/owners.ts';
import { changesOf, fieldsOf, recordIdSchema, statusSchema } from '../../world/record-schema.ts';
import { type Run, runSchema } from './contract.ts';
import { runLifecycle } from './lifecycle.ts';
import { completeRun, seedRuns } from './seed.ts';

const fields = fieldsOf(() => runSchema.extend({ status: statusSchema<RunState>() }));

const threadSchema = z.lazy(() =>
  z.strictObject({
    runs: amountOf(runStates).default(0).describe('How many runs to seed, in total or of each state.'),
    ties: tiesSchema,
    ...changesOf(fields),
  }),
);

const section = {
  name: 'threads',
  schema: z.lazy(() =>
    z.record(recordIdSchema, threadSchema).default({}).describe('The threads by id, with their runs.'),
  ),
} as const;

/** The threads. A thread only has an id, since no operation returns more. */
export const threads = defineKind<{ readonly id: string }, typeof section>({
  name: 'thread',
  plural: 'threads',
  section,
  fields: z.strictObject({ id: recordIdSchema }),
  record: () => z.object({ id: z.string() }),
  newId: () => drawId('thread_'),
  seeds: (given) => seedsOfKeys(given, (id) => ({ id })),
  withChanges: (given, _owner, changes) => withOwners(given, changes, { runs: 0, records: [], deleted: [] }),
  complete: (_given, { id }) => ({ id }),
});

/** The runs of one thread. */
export const runs = defineKind<Run, typeof section>({
  name: 'run',
  plural: 'runs',
  section,
  owner: { kind: 'thread', field: 'thread_id' },
  fields,
  states: { names: runStates, assumption: 'run-states' },
  record: () => runSchema,
  newId: () => drawId('run_'),
  seeds: (given, owner, seeding) =>
    seedRuns(ownValue(given, owner)?.runs ?? 0, ownValue(given, owner)?.ties, owner, seeding),
  changes: (given, owner) => ownValue(given, owner) ?? noChanges,
  withChanges: withChangesOf,
  lifespan: lifespanOf(runLifecycle),
  complete: completeRun,
  createdAt: ({ created_at }) => created_at,
});
