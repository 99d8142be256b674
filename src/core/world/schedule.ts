import type { Faker } from '@faker-js/faker';
import { filterValues } from '../util/mapping.ts';
import { lastTimestamp } from './clock-limits.ts';
import { draw, drawState } from './distribution.ts';
import {
  type AnyLifecycle,
  type Ending,
  isFinal,
  type Lifecycle,
  lifespanOf,
  type StatesOf,
  type Stay,
} from './lifecycle.ts';
import { chooseEnd, livesOn, writtenTimes } from './state-fields.ts';
import type { Timeline, Transition } from './timeline.ts';

/** The states that a record enters after its first state: those before a certain time, and those after it. */
interface Path<State extends string> {
  readonly behind: readonly State[];
  readonly ahead: readonly State[];
}

/** A state, and when a record enters it. */
export interface StateEntry<State> {
  readonly state: State;
  readonly at: number;
}

type Next<State extends string> = StatesOf<State>['next'];

/** Chooses states that lead to `wanted`, and from there to a final state. */
export const chooseStates = <State extends string>(
  { initial, next }: StatesOf<State>,
  wanted: State,
  faker: Faker,
): Path<State> => {
  const behind: State[] = [];
  const ahead: State[] = [];
  let state = initial;
  while (state !== wanted) {
    state = drawState(faker, next[state] ?? {}, (state) => leadsTo(next, state, wanted));
    behind.push(state);
  }
  while (!isFinal({ next }, state)) {
    state = drawState<State>(faker, next[state] ?? {});
    ahead.push(state);
  }
  return { behind, ahead };
};

const leadsTo = <State extends string>(next: Next<State>, from: State, to: State): boolean =>
  findPath(next, from, to) !== undefined;

/** The states after `from` that lead to `to` by the usual way, without a state twice; undefined if none do. */
const findPath = <State extends string>(
  next: Next<State>,
  from: State,
  to: State,
  passed: readonly State[] = [],
): State[] | undefined => {
  if (from === to) return [];
  for (const state of Object.keys(next[from] ?? {}) as State[]) {
    const rest = passed.includes(state) ? undefined : findPath(next, state, to, [...passed, from]);
    if (rest !== undefined) return [state, ...rest];
  }
  return undefined;
};

/** Draws the values that a record gets in its states, for all possible states. */
type ChooseEvents<State, Value, Events> = (record: Value, states: readonly State[], faker: Faker) => Events;

/** A record and its transitions. @param entries its states in order, of which it is in the first already */
export const schedule = <State extends string, Value, Events>(
  lifecycle: Lifecycle<State, Value, Events>,
  record: Value,
  entries: readonly StateEntry<State>[],
  faker: Faker,
  chooseEvents: ChooseEvents<State, Value, Events>,
): Timeline<Value> => {
  const events = chooseEvents(record, statesAfter(entries), faker);
  return { record, transitions: toTransitions(lifecycle, record, entries, events) };
};

/** The states that a record enters after its first state. */
export const statesAfter = <State>(entries: readonly StateEntry<State>[]): State[] =>
  entries.slice(1).map(({ state }) => state);

/** Chooses when a seeded record enters its states. */
export const chooseTimes = <State extends string>(
  { initial, lifetime, stays, end, expiry }: StatesOf<State>,
  { behind, ahead }: Path<State>,
  created: number,
  now: number,
  faker: Faker,
): StateEntry<State>[] => {
  const age = now - created;
  const states = [initial, ...behind, ...ahead];
  const times = states.map((state) => drawStay(stays[state], faker));
  const present = behind.length;
  const rest = times[present];
  // A record that has ended did so within its lifetime, not just now. A record that has not ended has been in its state for
  // less time than the state takes.
  const entry =
    ahead.length === 0
      ? Math.max(0, Math.min(age, lifetime - 1, draw(faker, end)))
      : Math.max(0, age - (rest === undefined ? 0 : draw(faker, [0, Math.max(0, rest - 1)])));
  /** The age of the record when it enters each state. */
  const ages = [0, ...spread(times.slice(0, present), 0, entry, faker).map((left) => Math.min(left, entry))];
  if (ahead.length > 0 && rest !== undefined && present > 0) ages[present] = entry;

  const latest = age + 1 < lifetime ? lifetime - 1 : age + end[1];
  const left = (ages[present] ?? 0) + (rest ?? 0) - age;
  const coming = ahead.map((_, index) =>
    index === 0 ? rest && (left > 0 ? left : rest) : times[present + index],
  );
  ages.push(...spread(coming, age, latest, faker).map((at) => Math.max(at, age + 1)));

  const expired = states.indexOf(expiry.state);
  const expiryAge = lifetime + draw(faker, expiry.after);
  if (expired > present) ages[expired] = Math.max(expiryAge, age + 1, (ages[expired - 1] ?? 0) + 1);
  else if (expired !== -1) ages[expired] = Math.min(expiryAge, Math.max(age, lifetime));
  return states.map((state, index) => ({ state, at: Math.min(lastTimestamp, created + (ages[index] ?? 0)) }));
};

