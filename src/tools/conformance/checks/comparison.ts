// How an assumption is compared with what a target does: by a call that may be refused, or by records that were read.
import { describeCall, formatValue, NotCheckable } from '../check.ts';
import { fieldOf, parseReply, tryCall } from '../replies.ts';
import type { CheckCall, CheckNeed, CheckReply, CheckSamples, CheckTarget } from '../types.ts';

/** What a target does where the mock has an assumption. */
interface Behaviour {
  readonly request: string;
  /** The matching value of the assumption; undefined if none matches. */
  readonly value?: string | undefined;
  readonly actual: string;
  /** What the mock does by default. Default: the meaning of the default value. */
  readonly expected?: string | undefined;
}

/** Compares one side of an assumption; undefined if nothing differs, or there is nothing to compare. @throws NotCheckable */
export type Comparison = (target: CheckTarget) => Promise<Behaviour | undefined>;

/** What an assumption needs of the target, and how it is compared. */
export interface AssumptionEntry {
  readonly needs: readonly CheckNeed[];
  readonly comparisons: readonly Comparison[];
}

/**
 * Creates entries with the same needs. A list has the arguments of {@link compareReply}. `read` is a valid call: if it fails,
 * nothing is compared, because the refusal of an invalid call would prove nothing.
 */
export const entryOf =
  (needs: readonly CheckNeed[], read: (target: CheckTarget) => Promise<unknown> = async () => {}) =>
  (...comparisons: readonly (Comparison | Readonly<Parameters<typeof compareReply>>)[]): AssumptionEntry => ({
    needs,
    comparisons: comparisons.map((comparison) => async (target) => {
      await read(target);
      return typeof comparison === 'function' ? comparison(target) : compareReply(...comparison)(target);
    }),
  });

/** The entry of an assumption that no call can show. */
export const unseen = (reason: string): AssumptionEntry => entryOf([])(notVisible(reason));

/** An id that does not exist in any account. */
export const unknownId = 'gateway-mock-verify-no-such-id';

type OptionalCall = CheckCall | undefined;
type ToCall =
  | CheckCall
  | ((samples: CheckSamples, target: CheckTarget) => OptionalCall | Promise<OptionalCall>);

/** Fields that an error must have besides its status. */
type ErrorFields = Readonly<Partial<Record<'param' | 'code', string | null>>>;

/** Returns the difference between a reply below 400 and the assumption. */
export type FindOther = (body: unknown, reply: CheckReply) => string | undefined;

/**
 * Compares the status of a call, and then the fields of the error, or the reply.
 *
 * @param values the status under the default; or, for each status, the value of the assumption that has it
 */
export const compareReply =
  (
    toCall: ToCall,
    values: number | Readonly<Record<number, string>>,
    ...expected: readonly (FindOther | ErrorFields)[]
  ): Comparison =>
  async (target) => {
    const call = typeof toCall === 'function' ? await toCall(target.samples, target) : toCall;
    if (call === undefined) return undefined;
    const reply = await tryCall(target, call);
    const body = parseReply(reply);
    const others = expected.flatMap((expectation) => {
      if (typeof expectation === 'function')
        return reply.status < 400 ? (expectation(body, reply) ?? []) : [];
      return reply.status < 400 ? [] : findOtherFields(fieldOf(body, 'error'), expectation);
    });
    const request = describeCall(call);
    const actual = [`status ${reply.status}`, ...others].join(', ');
    if (others.length > 0) return { request, actual };
    if (typeof values !== 'number') return { request, value: values[reply.status], actual };
    return reply.status === values ? undefined : { request, actual };
  };

const findOtherFields = (error: unknown, expected: ErrorFields): string[] =>
  Object.entries(expected).flatMap(([name, value]) =>
    fieldOf(error, name) === value ? [] : `error.${name} ${formatValue(fieldOf(error, name))}`,
  );

/** Reports a status below 400 as not checkable, because it may have several causes. */
export const notVisible = (reason: string) => (): never => {
  throw new NotCheckable(reason);
};
