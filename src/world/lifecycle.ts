import type { Weights } from './amount.ts';
import type { Transition } from './timeline.ts';

/** How records of one kind go from state to state. */
export interface Lifecycle<State extends string, Value, Events> {
  readonly states: readonly State[];
  /** The state in which a record is created. */
  readonly initial: State;
  /** How many seconds after its creation a record expires. */
  readonly lifetime: number;
  /** Which states may follow each one, and how often they do: an ended state has none. */
  readonly transitions: { readonly [From in State]: Weights<State> };
  /** Times in seconds: at least, and at the most. */
  readonly times: {
    /** When the first transition comes. */
    readonly start: readonly [number, number];
    /** When a record ends. */
    readonly end: readonly [number, number];
    /** How many seconds after its lifetime a record is seen to be expired. */
    readonly expiry: readonly [number, number];
  };
  /** The timestamps of a record, in the order of its states. */
  readonly timestamps: readonly (keyof Value & string)[];
  /** Those of them that an expired record has from its expiry on. */
  readonly afterExpiry: readonly (keyof Value & string)[];
  /** What a record has from its entry into a state on; `isFirst` where it was never in that state before. */
  readonly onEnter: (state: State, at: number, events: Events, isFirst: boolean) => Partial<Value>;
  /** What changes between two transitions, such as a progress. */
  readonly during?: (state: State, from: number, to: number, events: Events) => Transition<Value>[];
}

export const defineLifecycle = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
): Lifecycle<State, Value, Events> => lifecycle;
