import type { ListId, OperationId } from '../operations/ids.ts';
import type { effectKinds, pageKinds } from './fault-kinds.ts';

type PageKind = (typeof pageKinds)[number];

/** The other kinds, with a usual time for those that take a time. */
type CallKind =
  | Exclude<(typeof effectKinds)[number], PageKind | 'delay' | 'drip'>
  | 'delay 2s'
  | 'drip 10s'
  | '400'
  | '401'
  | '403'
  | '404'
  | '429'
  | '500'
  | '503';

/**
 * A fault as a line: `OPERATION[#CALLS] [CONDITION…]: KIND [OPTION…]`, such as `'listRuns#3: reset'`. Editors complete the operations of
 * the contract with each kind; any other line is accepted as well, such as a fault of your own call.
 */
export type FaultLine = `${OperationId | '*'}: ${CallKind}` | `${ListId | '*'}: ${PageKind}` | (string & {});
