// Lists accept all parameter values that the contract allows (Endpoints 2 to 4, and Limits).
import { askTwice } from './calls.ts';
import { type CheckTarget, checkEach, type Findings, failed, toChecks } from './check.ts';
import {
  batches,
  type CheckedList,
  idsOf,
  type ListParameters,
  listCall,
  lists,
  maxLimit,
  readPage,
  runs,
} from './lists.ts';

/** The bounds of limit, if the contract states them, and the values next to them. */
const limitsOf = (list: CheckedList): readonly number[] =>
  list === runs || list === batches ? [1, 2, maxLimit - 1, maxLimit] : [1, list.defaultLimit];

/** Values of each parameter. Cursors are ids of records that were just read. */
const chooseValues = (list: CheckedList, [first, second]: readonly string[]): ListParameters[] => [
  ...limitsOf(list).map((limit) => ({ limit })),
  ...(list === runs ? [{ order: 'asc' } as const, { order: 'desc' } as const] : []),
  ...(first === undefined ? [] : [{ after: first }]),
  ...(list === runs && second !== undefined ? [{ before: second }] : []),
];

async function* checkParameters(target: CheckTarget, list: CheckedList): Findings {
  const ids = idsOf(await readPage(target, list));
  yield* checkEach(chooseValues(list, ids), async function* (query) {
    const call = listCall(list, target.samples, query);
    const reply = await askTwice(target, call); // an occasional failure says nothing about the parameters
    if (reply.status === 200) return;
    const [about = ''] = Object.entries(query).map(([name, value]) =>
      name === 'limit' || name === 'order' ? `${name}=${value}` : name,
    );
    yield failed(call, 'status 200', `status ${reply.status}: ${reply.text}`, about);
  });
}

export const parameterChecks = lists.flatMap((list) =>
  toChecks(list, list.contract.section, {
    parameters: [
      'All parameter values that the contract allows are accepted: limit, order, and ids of the list as cursors.',
      checkParameters,
    ],
  }),
);
