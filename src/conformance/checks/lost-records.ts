// No page leaves out a record between two that it shows, not even one reply in many.

import {
  type Check,
  type CheckCall,
  type CheckFinding,
  failed,
  type InspectReply,
  unchecked,
} from '../check.ts';
import { type CheckedList, listCall, lists, walkList } from '../lists.ts';
import { fieldOf, itemsOf, parseReply } from '../replies.ts';

/** How many consecutive lost records are detected. */
const maxLost = 100;

/** A page that may have left a record out. It is reported if the record comes again: until then, it may have been deleted. */
interface Suspicion {
  readonly call: CheckCall;
  readonly between: readonly [string, string];
}

/** Remembers the pages of a list in one order. */
const createMemory = () => {
  const followers = new Map<string, string>();
  const suspicions = new Map<string, Suspicion>();

  /** The records that earlier stood between two records. */
  const findBetween = (former: string, latter: string): readonly string[] => {
    const between: string[] = [];
    let id = followers.get(former);
    while (id !== undefined && id !== latter && between.length < maxLost) {
      between.push(id);
      id = followers.get(id);
    }
    return id === latter ? between : [];
  };

  return function* look(
    call: CheckCall,
    ids: readonly string[],
    order: string | undefined,
  ): Generator<CheckFinding> {
    const shown = new Set(ids);
    for (const id of shown) {
      const suspicion = suspicions.get(id);
      if (suspicion === undefined) continue;
      suspicions.delete(id);
      const [former, latter] = suspicion.between;
      yield failed(
        suspicion.call,
        `${id} between ${former} and ${latter}, as before and later`,
        'a page without it',
        order && `order=${order}`,
      );
    }
    for (const [index, latter] of ids.entries()) {
      const former = ids[index - 1];
      if (former === undefined || followers.get(former) === latter) continue;
      for (const lost of findBetween(former, latter))
        if (!shown.has(lost)) suspicions.set(lost, { call, between: [former, latter] });
    }
    for (const [index, id] of ids.entries()) if (index > 0) followers.set(ids[index - 1] ?? '', id);
  };
};

const idsIn = (reply: unknown): readonly string[] =>
  itemsOf(reply, 'data')
    .map((record) => fieldOf(record, 'id'))
    .filter((id) => typeof id === 'string');

const watch = (list: CheckedList): InspectReply => {
  const memories = new Map<string, ReturnType<typeof createMemory>>();
  return (call, reply, samples) => {
    if (reply.status !== 200 || call.path !== listCall(list, samples).path) return [];
    const order = new URLSearchParams(call.query).get('order') ?? undefined;
    const look = memories.get(order ?? '') ?? createMemory();
    memories.set(order ?? '', look);
    return look(call, idsIn(parseReply(reply)), order);
  };
};

export const lostRecordChecks: readonly Check[] = lists.map((list) => ({
  id: `${list.name}-none-lost`,
  section: list.contract.section,
  description:
    'No page skips a record: if an earlier and a later page show a record between two others, each page with those two has it.',
  needs: list.needs,
  async *run(target) {
    const { records } = await walkList(target, list);
    if (records.length < 3) yield unchecked(`the list has ${records.length} records; this check needs 3.`);
  },
  watch: () => watch(list),
}));