const drawStay = (stay: Stay | undefined, faker: Faker): number | undefined => {
  if (stay?.seeded === undefined) return undefined;
  const ranges = stay.seeded.map(([weight, value]) => ({ weight, value }));
  return draw(faker, faker.helpers.weightedArrayElement(ranges));
};

/** The ages at which a record leaves its states, in order. States without a fixed time share the time that the others leave. */
const spread = (times: readonly (number | undefined)[], from: number, to: number, faker: Faker): number[] => {
  const fixed = times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
  const latest = Math.max(from, to - fixed);
  const cuts = rising(
    faker,
    times.filter((time) => time === undefined).length,
    Math.min(from + 1, latest),
    latest,
  );
  let [age, passed] = [from, 0];
  return times.map((time) => {
    if (time === undefined) age = cuts.shift() ?? age;
    else passed += time;
    return age + passed;
  });
};

/** @param entries the states in order, of which the record is in the first already */
const toTransitions = <State extends string, Value, Events>(
  { onEnter, during }: Lifecycle<State, Value, Events>,
  record: Value,
  entries: readonly StateEntry<State>[],
  events: Events,
): Transition<Value>[] => {
  const before = Object.assign({}, record);
  return entries.flatMap(({ state, at }, index) => {
    const transitions = [
      ...(index === 0 ? [] : [{ at, set: onEnter(state, at, events, before) }]),
      ...(during?.(state, at, entries[index + 1]?.at ?? at, events) ?? []),
    ];
    for (const { set } of transitions) Object.assign(before, set);
    return transitions;
  });
};

/** Draws numbers in rising order, each greater than the previous number if the range allows it. */
const rising = (faker: Faker, count: number, from: number, to: number): number[] => {
  const min = Math.min(from, to);
  return Array.from({ length: count }, () => faker.number.int({ min, max: Math.max(min, to - count + 1) }))
    .sort((a, b) => a - b)
    .map((value, index) => Math.min(value + index, to));
};

/**
 * When a written record enters its states. With a status, it has reached that status by now. Without a status, it starts at its
 * creation and ends as the user says or the fields require: a state whose timestamp is written begins at that time.
 */
export const planWritten = <State extends string>(
  lifecycle: StatesOf<State>,
  fields: {
    readonly status?: string;
    readonly created_at?: number | null;
    readonly expires_at?: number | null;
  },
  now: number,
  ending?: Ending,
): StateEntry<State>[] => {
  const { states, initial, next, lifetime, expiry } = lifecycle;
  const { status, created_at, expires_at } = fields;
  const state = states.find((name) => name === status) ?? initial;
  // An expired record is as old as its lifetime; all others are the newest of their list.
  const created = created_at ?? (state === expiry.state ? Math.max(0, now - lifespanOf(lifecycle)) : now);
  const behind = findPath(next, initial, state) ?? [];
  if (!livesOn(fields, ending))
    return placeStates(lifecycle, { state: initial, at: created }, behind, created).map((entry) => ({
      ...entry,
      at: Math.max(created, Math.min(entry.at, now)),
    }));

  const begun = [initial, ...behind];
  const end = { after: ending?.after, ends: ending?.ends ?? chooseEnd(lifecycle, fields) };
  const times = writtenTimes(lifecycle, fields);
  const later = new Map([...times].filter(([name]) => !begun.includes(name)));
  const place = (at: number, pinned: ReadonlyMap<State, number>): StateEntry<State>[] => [
    ...begun.slice(0, -1).map((name) => ({ state: name, at })),
    ...placeEnding(lifecycle, { state, at }, at, end, pinned),
  ];
  if (typeof created_at === 'number') return place(created_at, later);
  // It was created as long before the written times as usual.
  const usualEntries = place(0, new Map());
  const latest =
    typeof expires_at === 'number'
      ? [expires_at - lifetime]
      : [...times].map(
          ([name, at]) => at - (usualEntries.find((entry) => entry.state === name)?.at ?? lifetime),
        );
  return place(Math.max(0, Math.min(created, ...latest)), later);
};

