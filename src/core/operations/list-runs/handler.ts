import { listPage, toEnvelope } from '../../protocol/list-page.ts';
import { refuse } from '../../protocol/refuse.ts';
import { truncate } from '../../util/truncate.ts';
import { defineOperation } from '../operation.ts';
import { listRunsContract } from './contract.ts';
import { runs, threads } from './record.ts';

export const listRuns = defineOperation({
  contract: listRunsContract,
  kinds: [threads, runs],
  listsKind: runs,
  docs: () => import('./docs.ts'),
  handle({ params: { thread_id }, query, assume }, world) {
    const list = world.list(runs, thread_id);
    if (list === undefined && assume('unknown-thread') === '404')
      refuse('unknown-thread', { message: `No thread found with id '${truncate(thread_id)}'.` });

    // The contract requires strings here; the alternative of the assumption is null.
    const idOfNone = () => (assume('empty-run-ends') === 'null' ? (null as unknown as string) : '');
    return toEnvelope(listPage(list, query, assume), idOfNone);
  },
});
