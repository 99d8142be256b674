import type { Call } from '../protocol/call.ts';
import { listedIn } from '../protocol/contract-types.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import type { OperationDocs } from '../protocol/operation-docs.ts';
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
  docs(): Promise<{ readonly docs: OperationDocs }>;
  handle(call: AnyCall, world: World): object;
}

/** Whether an operation answers with pages of a list, which its contract tells. */
export const isList = ({ contract }: AnyOperation): boolean => listedIn(contract.reply) !== undefined;

/** The kind of record that an operation lists: of those that it brings, the one with an order; undefined where it lists none. */
export const listedKind = (operation: AnyOperation): Kind | undefined =>
  isList(operation) ? operation.kinds.find(({ createdAt }) => createdAt !== undefined) : undefined;

/** Every kind of record that operations bring, each once. @throws Error where two bring the same one */
export const collectKinds = <Brought extends Kind>(
  operations: readonly { readonly id: string; readonly kinds: readonly Brought[] }[],
): Brought[] => {
  const bringers = new Map<string, string>();
  for (const { id, kinds } of operations)
    for (const { plural } of kinds) {
      const other = bringers.get(plural);
      if (other !== undefined)
        throw new Error(
          `The kind ${plural} is brought by two operations, ${other} and ${id}: write it into the kinds of the one whose room has it, and leave it out of the other's (kinds: []).`,
        );
      bringers.set(plural, id);
    }
  return operations.flatMap(({ kinds }) => kinds);
};

/** Whom the records belong to that a call lists; empty for kinds that belong to none. */
export const ownerIn = ({ owner }: Kind, params: Readonly<Record<string, string>>): string =>
  owner === undefined ? '' : (params[owner.field] ?? '');
