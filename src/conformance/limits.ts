// That a page has as many records as were asked for (contract: Endpoints 2 to 4, and Limits).
import { broken, type Law, NotCheckable } from './law.ts';
import { checkpoints, findMaxLimit, lists, readList, readPage } from './lists.ts';

export const limitLaws: readonly Law[] = lists.flatMap((list): Law[] => [
  {
    id: `${list.name}-limit`,
    section: 'Limits',
    says: 'limit is the number of records on a page of a list that has as many.',
    needs: list.needs,
    async *check(target) {
      const { ids } = await readList(target, list);
      if (ids.length === 0) throw new NotCheckable('the list is empty.');
      for (const limit of [1, 3, await findMaxLimit(target, list)]) {
        if (limit === undefined) return;
        const page = await readPage(target, list, { limit });
        const expected = Math.min(limit, ids.length);
        // No bounds are stated for checkpoints: a page of fewer may be as large as it gets (assumed:checkpoint-limit-bounds).
        const mayBeCut = list === checkpoints && limit > list.defaultLimit;
        const isCut = mayBeCut && page.records.length >= list.defaultLimit && page.records.length < expected;
        if (page.records.length !== expected && !isCut)
          yield broken(page.asked, `${expected} of ${ids.length} records`, `${page.records.length}`);
      }
    },
  },
  {
    id: `${list.name}-default-limit`,
    section: 'Limits',
    says: `Without limit, a page has ${list.defaultLimit} records where there are as many.`,
    needs: list.needs,
    async *check(target) {
      const { ids } = await readList(target, list);
      const page = await readPage(target, list);
      const expected = Math.min(list.defaultLimit, ids.length);
      if (page.records.length !== expected)
        yield broken(page.asked, `${expected} of ${ids.length} records`, `${page.records.length}`);
      else if (ids.length <= list.defaultLimit)
        throw new NotCheckable(
          `the list has ${ids.length} records, and it takes more than ${list.defaultLimit}.`,
        );
    },
  },
]);
