import type { Faker } from '@faker-js/faker';
import type { BatchState } from '../../protocol/record-states.ts';
import type { Batch } from './contract.ts';

type Counts = NonNullable<Batch['request_counts']>;

/** The counts of a batch while it is in progress: they grow in eight steps, of which the last falls into the next state. */
export const chooseProgress = (states: readonly BatchState[], faker: Faker): Counts[] => {
  const total = faker.number.int({ min: 20, max: 5000 });
  const isWhole = states.includes('finalizing');
  const done = isWhole ? total : faker.number.int({ min: 0, max: Math.floor(total * 0.95) });
  const failing = chooseFailing(done, faker);
  if (!states.includes('in_progress')) return [];
  return Array.from({ length: 9 }, (_, step) => {
    const handled = Math.floor((done * step) / 8);
    const failed = Math.floor((failing * step) / 8);
    return { total, completed: handled - failed, failed };
  });
};

/** Most batches have no failed requests, some have a few, and in a few all requests fail. */
const chooseFailing = (done: number, faker: Faker): number =>
  faker.helpers.weightedArrayElement([
    { value: 0, weight: 6 },
    { value: faker.number.int({ min: Math.min(1, done), max: Math.ceil(done * 0.08) }), weight: 3 },
    { value: done, weight: 1 },
  ]);

/** Counts that are consistent with the given files: an output file means that requests were completed, null that none were. */
export const agreeCounts = (whole: Batch, given: Partial<Batch>): Counts => {
  const counts = whole.request_counts ?? { total: 0, completed: 0, failed: 0 };
  const { output_file_id: output, error_file_id: error } = given;
  if (!hasEnded(whole) || (output === undefined && error === undefined)) return counts;
  const isEmpty = output === null && error === null;
  const needed = Number(Boolean(output)) + Number(Boolean(error));
  const handled = isEmpty ? 0 : Math.max(needed, counts.completed + counts.failed);
  const most = error === null ? 0 : handled - Number(Boolean(output));
  const least = output === null ? handled : Number(Boolean(error));
  const failed = Math.max(least, Math.min(most, counts.failed));
  return {
    total: whole.status === 'completed' ? handled : counts.total,
    completed: handled - failed,
    failed,
  };
};

const hasEnded = ({ status }: Batch): boolean => ['completed', 'expired', 'cancelled'].includes(status);
