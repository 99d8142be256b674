import type { ParsedCall } from '../protocol/call.ts';
import type { OperationContract, QuotaSubject } from '../protocol/define-operation.ts';
import type { OperationDocs } from '../protocol/operation-docs.ts';
import type { Routed } from '../protocol/router.ts';
import type { Mapping } from '../util/mapping.ts';
import type { Kind } from './kind.ts';
import type { World } from './world.ts';

/** A call that any operation may get. */
export type AnyParsedCall = ParsedCall<Readonly<Record<string, string>>, Mapping, Mapping>;

/** A reply of a user's own call that is not a plain 200. */
export class OwnReply<Body = unknown> {
  readonly status: number;
  /** What the handler returned; once checked, the text to send, or null for no body. */
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Body, headers: Readonly<Record<string, string>>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An operation with any contract. */
export interface AnyOperation extends Routed {
  readonly contract: OperationContract;
  readonly kinds: readonly Kind[];
  readonly lists: Kind | undefined;
  /** Set for a user's own call: its reply may depend on anything, and it may need no body. */
  readonly isOwn?: true;
  quotaSubject?(params: AnyParsedCall['params'], reply: object): QuotaSubject;
  docs(): Promise<{ readonly docs: OperationDocs }>;
  handle(call: AnyParsedCall, world: World): object;
}

export const idsOf = (operations: readonly AnyOperation[]): string[] => operations.map(({ id }) => id);

/** Whether an operation lists records. */
export const isList = ({ lists }: AnyOperation): boolean => lists !== undefined;

/** The kinds of record that the operations define. @throws Error if two operations define the same one */
export const collectKinds = <Defined extends Kind>(
  operations: readonly { readonly kinds: readonly Defined[] }[],
): Defined[] => {
  const all = operations.flatMap(({ kinds }) => kinds);
  const twice = all.find(({ plural }, index) => all.findIndex((kind) => kind.plural === plural) < index);
  if (twice !== undefined)
    throw new Error(
      `Two operations define the kind ${twice.plural}. Keep it in the \`kinds\` of one of them.`,
    );
  return all;
};

/** The owner of the records that a call lists; `''` for kinds without an owner. */
export const ownerIn = ({ owner }: Kind, params: Readonly<Record<string, string>>): string =>
  owner === undefined ? '' : (params[owner.field] ?? '');
