import type { AssumptionId } from '../assumptions/table.ts';
import type { Range, Weights } from './amount.ts';
import { parseDuration } from './clock.ts';
import type { Transition } from './timeline.ts';

/** How many seconds a record stays in a state. */
export interface Stay {
  /** How long every written record stays. */
  readonly written: number;
  /** Ranges for seeded records, each with its weight. Without them, a seeded record may stay any time before it ends. */
  readonly seeded?: readonly (readonly [weight: number, range: Range])[];
}

/** How a written record ends: in which state, and how many seconds after its creation (or after its status was set). */
export interface Ending {
  readonly ends?: string | undefined;
  readonly after?: number | undefined;
}

/** An ending as a user writes it: the time as a duration. */
export interface WrittenEnding {
  readonly ends?: string | undefined;
  readonly after?: number | string | undefined;
}

/** Reads an ending; undefined if the user wrote none. @throws Error if `after` is not a duration */
export const toEnding = ({ ends, after }: WrittenEnding): Ending | undefined =>
  ends === undefined && after === undefined
    ? undefined
    : { ends, after: after === undefined ? undefined : parseDuration(after) };

/** The states of one kind of record, which state may follow which, and when. */
export interface Lifecycle<State extends string, Value, Events> {
  readonly states: readonly State[];
  /** The assumption under which a written record may have any other state. */
  readonly assumption: AssumptionId;
  /** The state in which a record is created. */
  readonly initial: State;
  /** The number of seconds after which a record expires. */
  readonly lifetime: number;
  /** The possible next states of each state, with weights; the usual way comes first. A state without any is final. */
  readonly next: { readonly [From in State]?: Weights<State> };
  /** How a written record ends unless the user says otherwise. */
  readonly usualEnd: State;
  /** How long a record stays in a state that is not final. */
  readonly stays: { readonly [Name in State]?: Stay };
  /** How many seconds after its creation a seeded record ends. */
  readonly end: Range;
  /** The state that ends its lifetime, and how many seconds after that it is entered. */
  readonly expiry: { readonly state: State; readonly after: Range };
  /** The timestamp fields of a record, in the order in which they are set, each with the state that sets it. */
  readonly timestamps: { readonly [Field in keyof Value]?: State };
  /** Fields that are set in some states only. In all others they are null. */
  readonly setIn: { readonly [Field in keyof Value]?: readonly State[] };
  /** The states that allow the values of further fields. */
  readonly allowedBy?: (fields: Partial<Value>) => { readonly [Field in keyof Value]?: readonly State[] };
  /** The fields that change when a record enters a state. */
  readonly onEnter: (state: State, at: number, events: Events, before: Value) => Partial<Value>;
  /** Changes while a record stays in a state, such as its progress. */
  readonly during?: (state: State, from: number, to: number, events: Events) => Transition<Value>[];
}

/** A lifecycle without what it does to the fields of its records. */
export type StatesOf<State extends string> = Omit<Lifecycle<State, object, never>, 'onEnter' | 'during'>;

/** A lifecycle of any kind. */
export type AnyLifecycle = StatesOf<string>;

/** Whether no state follows, so that records stay in this one. */
export const isFinal = <State extends string>(
  { next }: Pick<StatesOf<State>, 'next'>,
  state: State,
): boolean => Object.keys(next[state] ?? {}).length === 0;

export const finalStates = (lifecycle: AnyLifecycle): readonly string[] =>
  lifecycle.states.filter((state) => isFinal(lifecycle, state));

/** For how many seconds after its creation a seeded record may change. A kind without a lifecycle never changes. */
export const lifespanOf = (lifecycle: AnyLifecycle | undefined): number =>
  lifecycle === undefined ? 0 : lifecycle.lifetime + lifecycle.expiry.after[1];
