import type { Faker } from '@faker-js/faker';
import { lastTimestamp } from './clock-limits.ts';
import { choicesOf } from './distribution.ts';
import { type Lifecycle, lifespanOf } from './lifecycle.ts';
import type { Timeline, Transition } from './timeline.ts';

/** The states that a record enters after its first one: those before a given time, and those after it. */
export interface StatePath<State extends string> {
  readonly behind: readonly State[];
  readonly ahead: readonly State[];
}

type Graph<State extends string> = Pick<Lifecycle<State, never, never>, 'initial' | 'transitions'>;

/** Chooses states that lead to `state`, and from there to a final state. */
export const chooseStates = <State extends string>(
  { initial, transitions }: Graph<State>,
  state: State,
  faker: Faker,
): StatePath<State> => {
  const behind: State[] = [];
  const ahead: State[] = [];
  for (let at = initial; at !== state; behind.push(at))
    at = chooseNext(transitions, at, faker, (next) => leadsTo(transitions, next, state));
  for (let at = state; Object.keys(transitions[at]).length > 0; ahead.push(at))
    at = chooseNext(transitions, at, faker, () => true);
  return { behind, ahead };
};

type Transitions<State extends string> = Graph<State>['transitions'];

const chooseNext = <State extends string>(
  transitions: Transitions<State>,
  from: State,
  faker: Faker,
  isPossible: (next: State) => boolean,
): State => {
  const choices = choicesOf<State>(transitions[from]);
  return faker.helpers.weightedArrayElement(choices.filter(({ value }) => isPossible(value)));
};

const leadsTo = <State extends string>(transitions: Transitions<State>, from: State, to: State): boolean => {
  const reached = new Set<string>([from]);
  for (const state of reached) for (const next of Object.keys(transitions[state as State])) reached.add(next);
  return reached.has(to);
};

/** When a record was created, and the time between the states behind and those ahead, in seconds since 1970. */
export interface Span {
  readonly created: number;
  readonly now: number;
}

/** A record and its transitions along a path: those behind before now, those ahead after it. */
export const schedule = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
  record: Value,
  path: StatePath<State>,
  span: Span,
  faker: Faker,
  events: Events,
): Timeline<Value> => {
  const entered = [
    { state: lifecycle.initial, at: span.created },
    ...chooseTimes(lifecycle, path, span, faker),
  ];
  return { record, transitions: toTransitions(lifecycle, record, entered, events) };
};

/** A state, and when a record enters it. */
interface Entered<State> {
  readonly state: State;
  readonly at: number;
}

const chooseTimes = <State extends string>(
  { lifetime, times }: Pick<Lifecycle<State, never, never>, 'lifetime' | 'times'>,
  { behind, ahead }: StatePath<State>,
  { created, now }: Span,
  faker: Faker,
): Entered<State>[] => {
  const age = now - created;
  const end = ahead.length > 0 ? age : Math.max(0, Math.min(age, lifetime - 1, draw(faker, times.end)));
  const latest = age + 1 < lifetime ? lifetime - 1 : age + times.end[1];
  const ages = [
    ...rising(faker, behind.length, Math.min(times.start[0], end), end),
    ...rising(faker, ahead.length, age + 1, latest),
  ];
  const ageAt = (index: number): number => ages[index] ?? 0;
  const states = [...behind, ...ahead];
  const start = draw(faker, times.start);
  if (behind.length > 0) ages[0] = Math.min(ageAt(0), start);

  const expired = states.indexOf('expired' as State);
  const expiry = lifetime + draw(faker, times.expiry);
  if (expired !== -1)
    ages[expired] =
      expired < behind.length
        ? Math.min(expiry, Math.max(age, lifetime))
        : Math.max(expiry, age + 1, ageAt(expired - 1));

  const cancelled = states.indexOf('cancelled' as State);
  if (cancelled !== -1 && times.cancelling !== undefined) {
    const [shortest] = times.cancelling;
    const takes = draw(faker, times.cancelling);
    const earliest = ageAt(cancelled - 2);
    if (cancelled < behind.length) {
      ages[cancelled - 1] = Math.max(earliest, ageAt(cancelled) - takes);
      ages[cancelled] = Math.min(age, ageAt(cancelled - 1) + takes);
    } else {
      // If it is cancelling now, it has not been for as long as that takes.
      if (cancelled === behind.length && cancelled > 0)
        ages[cancelled - 1] = Math.max(earliest, age - draw(faker, [0, shortest - 1]));
      ages[cancelled] = (ages[cancelled - 1] ?? age) + takes;
    }
  }
  return states.map((state, index) => ({ state, at: Math.min(lastTimestamp, created + ageAt(index)) }));
};

