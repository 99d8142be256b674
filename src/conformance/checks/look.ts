// How an assumption is looked at: by a call that may be refused, or by records that were read.
import type { AssumptionId } from '../../protocol/assumptions.ts';
import {
  type CheckCall,
  type CheckNeed,
  type CheckReply,
  type CheckTarget,
  describeCall,
  formatValue,
  NotCheckable,
} from '../check.ts';
import { fieldOf, parseReply, tryCall } from '../replies.ts';

/** What a target did about an assumption. */
export interface Seen {
  readonly request: string;
  /** The matching value of the assumption; undefined if none matches. */
  readonly value: string | undefined;
  /** What came back. */
  readonly actual: string;
  /** What the mock does by default. Default: the description of that value. */
  readonly expected?: string | undefined;
}

/** Looks at one side of an assumption; undefined if the target has nothing to look at there. @throws NotCheckable */
export type Look = (target: CheckTarget) => Promise<Seen | undefined>;

/** What an assumption needs of the target, and how it is looked at. A text is the reason why no call shows it. */
export type AssumptionEntry = readonly [needs: readonly CheckNeed[], ...looks: readonly Look[]] | string;

export type AssumptionEntries = Readonly<Partial<Record<AssumptionId, AssumptionEntry>>>;

type ToCall = CheckCall | ((target: CheckTarget) => CheckCall | undefined | Promise<CheckCall | undefined>);

/** Fields that an error must have besides its status. */
type ErrorFields = Readonly<Partial<Record<'param' | 'code', string | null>>>;

/**
 * Looks at the status of a call, and then at the fields of the error or the body of a reply with status 200.
 *
 * @param values the value of the assumption for each status
 * @param what what the call sends that does not show in its request
 * @param findFault what in the body of a reply of 200 is not as its value says
 */
export const byStatus =
  (
    toCall: ToCall,
    values: Readonly<Record<number, string>>,
    {
      error = {},
      what,
      findFault,
    }: {
      error?: ErrorFields;
      what?: string;
      findFault?: (body: unknown, target: CheckTarget, reply: CheckReply) => string | undefined;
    } = {},
  ): Look =>
  async (target) => {
    const call = typeof toCall === 'function' ? await toCall(target) : toCall;
    if (call === undefined) return undefined;
    const reply = await tryCall(target, call);
    const faults =
      reply.status < 400
        ? [findFault?.(parseReply(reply), target, reply) ?? []].flat()
        : findOther(reply, error);
    return {
      request: describeCall(call) + (what === undefined ? '' : ` with ${what}`),
      value: faults.length === 0 ? values[reply.status] : undefined,
      actual: [`status ${reply.status}`, ...faults].join(', '),
    };
  };

const findOther = (reply: CheckReply, error: ErrorFields): string[] => {
  const found = fieldOf(parseReply(reply), 'error');
  return Object.entries(error).flatMap(([name, value]) =>
    fieldOf(found, name) === value ? [] : [`error.${name} ${formatValue(fieldOf(found, name))}`],
  );
};

/** Looks at the refusal of a call by the only status that the assumption has. */
export const refusedBy = (status: number, toCall: ToCall, error?: ErrorFields): Look =>
  byStatus(toCall, { [status]: String(status) }, { ...(error && { error }) });

/** A call for something that does not exist: an error or an empty list. */
export const orEmpty = (
  toCall: ToCall,
  statuses: readonly number[],
  empty: string,
  error?: ErrorFields,
): Look =>
  byStatus(
    toCall,
    { 200: empty, ...Object.fromEntries(statuses.map((status) => [status, String(status)])) },
    {
      ...(error && { error }),
      findFault: (body) => {
        const data = fieldOf(body, 'data');
        return Array.isArray(data) && data.length === 0 ? undefined : 'a list that is not empty';
      },
    },
  );

/** Looks only if a valid call succeeds: the same call with a mistake proves nothing otherwise. */
export const onlyIf =
  (read: (target: CheckTarget) => Promise<unknown>, look: Look): Look =>
  async (target) => {
    await read(target);
    return look(target);
  };

/** Leaves one value unobserved, which several causes may have. */
export const unless =
  (value: string, reason: string, look: Look): Look =>
  async (target) => {
    const seen = await look(target);
    if (seen?.value === value) throw new NotCheckable(reason);
    return seen;
  };
