import { z } from 'zod';
import { defineKind } from '../../world/kind.ts';
import { amountOf } from '../../world/mix.ts';
import { sourceOf } from '../../world/source.ts';
import type { Run } from './contract.ts';
import { runStates } from './lifecycle.ts';
import { seedRuns } from './seed.ts';

const section = {
  name: 'threads',
  schema: z.record(z.string().min(1), z.strictObject({ runs: amountOf(runStates).default(0) })).default({}),
} as const;

/** A thread is known by its id alone: no operation shows more of it. */
export const threads = defineKind<{ readonly id: string }, typeof section>({
  name: 'thread',
  section,
  source: (given) => sourceOf(Object.keys(given).map((id) => [id, () => ({ id })])),
});

/** The runs of one thread. */
export const runs = defineKind<Run, typeof section>({
  name: 'run',
  section,
  source: (given, thread, seeding) => {
    const amount = Object.hasOwn(given, thread) ? given[thread]?.runs : undefined;
    return amount === undefined ? undefined : seedRuns(amount, thread, seeding);
  },
});
