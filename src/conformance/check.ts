import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';

/** The headers by which a call is let in. The target adds their values: no law ever sees a key. */
export type KeyHeader = 'x-gateway-api-key' | 'x-gateway-virtual-key';

/** One call of a law. */
export interface LawCall {
  /** Nothing else: a law only reads, and a rendering changes nothing. */
  readonly method: 'GET' | 'POST';
  /** Below the base URL, percent-encoded. */
  readonly path: string;
  /** Percent-encoded, without its question mark. */
  readonly query?: string | undefined;
  /** In lower case; they win over those that the target adds. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** The headers that the target is to leave out of this call. */
  readonly without?: readonly (KeyHeader | 'vendor-beta')[] | undefined;
  /** Asks anew though the same call was answered before: a run keeps the replies. */
  readonly fresh?: true | undefined;
}

/** What came back. */
export interface LawReply {
  readonly status: number;
  /** The value of one header by its lower-case name. */
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** The records of the target that laws may look at. A law that needs one that is not given is left unchecked. */
export interface Samples {
  /** The id of a thread, best with more than 20 runs. */
  readonly thread?: string | undefined;
  /** The id of a fine-tuning job, best with more than 10 checkpoints. */
  readonly job?: string | undefined;
  /** The id of an active rate-limits policy. */
  readonly policy?: string | undefined;
  /** The id of an archived one. */
  readonly archivedPolicy?: string | undefined;
  /** The id of a stored prompt. */
  readonly prompt?: string | undefined;
  /** Values for its variables. Each text among them is to appear in the messages as it is. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** A gateway that is held to the laws, whatever the transport. */
export interface Target {
  /** Answers a call that carries both keys and the beta header, unless the call says otherwise. @throws where no reply comes */
  readonly call: (call: LawCall) => Promise<LawReply>;
  readonly samples: Samples;
  /** Whether its calls carry a virtual key. Default: true. */
  readonly hasVirtualKey?: boolean | undefined;
  /** Takes the keys out of a text that is to be shown: the target may repeat them, even in the ids that it is asked for. */
  readonly hide?: ((text: string) => string) | undefined;
}

/** What a law cannot do without. */
export type Need = keyof Samples | 'virtualKey';

/** What was found against a law, or why nothing could be. */
export type Finding =
  | (Observation & { readonly kind: 'broken' })
  | (Observation & {
      readonly kind: 'differs';
      readonly assumption: AssumptionId;
      /** The choice of the assumption that fits the target; undefined where none does. */
      readonly value: string | undefined;
    })
  | {
      readonly kind: 'unchecked';
      readonly why: string;
      /** Whether a call that should succeed was refused, or got no reply, or the calls or the time were used up; undefined for other reasons. */
      readonly cause?: UncheckedCause | undefined;
    }
  | {
      /** Something to know about the run, such as how far a list was read. It speaks neither for the target nor against it. */
      readonly kind: 'note';
      readonly says: string;
    };

/** Why a law could not be checked, where it is more than a lack of something to look at. */
export type UncheckedCause = 'refused' | 'unanswered' | 'cut short';

/** What was asked (keys never), what should have come, and what did. */
export interface Observation {
  readonly asked: string;
  readonly expected: string;
  readonly came: string;
  /** Which of the things that a check looks at, if there are several: a field, an order, a parameter. The same in every run. */
  readonly about?: string | undefined;
  /** Whether a baseline has it. */
  readonly isKnown?: true | undefined;
}

/**
 * One promise, as a check that anyone can run.
 *
 * - `section`: where the contract makes it; for an assumption, where the contract is silent.
 * - `says`: the promise in a sentence.
 * - `needs`: what there must be to look at.
 * - `inspect`: what is wrong with one reply, whichever check asked for it. A run shows it every reply of status 200, and
 *   what it finds once counts.
 * - `watch`: the same with a memory: made anew for each run.
 */
export interface Law {
  readonly id: string;
  readonly section: string;
  readonly says: string;
  readonly needs: readonly Need[];
  readonly check: (target: Target) => AsyncIterable<Finding>;
  readonly inspect?: Inspect | undefined;
  readonly watch?: (() => Inspect) | undefined;
}

/** What is wrong with a reply. */
export type Inspect = (call: LawCall, reply: LawReply, samples: Samples) => Iterable<Finding>;

/** Thrown by a law that finds nothing that it could hold the target to. */
export class NotCheckable extends Error {
  override readonly name: string = 'NotCheckable';
}

/** Thrown by a law where a call that should succeed is refused: see `refused`. */
export class Refused extends NotCheckable {
  override readonly name = 'Refused';
}

export const broken = (asked: string, expected: string, came: string, about?: string): Finding => ({
  kind: 'broken',
  asked,
  expected,
  came,
  ...(about !== undefined && { about }),
});

export const differs = (
  assumption: AssumptionId,
  value: string | undefined,
  asked: string,
  came: string,
  expected = defaultMeaning(assumption),
): Finding => ({ kind: 'differs', assumption, value, asked, expected, came });

/** What the mock does unless it is told otherwise. */
const defaultMeaning = (id: AssumptionId): string => {
  const [[, meaning]] = assumptions[id].choices;
  return meaning;
};

export const unchecked = (why: string, cause?: UncheckedCause): Finding => ({
  kind: 'unchecked',
  why,
  ...(cause !== undefined && { cause }),
});

/** Why a check, or a part of it, could not be done. Anything but a {@link NotCheckable} is thrown on. */
const toUnchecked = (error: unknown): Finding => {
  if (!(error instanceof NotCheckable)) throw error;
  return unchecked(error.message, error instanceof Refused ? 'refused' : undefined);
};

/** Runs a check for each of several things: one that cannot be checked stops no other. */
export async function* checkEach<Thing>(
  things: Iterable<Thing>,
  check: (thing: Thing) => AsyncIterable<Finding>,
): AsyncGenerator<Finding> {
  for (const thing of things)
    try {
      yield* check(thing);
    } catch (error) {
      yield toUnchecked(error);
    }
}

/** A call as reports show it. */
export const describeCall = ({ method, path, query, without = [] }: LawCall): string =>
  `${method} ${path}${query ? `?${query}` : ''}${without.map((header) => ` without ${header}`).join('')}`;

/** A value of the target as reports show it; it is shortened when all keys are out of it. */
export const show = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  try {
    return JSON.stringify(value);
  } catch {
    return 'a value that nests too deep to show'; // the stack is used up
  }
};
