import type { Call } from '../protocol/call.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import type { Routed } from '../protocol/router.ts';
import type { Kind } from './kind.ts';
import type { World } from './world.ts';

/** A call that any operation may get. */
export type AnyCall = Call<
  Readonly<Record<string, string>>,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>
>;

/** What each operation is to those who serve it, whatever its contract. */
export interface AnyOperation extends Routed {
  readonly contract: OperationContract;
  readonly kinds: readonly Kind[];
  handle(call: AnyCall, world: World): object;
}

/** The kind of record that an operation lists: the one with an order; undefined where it lists none. */
export const listedKind = ({ kinds }: AnyOperation): Kind | undefined =>
  kinds.find(({ createdAt }) => createdAt !== undefined);

/** Whom the records belong to that a call lists; empty for kinds that belong to none. */
export const ownerIn = ({ owner }: Kind, params: Readonly<Record<string, string>>): string =>
  owner === undefined ? '' : (params[owner.field] ?? '');
