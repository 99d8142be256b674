import * as z from 'zod';
import { createIds } from '../../world/ids.ts';
import { defineKind, noChanges } from '../../world/kind.ts';
import { amountOf, ties } from '../../world/mix.ts';
import { partOf, withChangesOf, withOwners } from '../../world/owners.ts';
import { changesOf, fieldsOf, recordIdSchema, stateOf } from '../../world/pinned.ts';
import { sourceOfKeys } from '../../world/source.ts';
import { completeRun } from './complete.ts';
import { type Run, run } from './contract.ts';
import { runStates } from './lifecycle.ts';
import { seedRuns } from './seed.ts';

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
  newId: (key) => createIds('thread_', key).at(0),
  source: (given) => sourceOfKeys(given, (id) => ({ id })),
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
  newId: (key) => createIds('run_', key).at(0),
  source: (given, owner, seeding) =>
    seedRuns(partOf(given, owner)?.runs ?? 0, partOf(given, owner)?.ties, owner, seeding),
  changes: (given, owner) => partOf(given, owner) ?? noChanges,
  withChanges: withChangesOf,
  complete: completeRun,
  createdAt: ({ created_at }) => created_at,
});
