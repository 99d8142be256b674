import { listPage } from '../../protocol/list-page.ts';
import { defineOperation } from '../operation.ts';
import { listBatchesContract } from './contract.ts';
import { batches } from './record.ts';

export const listBatches = defineOperation({
  contract: listBatchesContract,
  kinds: [batches],
  listsKind: batches,
  docs: () => import('./docs.ts'),
  handle({ query, assume }, world) {
    const order = assume('newest-first');
    const { items, hasMore } = listPage(world.list(batches), { ...query, order }, assume);
    const [first, last] = [items[0], items.at(-1)];
    return {
      object: 'list' as const,
      data: items,
      ...(first && last && { first_id: first.id, last_id: last.id }),
      has_more: hasMore,
    };
  },
});
