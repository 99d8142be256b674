// That no value of a list's parameters is refused that the contract allows (Endpoints 2 to 4, and Limits).
import { askTwice } from './calls.ts';
import { broken, checkEach, describeCall, type Finding, type Law, type Target } from './check.ts';
import {
  batches,
  idsOf,
  type ListParameters,
  type ListUnderLaw,
  listCall,
  lists,
  maxLimit,
  readPage,
  runs,
} from './lists.ts';

/** The bounds of limit, where they are stated, and what lies next to them. */
const limitsOf = (list: ListUnderLaw): readonly number[] =>
  list === runs || list === batches ? [1, 2, maxLimit - 1, maxLimit] : [1, list.defaultLimit];

/** Values of each parameter; for cursors the ids of records that were just seen. */
const chooseValues = (list: ListUnderLaw, [first, second]: readonly string[]): ListParameters[] => [
  ...limitsOf(list).map((limit) => ({ limit })),
  ...(list === runs ? [{ order: 'asc' } as const, { order: 'desc' } as const] : []),
  ...(first === undefined ? [] : [{ after: first }]),
  ...(list === runs && second !== undefined ? [{ before: second }] : []),
];

async function* checkParameters(target: Target, list: ListUnderLaw): AsyncGenerator<Finding> {
  const ids = idsOf(await readPage(target, list));
  yield* checkEach(chooseValues(list, ids), async function* (query) {
    const call = listCall(list, target.samples, query);
    const reply = await askTwice(target, call); // one that fails now and then says nothing of its parameters
    if (reply.status === 200) return;
    const [about = ''] = Object.entries(query).map(([name, value]) =>
      name === 'limit' || name === 'order' ? `${name}=${value}` : name,
    );
    yield broken(describeCall(call), 'status 200', `status ${reply.status}: ${reply.text}`, about);
  });
}

export const parameterLaws: readonly Law[] = lists.map((list) => ({
  id: `${list.name}-parameters`,
  section: list.section,
  says: 'No value of a parameter is refused that the contract allows: limit, order, and ids of the list as cursors.',
  needs: list.needs,
  check: (target) => checkParameters(target, list),
}));
