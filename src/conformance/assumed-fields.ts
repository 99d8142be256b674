// What the fields of records hold in the mock where the contract is silent, and in a target.
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { fieldOf } from './calls.ts';
import { NotCheckable, show } from './law.ts';
import { batches, checkpoints, readHead } from './lists.ts';

/** In the year 5138; in milliseconds, in 1973. */
const latestSecond = 1e11;

/** The metrics that every checkpoint has. */
const measured = ['step', 'train_loss', 'train_mean_token_accuracy'];

export const assumedFields = {
  'timestamp-unit': {
    needs: batches.needs,
    look: async (target) => {
      const { asked, records } = await readHead(target, batches);
      const times = records.map((record) => record.created_at);
      if (times.length === 0) throw new NotCheckable('there are no batches.');
      const other = times.find((time) => !(Number(time) < latestSecond));
      const isSeconds = other === undefined;
      return {
        asked,
        value: isSeconds ? 'seconds' : undefined,
        came: `created_at ${show(isSeconds ? times[0] : other)}`,
      };
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
