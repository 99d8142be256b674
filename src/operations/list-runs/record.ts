import * as z from 'zod';
import { amountOf, ties } from '../../world/amount.ts';
import { drawId } from '../../world/faker.ts';
import { defineKind, noChanges, seedsOfKeys } from '../../world/kind.ts';
import { partOf, withChangesOf, withOwners } from '../../world/owners.ts';
import { changesOf, fieldsOf, recordIdSchema, stateOf } from '../../world/pinned.ts';
import { type Run, run } from './contract.ts';
import { runStates } from './lifecycle.ts';
import { completeRun, seedRuns } from './seed.ts';

const fields = fieldsOf(() => run.extend({ status: stateOf(runStates) }));

const thread = z.lazy(() =>
  z.strictObject({
    runs: amountOf(runStates).default(0).describe('How many runs are seeded, or how many of each state.'),
    ties,
    ...changesOf(fields),
  }),
);

const section = {
  name: 'threads',
  schema: z.lazy(() =>
    z.record(recordIdSchema, thread).default({}).describe('The threads by id, with their runs.'),
  ),
} as const;

/** A thread is known by its id alone: no operation shows more of it. */
export const threads = defineKind<{ readonly id: string }, typeof section>({
  name: 'thread',
  plural: 'threads',
  section,
  fields: z.strictObject({ id: recordIdSchema }),
  record: () => z.object({ id: z.string() }),
  newId: () => drawId('thread_'),
  seeds: (given) => seedsOfKeys(given, (id) => ({ id })),
  changes: () => noChanges,
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
  record: () => run,
  newId: () => drawId('run_'),
  seeds: (given, owner, seeding) =>
    seedRuns(partOf(given, owner)?.runs ?? 0, partOf(given, owner)?.ties, owner, seeding),
  changes: (given, owner) => partOf(given, owner) ?? noChanges,
  withChanges: withChangesOf,
  complete: completeRun,
  createdAt: ({ created_at }) => created_at,
});
