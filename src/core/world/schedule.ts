import type { Faker } from '@faker-js/faker';
import type { Range } from './amount.ts';
import { lastTimestamp } from './clock-limits.ts';
import { draw, drawState } from './distribution.ts';
import { type Lifecycle, lifespanOf } from './lifecycle.ts';
import type { Timeline, Transition } from './timeline.ts';

/** The states that a record enters after its first one: those before a given time, and those after it. */
interface Path<State extends string> {
  readonly behind: readonly State[];
  readonly ahead: readonly State[];
}

/** A path, with the time at which the record was created and the time between the states behind and ahead, in seconds since 1970. */
export interface Plan<State extends string> extends Path<State> {
  readonly created: number;
  readonly now: number;
}

type Graph<State extends string> = Pick<Lifecycle<State, never, never>, 'initial' | 'next'>;

/** Chooses states that lead to `wanted`, and from there to a final state. */
export const chooseStates = <State extends string>(
  { initial, next }: Graph<State>,
  wanted: State,
  faker: Faker,
): Path<State> => {
  const behind: State[] = [];
  const ahead: State[] = [];
  let state = initial;
  while (state !== wanted) {
    state = drawState(faker, next[state], (one) => leadsTo(next, one, wanted));
    behind.push(state);
  }
  while (Object.keys(next[state]).length > 0) {
    state = drawState<State>(faker, next[state]);
    ahead.push(state);
  }
  return { behind, ahead };
};

const leadsTo = <State extends string>(next: Graph<State>['next'], from: State, to: State): boolean => {
  const reached = new Set<string>([from]);
  for (const state of reached) for (const one of Object.keys(next[state as State])) reached.add(one);
  return reached.has(to);
};

/** Draws the values that a record gets in its states, for all possible states. */
type ChooseEvents<State, Value, Events> = (record: Value, states: readonly State[], faker: Faker) => Events;

/** A record and its transitions along a path: those behind before now, those ahead after it. */
export const schedule = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
  record: Value,
  plan: Plan<State>,
  faker: Faker,
  chooseEvents: ChooseEvents<State, Value, Events>,
): Timeline<Value> => {
  const events = chooseEvents(record, [...plan.behind, ...plan.ahead], faker);
  const entered = [{ state: lifecycle.initial, at: plan.created }, ...chooseTimes(lifecycle, plan, faker)];
  return { record, transitions: toTransitions(lifecycle, record, entered, events) };
};

/** A state, and when a record enters it. */
interface Entered<State> {
  readonly state: State;
  readonly at: number;
}

const chooseTimes = <State extends string>(
  { lifetime, times }: Pick<Lifecycle<State, never, never>, 'lifetime' | 'times'>,
  { behind, ahead, created, now }: Plan<State>,
  faker: Faker,
): Entered<State>[] => {
  const age = now - created;
  // A record that has ended did so within its lifetime, not just now.
  const end = ahead.length > 0 ? age : Math.max(0, Math.min(age, lifetime - 1, draw(faker, times.end)));
  // The status of an older record was set by a user: it ends some time after that.
  const latest = age + 1 < lifetime ? lifetime - 1 : age + times.end[1];
  /** The age of the record when it enters each state. */
  const ages = [
    ...rising(faker, behind.length, Math.min(times.start[0], end), end),
    ...rising(faker, ahead.length, age + 1, latest),
  ];
  const start = draw(faker, times.start);
  if (behind.length > 0) ages[0] = Math.min(ages[0] ?? 0, start);

  const states = [...behind, ...ahead];
  const expired = states.indexOf('expired' as State);
  const expiry = lifetime + draw(faker, times.expiry);
  if (expired !== -1 && expired < behind.length) ages[expired] = Math.min(expiry, Math.max(age, lifetime));
  else if (expired !== -1) ages[expired] = Math.max(expiry, age + 1, (ages[expired - 1] ?? 0) + 1);

  const cancelled = states.indexOf('cancelled' as State);
  if (cancelled !== -1 && times.cancelling !== undefined)
    placeCancelling(ages, cancelled, behind.length, age, times.cancelling, faker);
  return states.map((state, index) => ({ state, at: Math.min(lastTimestamp, created + (ages[index] ?? 0)) }));
};

/**
 * Moves the ages at which a batch is cancelling and cancelled: that takes ten minutes. Runs may take any time.
 *
 * @param cancelled the index of the state in `ages`; the state before it is cancelling
 * @param passed how many of the states are behind `age`
 */
