// What the fields of records hold in the mock where the contract is silent, and in a target.
import type { AssumptionId } from '../protocol/assumptions.ts';
import { readAny } from './assumed-lists.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { fieldOf } from './calls.ts';
import { NotCheckable, show } from './check.ts';
import { checkpoints, lists, readHead, type SeenRecord } from './lists.ts';

/** In the year 5138; in milliseconds, in 1973. */
const latestSecond = 1e11;

/** The first timestamp of a record that cannot be in seconds, by its field. */
export const findOtherUnit = (record: SeenRecord): readonly [field: string, time: number] | undefined => {
  for (const [field, time] of Object.entries(record))
    if (/_at$/.test(field) && typeof time === 'number' && time >= latestSecond) return [field, time];
  return undefined;
};

/** The metrics that every checkpoint has. */
const measured = ['step', 'train_loss', 'train_mean_token_accuracy'];

export const assumedFields = {
  'timestamp-unit': {
    needs: [],
    look: async (target) => {
      const walks = await readAny(target, lists, ({ records }) => records.length > 0, 'a record');
      for (const { asked, records } of walks)
        for (const record of records) {
          const other = findOtherUnit(record);
          if (other === undefined) continue;
          const [field, time] = other;
          return { asked, value: undefined, came: `${field} ${time} in ${record.id}` };
        }
      const [{ asked, records }] = walks;
      return { asked, value: 'seconds', came: `created_at ${show(records[0]?.created_at)}` };
    },
  },
  'absent-metrics': {
    needs: checkpoints.needs,
    look: async (target) => {
      const { asked, records } = await readHead(target, checkpoints);
      if (records.length === 0) throw new NotCheckable('the job has no checkpoints.');
      const absent = measured.filter((name) =>
        records.some((record) => typeof fieldOf(record.metrics, name) !== 'number'),
      );
      return {
        asked,
        value: absent.length === 0 ? 'validation' : undefined,
        came: `checkpoints without ${absent.join(', ') || 'metrics of validation alone'}`,
      };
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;