/** @param entered the states in order; the record is in the first one already */
const toTransitions = <State extends string, Value, Events>(
  { onEnter, during }: Lifecycle<State, Value, Events>,
  record: Value,
  entered: readonly Entered<State>[],
  events: Events,
): Transition<Value>[] => {
  let before = record;
  return entered.flatMap(({ state, at }, index) => {
    const transitions = [
      ...(index === 0 ? [] : [{ at, set: onEnter(state, at, events, before) }]),
      ...(during?.(state, at, entered[index + 1]?.at ?? at, events) ?? []),
    ];
    before = Object.assign({}, before, ...transitions.map(({ set }) => set));
    return transitions;
  });
};

const draw = (faker: Faker, [min, max]: readonly [number, number]): number => faker.number.int({ min, max });

/** Draws numbers in rising order, each greater than the one before if there is room for that. */
const rising = (faker: Faker, count: number, from: number, to: number): number[] => {
  const min = Math.min(from, to);
  return Array.from({ length: count }, () => faker.number.int({ min, max: Math.max(min, to - count + 1) }))
    .sort((a, b) => a - b)
    .map((value, index) => Math.min(value + index, to));
};

/** The fields of a written record that decide on its path. */
interface Given {
  readonly status?: string;
  readonly created_at?: number;
}

/** The path and the span of a written record: with a status, it has come to it by now; without one, it has just been created. */
export const planWritten = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
  { status, created_at }: Given,
  now: number,
  faker: Faker,
): { readonly path: StatePath<State>; readonly span: Span } => {
  const state = lifecycle.states.find((one) => one === status) ?? lifecycle.initial;
  const { behind, ahead } = chooseStates(lifecycle, state, faker);
  // An expired record needs its lifetime; all others are the newest of their list.
  const created = created_at ?? (status === 'expired' ? Math.max(0, now - lifespanOf(lifecycle)) : now);
  return status === undefined
    ? { path: { behind, ahead }, span: { created, now: created } }
    : { path: { behind, ahead: [] }, span: { created, now } };
};

/**
 * A record that enters a state now, and lives on from there. If its present state leads to the new one it keeps what it has
 * reached; otherwise, or if the clock is behind that, its lifecycle begins again. Nothing happens before it was created.
 *
 * @param created the same record as it was created
 */
export const enterState = <
  State extends string,
  Value extends { readonly status: string; readonly created_at: number },
  Events,
>(
  lifecycle: Lifecycle<State, Value, Events>,
  record: Value,
  created: Value,
  state: State,
  time: number,
  faker: Faker,
  chooseEvents: (record: Value, states: readonly State[], faker: Faker) => Events,
): Timeline<Value> => {
  const { states, initial, transitions, timestamps, onEnter } = lifecycle;
  const now = Math.max(time, record.created_at);
  const present = states.find((one) => one === record.status);
  const isAhead =
    present !== undefined &&
    leadsTo(transitions, present, state) &&
    timestamps.every((field) => Number(record[field] ?? now) <= now);
  const { behind, ahead } = chooseStates({ initial: isAhead ? present : initial, transitions }, state, faker);
  const events = chooseEvents(record, [...behind, ...ahead], faker);
  let entered = record;
  if (!isAhead) {
    const fields = states.flatMap((one) => Object.keys(onEnter(one, now, events, record)));
    const reset = Object.entries(created).filter(([field]) => fields.includes(field));
    entered = Object.assign({}, record, Object.fromEntries(reset));
  }
  for (const one of behind) entered = { ...entered, ...onEnter(one, now, events, entered) };
  const later = chooseTimes(lifecycle, { behind: [], ahead }, { created: record.created_at, now }, faker);
  return {
    record: entered,
    transitions: toTransitions(lifecycle, entered, [{ state, at: now }, ...later], events),
  };
};
