import type { Assume } from '../../assumptions/table.ts';
import { listPage, toEnvelope } from '../../protocol/list-page.ts';
import { refuseBound } from '../../protocol/query-refusals.ts';
import { refuse } from '../../protocol/refuse.ts';
import { truncate } from '../../util/truncate.ts';
import { defineOperation } from '../operation.ts';
import { listCheckpointsContract } from './contract.ts';
import { checkpoints, jobs } from './record.ts';

export const listCheckpoints = defineOperation({
  contract: listCheckpointsContract,
  kinds: [jobs, checkpoints],
  listsKind: checkpoints,
  docs: () => import('./docs.ts'),
  handle({ params: { fine_tuning_job_id }, query, assume }, world) {
    checkBounds(query.limit, assume);
    const list = world.list(checkpoints, fine_tuning_job_id);
    if (list === undefined && assume('unknown-job') === '404')
      refuse('unknown-job', {
        message: `Could not find fine tune: ${truncate(fine_tuning_job_id)}`,
        param: 'fine_tune_id',
        code: 'fine_tune_not_found',
      });

    const order = assume('newest-first');
    return toEnvelope(listPage(list, { ...query, order }, assume), () => null);
  },
});

/** The contract states no bounds for this list (contract: Limits). */
const checkBounds = (limit: number, assume: Assume): void => {
  if (limit >= 1 && limit <= 100) return;
  if (limit === 0 && assume('limit-too-small') === 'empty-page') return;
  const bounds = assume('checkpoint-limit-bounds');
  if (limit < 1) refuseBound('limit', String(limit), { minimum: 1 });
  if (bounds === '1-to-100') refuseBound('limit', String(limit), { maximum: 100 });
};