/** When a record enters the states on the way to its end. @param pinned states that begin at given times */
const placeEnding = <State extends string>(
  lifecycle: StatesOf<State>,
  first: StateEntry<State>,
  created: number,
  { ends, after }: Ending = {},
  pinned: ReadonlyMap<State, number> = new Map(),
): StateEntry<State>[] => {
  const end = endFrom(lifecycle, first.state, ends);
  const path = findPath(lifecycle.next, first.state, end) ?? [];
  if (after === undefined) return placeStates(lifecycle, first, path, created, pinned);
  if (pinned.size > 0)
    return placeStates(lifecycle, first, path, created, new Map([...pinned, [end, first.at + after]]));
  return [
    first,
    ...path.map((state, index) => ({
      state,
      at: first.at + Math.round((after * (index + 1)) / path.length),
    })),
  ];
};

/** The state in which a record ends. Default: the usual state, if the record can still reach it. */
const endFrom = <State extends string>(
  { states, next, usualEnd }: StatesOf<State>,
  from: State,
  ends: string | undefined,
): State => {
  const end = states.find((state) => state === ends) ?? usualEnd;
  if (leadsTo(next, from, end)) return end;
  return states.find((state) => isFinal({ next }, state) && leadsTo(next, from, state)) ?? from;
};

/** When a written record enters states one after another. Unless it is old, it ends before it would expire. */
const placeStates = <State extends string>(
  { lifetime, stays, expiry }: StatesOf<State>,
  first: StateEntry<State>,
  path: readonly State[],
  created: number,
  pinned: ReadonlyMap<State, number> = new Map(),
): StateEntry<State>[] => {
  const expires = created + lifetime + expiry.after[0];
  const latest = first.at < expires ? expires - 1 : Number.POSITIVE_INFINITY;
  const entries = [first];
  for (const [index, state] of path.entries()) {
    const before = entries.at(-1) ?? first;
    const usual = before.at + (stays[before.state]?.written ?? 0);
    const later = path.slice(index + 1).flatMap((name) => pinned.get(name) ?? []);
    const at = state === expiry.state ? expires : Math.min(usual, latest, ...later);
    entries.push({ state, at: Math.max(before.at, pinned.get(state) ?? at) });
  }
  return entries.map(({ state, at }) => ({ state, at: Math.min(lastTimestamp, at) }));
};

/** Why a record cannot end like this; undefined if it can. @param record the fields that the user wrote, or the record as it is now */
export const whyEndingFails = (
  { states, initial, next, lifetime, expiry }: AnyLifecycle,
  record: { readonly status?: unknown; readonly created_at: number; readonly expires_at?: unknown },
  { ends, after }: Ending,
  now: number,
): string | undefined => {
  const from = record.status === undefined ? initial : states.find((state) => state === record.status);
  if (from === undefined) return `ends and after need a known status, not "${String(record.status)}"`;
  const end = states.find((state) => state === ends);
  if (end !== undefined && !leadsTo(next, from, end)) {
    const reachable = states.filter((state) => state !== from && leadsTo(next, from, state));
    return `ends: from ${from} it cannot become ${end}. It can become: ${reachable.join(', ') || 'nothing else'}`;
  }
  if (after === undefined) return undefined;
  if (end === expiry.state) return `after: leave it out, since a record becomes ${end} at its expires_at`;
  if (!Number.isInteger(after) || after < 0)
    return `after: expected a whole number of seconds from 0 on, but found ${after} s`;
  if (end === from || isFinal({ next }, from))
    return `after: leave it out, since the record is ${from} from the start`;
  const { created_at, expires_at } = record;
  const expires = typeof expires_at === 'number' ? expires_at : created_at + lifetime;
  return now + after < expires
    ? undefined
    : `after: ${after} s is too late, since the record expires ${Math.max(0, expires - now)} s from then (expires_at). Use less`;
};

/**
 * A record that enters a state now, and continues its lifecycle from there. If its present state leads to the new state, it keeps its fields.
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
  ending?: Ending,
): Timeline<Value> => {
  const { states, initial, next, timestamps, onEnter } = lifecycle;
  const now = Math.max(time, record.created_at);
  const present = states.find((state) => state === record.status);
  const isAhead =
    present !== undefined &&
    leadsTo(next, present, state) &&
    Object.keys(timestamps).every((field) => Number(Reflect.get(record, field) ?? now) <= now);
  const behind = findPath(next, isAhead ? present : initial, state) ?? [];
  const later = placeEnding(lifecycle, { state, at: now }, record.created_at, ending);
  const events = chooseEvents(record, [...behind, ...statesAfter(later)], faker);
  let current = record;
  if (!isAhead) {
    const fields = states.flatMap((state) => Object.keys(onEnter(state, now, events, record)));
    current = { ...record, ...filterValues(created, (_, field) => fields.includes(field)) };
  }
  for (const state of behind) current = { ...current, ...onEnter(state, now, events, current) };
  const set = filterValues(current, (value, field) => value !== Reflect.get(record, field));
  return {
    record,
    transitions: [{ at: time, set }, ...toTransitions(lifecycle, current, later, events)],
  };
};
