import { z } from 'zod';
import { defineKind } from '../../world/kind.ts';
import { count } from '../../world/mix.ts';
import { sourceOf } from '../../world/source.ts';
import type { Checkpoint } from './contract.ts';
import { seedCheckpoints } from './seed.ts';

const section = {
  name: 'jobs',
  schema: z.record(z.string().min(1), z.strictObject({ checkpoints: count.default(0) })).default({}),
} as const;

/** A fine-tuning job is known by its id alone: no operation shows more of it. */
export const jobs = defineKind<{ readonly id: string }, typeof section>({
  name: 'job',
  section,
  source: (given) => sourceOf(Object.keys(given).map((id) => [id, () => ({ id })])),
});

/** The checkpoints of one job. */
export const checkpoints = defineKind<Checkpoint, typeof section>({
  name: 'checkpoint',
  section,
  source: (given, job, seeding) => {
    const size = Object.hasOwn(given, job) ? given[job]?.checkpoints : undefined;
    return size === undefined ? undefined : seedCheckpoints(size, job, seeding);
  },
});
