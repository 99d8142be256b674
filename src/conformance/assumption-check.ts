// The check of an assumption: finds out which of its values a target follows.
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { ask, fieldOf, parseReply } from './calls.ts';
import {
  type Check,
  type CheckCall,
  type CheckNeed,
  type CheckReply,
  type CheckTarget,
  checkEach,
  describeCall,
  differs,
  formatValue,
} from './check.ts';

/** What a target did about an assumption. */
export interface Choice {
  readonly request: string;
  /** The matching value of the assumption; undefined if none matches. */
  readonly value: string | undefined;
  /** What came back. */
  readonly actual: string;
  /** What the mock does by default. Default: the description of that value. */
  readonly expected?: string | undefined;
}

/** How to find out, by reading only, which value a target follows. */
export interface AssumptionCheck {
  readonly needs: readonly CheckNeed[];
  /** @throws NotCheckable if it cannot be found out */
  readonly observe: (target: CheckTarget) => Promise<Choice>;
  /** A second observation, for an assumption with two sides. */
  readonly observeAgain?: (target: CheckTarget) => Promise<Choice>;
}

/** A check that compares the target with the default of an assumption. It never fails: the contract is silent there. */
export const toCheck = (id: AssumptionId, { needs, observe, observeAgain }: AssumptionCheck): Check => ({
  id: `assumed:${id}`,
  section: assumptions[id].section,
  description: assumptions[id].description,
  needs,
  async *run(target) {
    const [[byDefault]] = assumptions[id].choices;
    yield* checkEach(
      observeAgain === undefined ? [observe] : [observe, observeAgain],
      async function* (lookOnce) {
        const { request, value, actual, expected } = await lookOnce(target);
        if (value !== byDefault) yield differs(id, value, request, actual, expected);
      },
    );
  },
});

/** Fields that an error must have besides its status. */
export type ErrorFields = Readonly<Partial<Record<'param' | 'code', string | null>>>;

/** Chooses the value by the status of the reply. @param values the value for each status */
export const chooseByStatus = async (
  target: CheckTarget,
  call: CheckCall,
  values: Readonly<Record<number, string>>,
  error: ErrorFields = {},
): Promise<Choice> => {
  const reply = await ask(target, call);
  const differing = reply.status < 400 ? [] : findDiffering(reply, error);
  const value = differing.length === 0 ? values[reply.status] : undefined;
  return { request: describeCall(call), value, actual: [`status ${reply.status}`, ...differing].join(', ') };
};

const findDiffering = (reply: CheckReply, error: ErrorFields): string[] => {
  const found = fieldOf(parseReply(reply), 'error');
  return Object.entries(error).flatMap(([name, value]) =>
    fieldOf(found, name) === value ? [] : [`error.${name} ${formatValue(fieldOf(found, name))}`],
  );
};

/** A check for an assumption whose only value is a status, such as '404'. */
export const refusedBy = (
  status: number,
  needs: readonly CheckNeed[],
  toCall: (target: CheckTarget) => CheckCall,
  error?: ErrorFields,
): AssumptionCheck => ({
  needs,
  observe: (target) => chooseByStatus(target, toCall(target), { [status]: String(status) }, error),
});
