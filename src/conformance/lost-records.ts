// That no page leaves out a record that stands among those it shows, not even one reply in many.
import { fieldOf, isObject, parseReply } from './calls.ts';
import {
  broken,
  describeCall,
  type Finding,
  type Inspect,
  type Law,
  type LawCall,
  unchecked,
} from './check.ts';
import { type ListUnderLaw, listCall, lists } from './lists.ts';
import { walkLarge } from './walk.ts';

/** How many records in a row are looked for that a page may have left out. */
const maxLost = 100;

/** A page that left a record out. It is told when the record comes again: until then, it may have been deleted. */
interface Suspicion {
  readonly call: LawCall;
  readonly between: readonly [string, string];
}

/** What was seen of a list in one order. */
const createMemory = () => {
  const followers = new Map<string, string>();
  const suspicions = new Map<string, Suspicion>();

  /** What stood between two records that a page shows next to each other. */
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
    call: LawCall,
    ids: readonly string[],
    order: string | undefined,
  ): Generator<Finding> {
    const shown = new Set(ids);
    for (const id of shown) {
      const suspicion = suspicions.get(id);
      if (suspicion === undefined) continue;
      suspicions.delete(id);
      const [former, latter] = suspicion.between;
      yield broken(
        describeCall(suspicion.call),
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

const idsIn = (reply: unknown): readonly string[] => {
  const data = fieldOf(reply, 'data');
  if (!Array.isArray(data)) return [];
  return data.filter(isObject).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
};

const watch = (list: ListUnderLaw): Inspect => {
  const memories = new Map<string, ReturnType<typeof createMemory>>();
  return (call, reply, samples) => {
    if (call.path !== listCall(list, samples).path) return [];
    const order = new URLSearchParams(call.query).get('order') ?? undefined;
    const look = memories.get(order ?? '') ?? createMemory();
    memories.set(order ?? '', look);
    return look(call, idsIn(parseReply(reply)), order);
  };
};

export const lostRecordLaws: readonly Law[] = lists.map((list) => ({
  id: `${list.name}-none-lost`,
  section: list.section,
  says: 'No page leaves out a record that other pages show between two of its records, before and later.',
  needs: list.needs,
  async *check(target) {
    const { records } = await walkLarge(target, list);
    if (records.length < 3) yield unchecked(`the list has ${records.length} records, and it takes 3.`);
  },
  watch: () => watch(list),
}));