const placeCancelling = (
  ages: number[],
  cancelled: number,
  passed: number,
  age: number,
  duration: Range,
  faker: Faker,
): void => {
  const takes = draw(faker, duration);
  const earliest = ages[cancelled - 2] ?? 0;
  if (cancelled < passed) {
    ages[cancelled - 1] = Math.max(earliest, (ages[cancelled] ?? 0) - takes);
    ages[cancelled] = Math.min(age, (ages[cancelled - 1] ?? 0) + takes);
    return;
  }
  // A batch that is cancelling now has been for less time than that takes.
  if (cancelled === passed && cancelled > 0)
    ages[cancelled - 1] = Math.max(earliest, age - draw(faker, [0, duration[0] - 1]));
  ages[cancelled] = (ages[cancelled - 1] ?? age) + takes;
};

/** @param entered the states in order; the record is in the first one already */
const toTransitions = <State extends string, Value, Events>(
  { onEnter, during }: Lifecycle<State, Value, Events>,
  record: Value,
  entered: readonly Entered<State>[],
  events: Events,
): Transition<Value>[] => {
  const before = Object.assign({}, record);
  return entered.flatMap(({ state, at }, index) => {
    const transitions = [
      ...(index === 0 ? [] : [{ at, set: onEnter(state, at, events, before) }]),
      ...(during?.(state, at, entered[index + 1]?.at ?? at, events) ?? []),
    ];
    for (const { set } of transitions) Object.assign(before, set);
    return transitions;
  });
};

/** Draws numbers in rising order, each greater than the one before if the range allows it. */
const rising = (faker: Faker, count: number, from: number, to: number): number[] => {
  const min = Math.min(from, to);
  return Array.from({ length: count }, () => faker.number.int({ min, max: Math.max(min, to - count + 1) }))
    .sort((a, b) => a - b)
    .map((value, index) => Math.min(value + index, to));
};

/** The plan of a written record: with a status, it has reached it by now; without one, it has just been created. */
export const planWritten = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
  { status, created_at }: { readonly status?: string; readonly created_at?: number },
  now: number,
  faker: Faker,
): Plan<State> => {
  const state = lifecycle.states.find((one) => one === status) ?? lifecycle.initial;
  const { behind, ahead } = chooseStates(lifecycle, state, faker);
  // An expired record needs its lifetime; all others are the newest of their list.
  const created = created_at ?? (status === 'expired' ? Math.max(0, now - lifespanOf(lifecycle)) : now);
  return status === undefined
    ? { behind, ahead, created, now: created }
    : { behind, ahead: [], created, now };
};

/**
 * A record that enters a state now, and lives on from there. If its present state leads to the new one, it keeps its fields.
 * Otherwise, or if the clock is before one of its timestamps, its lifecycle starts again. Nothing happens before it was created.
 *
 * @param created the record as it was at its creation
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
  chooseEvents: ChooseEvents<State, Value, Events>,
): Timeline<Value> => {
  const { states, initial, next, timestamps, onEnter } = lifecycle;
  const now = Math.max(time, record.created_at);
  const present = states.find((one) => one === record.status);
  const isAhead =
    present !== undefined &&
    leadsTo(next, present, state) &&
    timestamps.every((field) => Number(record[field] ?? now) <= now);
  const { behind, ahead } = chooseStates({ initial: isAhead ? present : initial, next }, state, faker);
  const events = chooseEvents(record, [...behind, ...ahead], faker);
  let entered = record;
  if (!isAhead) {
    const fields = states.flatMap((one) => Object.keys(onEnter(one, now, events, record)));
    const reset = Object.entries(created).filter(([field]) => fields.includes(field));
    entered = Object.assign({}, record, Object.fromEntries(reset));
  }
  for (const one of behind) entered = { ...entered, ...onEnter(one, now, events, entered) };
  const later = chooseTimes(lifecycle, { behind: [], ahead, created: record.created_at, now }, faker);
  const changed = Object.entries(entered).filter(([field, value]) => value !== Reflect.get(record, field));
  const set = Object.fromEntries(changed) as Partial<Value>; // fields of a record
  return {
    record,
    transitions: [
      { at: time, set },
      ...toTransitions(lifecycle, entered, [{ state, at: now }, ...later], events),
    ],
  };
};
