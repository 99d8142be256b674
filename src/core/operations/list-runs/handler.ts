import { refuse } from '../../protocol/errors.ts';
import { listPage } from '../../protocol/list-page.ts';
import { truncate } from '../../util/truncate.ts';
import { defineOperation } from '../operation.ts';
import { listRunsContract } from './contract.ts';
import { runs, threads } from './record.ts';

export const listRuns = defineOperation({
  contract: listRunsContract,
  kinds: [threads, runs],
  listedKind: runs,
  docs: () => import('./docs.ts'),
  handle({ params: { thread_id }, query, assume }, world) {
    const list = world.list(runs, thread_id);
    if (list === undefined && assume('unknown-thread') === '404')
      refuse('unknown-thread', {
        status: 404,
        message: `No thread found with id '${truncate(thread_id)}'.`,
      });

    const { items, hasMore } = listPage(list, query, assume);
    // The contract requires strings here; the alternative of the assumption is null.
    const noId = () => (assume('empty-run-ends') === 'null' ? (null as unknown as string) : '');
    return {
      object: 'list' as const,
      data: items,
      first_id: items[0]?.id ?? noId(),
      last_id: items.at(-1)?.id ?? noId(),
      has_more: hasMore,
    };
  },
});
