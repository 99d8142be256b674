// Assumptions about the values of record fields.
import type { AssumptionId } from '../protocol/assumptions.ts';
import { readAny } from './assumed-lists.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { fieldOf } from './calls.ts';
import { formatValue, NotCheckable } from './check.ts';
import { checkpoints, lists, readHead, type SeenRecord } from './lists.ts';

/** As seconds, this is in the year 5138; as milliseconds, in 1973. */
const latestSecond = 1e11;

/** The first timestamp of a record that cannot be in seconds, with its field. */
export const findOtherUnit = (record: SeenRecord): readonly [field: string, time: number] | undefined => {
  for (const [field, time] of Object.entries(record))
    if (/_at$/.test(field) && typeof time === 'number' && time >= latestSecond) return [field, time];
  return undefined;
};

/** The metrics that every checkpoint has by default. */
const measured = ['step', 'train_loss', 'train_mean_token_accuracy'];

export const assumedFields = {
  'timestamp-unit': {
    needs: [],
    observe: async (target) => {
      const walks = await readAny(target, lists, ({ records }) => records.length > 0, 'a record');
      for (const { request, records } of walks)
        for (const record of records) {
          const other = findOtherUnit(record);
          if (other === undefined) continue;
          const [field, time] = other;
          return { request, value: undefined, actual: `${field} ${time} in ${record.id}` };
        }
      const [{ request, records }] = walks;
      return { request, value: 'seconds', actual: `created_at ${formatValue(records[0]?.created_at)}` };
    },
  },
  'absent-metrics': {
    needs: checkpoints.needs,
    observe: async (target) => {
      const { request, records } = await readHead(target, checkpoints);
      if (records.length === 0) throw new NotCheckable('the job has no checkpoints.');
      const absent = measured.filter((name) =>
        records.some((record) => typeof fieldOf(record.metrics, name) !== 'number'),
      );
      return {
        request,
        value: absent.length === 0 ? 'validation' : undefined,
        actual: absent.length === 0 ? 'all of them' : `checkpoints without ${absent.join(', ')}`,
      };
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;
