import type { Range, Weights } from './amount.ts';
import type { Transition } from './timeline.ts';

/** The states of one kind of record, which state may follow which, and when. */
export interface Lifecycle<State extends string, Value, Events> {
  readonly states: readonly State[];
  /** The state in which a record is created. */
  readonly initial: State;
  /** The number of seconds after which a record expires. */
  readonly lifetime: number;
  /** The possible next states of each state, with weights; a final state has none. */
  readonly next: { readonly [From in State]: Weights<State> };
  /** Ranges in seconds. */
  readonly times: {
    /** How long after its creation a record enters the next state. */
    readonly start: Range;
    /** How long after its creation it ends. */
    readonly end: Range;
    /** How long after the end of its lifetime it turns to expired. */
    readonly expiry: Range;
    /** How long cancelling takes. Undefined if that may be any time within its lifetime. */
    readonly cancelling?: Range;
  };
  /** The timestamp fields of a record, in the order in which they are set. */
  readonly timestamps: readonly (keyof Value & string)[];
  /** The fields that change when a record enters a state. */
  readonly onEnter: (state: State, at: number, events: Events, before: Value) => Partial<Value>;
  /** Changes while a record stays in a state, such as its progress. */
  readonly during?: (state: State, from: number, to: number, events: Events) => Transition<Value>[];
}

export const defineLifecycle = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
): Lifecycle<State, Value, Events> => lifecycle;

/** The state itself if records stay in it, otherwise undefined. */
export const finalState = <State extends string, Value, Events>(
  { next }: Lifecycle<State, Value, Events>,
  state: State,
): State | undefined => (Object.keys(next[state]).length === 0 ? state : undefined);

/** The states that records stay in. */
export const finalStates = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
): readonly string[] => lifecycle.states.filter((state) => finalState(lifecycle, state) !== undefined);

/** For how many seconds after its creation a seeded record may change. */
export const lifespanOf = <State extends string, Value, Events>({
  lifetime,
  times,
}: Lifecycle<State, Value, Events>): number => lifetime + times.expiry[1];
