import { type AnyOperation, isContractList } from '../operations/operation.ts';
import type { Call } from '../protocol/call.ts';
import { compilePattern } from '../util/pattern.ts';
import type { Rule } from './rule.ts';

/** Returns the query of a call, which is parsed at most once for all faults. */
type ReadQuery = () => URLSearchParams;

/** Whether a call matches the operation and conditions of a rule. A call for another server has no operation. */
export type Matches = (operation: AnyOperation | undefined, call: Call, readQuery: ReadQuery) => boolean;

/** Reads the patterns of a rule once, since every call is compared with them. */
export const compileConditions = ({ operation: id, effect, query, header, path }: Rule): Matches => {
  const isForLists = 'page' in effect;
  const matchesPath = path === undefined ? undefined : compilePattern(path);
  const headers = compileAll(header);
  const params = compileAll(query);
  return (operation, call, readQuery) =>
    (id === '*' || id === operation?.id) &&
    (!isForLists || mayList(operation, id)) &&
    (matchesPath === undefined || matchesPath(call.path)) &&
    headers.every(([name, matches]) => matches(call.header(name))) &&
    params.every(([name, matches]) => readQuery().getAll(name).some(matches));
};

/**
 * Whether a page fault counts a call. It also counts calls that go to another server, to report that it cannot act on them. With `*`
 * it counts no own calls, since most return no page: it counts those that its line names.
 */
const mayList = (operation: AnyOperation | undefined, id: string): boolean =>
  operation === undefined || isContractList(operation) || (operation.source === 'own call' && id !== '*');

const compileAll = (patterns: Readonly<Record<string, string>>) =>
  Object.entries(patterns).map(([name, pattern]) => [name, compilePattern(pattern)] as const);

/** Whether a query has a cursor that the operation supports, valid or not. */
export const hasCursor = ({ contract, source }: AnyOperation, readQuery: ReadQuery): boolean =>
  ['after', 'before'].some(
    (name) => (source === 'own call' || Object.hasOwn(contract.query.shape, name)) && readQuery().get(name),
  );
