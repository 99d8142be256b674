// How a law of an assumption looks for the choice that a target follows.
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { ask, fieldOf, parseReply } from './calls.ts';
import {
  checkEach,
  describeCall,
  differs,
  type Law,
  type LawCall,
  type LawReply,
  type Need,
  show,
  type Target,
} from './check.ts';

/** What a target did where the contract is silent. */
export interface Choice {
  readonly asked: string;
  /** The value of the assumption that fits; undefined where none does. */
  readonly value: string | undefined;
  /** What came, in words. */
  readonly came: string;
  /** What the mock has there, in words. Default: what its choice means. */
  readonly expected?: string | undefined;
}

/** How to find out, read-only, which choice a target follows. */
export interface AssumptionCheck {
  readonly needs: readonly Need[];
  /** @throws NotCheckable where nothing can be told */
  readonly look: (target: Target) => Promise<Choice>;
  /** The same at another side of the assumption, where it has two. */
  readonly lookAgain?: (target: Target) => Promise<Choice>;
}

/** A law that compares the target with the default of an assumption. It never breaks: the contract is silent there. */
export const toLaw = (id: AssumptionId, { needs, look, lookAgain }: AssumptionCheck): Law => ({
  id: `assumed:${id}`,
  section: assumptions[id].section,
  says: assumptions[id].description,
  needs,
  async *check(target) {
    const [[byDefault]] = assumptions[id].choices;
    yield* checkEach(lookAgain === undefined ? [look] : [look, lookAgain], async function* (lookOnce) {
      const { asked, value, came, expected } = await lookOnce(target);
      if (value !== byDefault) yield differs(id, value, asked, came, expected);
    });
  },
});

/** What an error must say besides its status. */
type ErrorFields = Readonly<Partial<Record<'param' | 'code', string | null>>>;

/** The choice among answers told by their status: by number, the value that each stands for. */
export const chooseByStatus = async (
  target: Target,
  call: LawCall,
  values: Readonly<Record<number, string>>,
  error: ErrorFields = {},
): Promise<Choice> => {
  const reply = await ask(target, call);
  const differing = reply.status < 400 ? [] : findDiffering(reply, error);
  const value = differing.length === 0 ? values[reply.status] : undefined;
  return { asked: describeCall(call), value, came: [`status ${reply.status}`, ...differing].join(', ') };
};

const findDiffering = (reply: LawReply, error: ErrorFields): string[] => {
  const found = fieldOf(parseReply(reply), 'error');
  return Object.entries(error).flatMap(([name, value]) =>
    fieldOf(found, name) === value ? [] : [`error.${name} ${show(fieldOf(found, name))}`],
  );
};

/** A check for what is refused by one status: the only choice there is, named by its number. */
export const refusedBy = (
  status: number,
  needs: readonly Need[],
  toCall: (target: Target) => LawCall,
  error?: ErrorFields,
): AssumptionCheck => ({
  needs,
  look: (target) => chooseByStatus(target, toCall(target), { [status]: String(status) }, error),
});
