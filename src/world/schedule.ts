import type { Faker } from '@faker-js/faker';
import { lastTimestamp } from './clock-limits.ts';
import { choicesOf } from './distribution.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Transition } from './timeline.ts';

/** The states that a record goes through after the initial one: those before a given time, and those after it. */
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
  isMeant: (next: State) => boolean,
): State => {
  const choices = choicesOf<State>(transitions[from]);
  return faker.helpers.weightedArrayElement(choices.filter(({ value }) => isMeant(value)));
};

const leadsTo = <State extends string>(transitions: Transitions<State>, from: State, to: State): boolean => {
  const reached = new Set<string>([from]);
  for (const state of reached) for (const next of Object.keys(transitions[state as State])) reached.add(next);
  return reached.has(to);
};

/** When a record was created and expires, and the time that parts what lies behind from what lies ahead, in seconds since 1970. */
export interface Span {
  readonly created: number;
  readonly lifetime: number;
  readonly now: number;
}

/** The transitions of a record along a path: those behind before now, those ahead after it, and expiry at the end of its lifetime. */
export const schedule = <State extends string, Value, Events>(
  { initial, times, onEnter, during }: Lifecycle<State, Value, Events>,
  { behind, ahead }: StatePath<State>,
  { created, lifetime, now }: Span,
  faker: Faker,
  events: Events,
): Transition<Value>[] => {
  const age = now - created;
  const end = ahead.length > 0 ? age : Math.max(0, Math.min(age, lifetime - 1, draw(faker, times.end)));
  const start = draw(faker, times.start);
  const expiry = lifetime + draw(faker, times.expiry);
  const expired = behind.includes('expired' as State) ? Math.min(expiry, Math.max(age, lifetime)) : expiry;
  const offsets = [
    ...rising(faker, behind.length, Math.min(times.start[0], end), end),
    ...rising(faker, ahead.length, age + 1, lifetime - 1),
  ];
  const entered = [...behind, ...ahead].map((state, index) => {
    const offset = offsets[index] ?? 0;
    const isStart = index === 0 && behind.length > 0;
    const after = state === 'expired' ? expired : isStart ? Math.min(offset, start) : offset;
    return { state, at: created + after };
  });
  const spans = [{ state: initial, at: created }, ...entered];
  return spans.flatMap(({ state, at }, index) => [
    ...(index === 0
      ? []
      : [{ at, set: onEnter(state, at, events, spans.findIndex((one) => one.state === state) === index) }]),
    ...(during?.(state, at, spans[index + 1]?.at ?? at, events) ?? []),
  ]);
};

const draw = (faker: Faker, [min, max]: readonly [number, number]): number => faker.number.int({ min, max });

/** Draws numbers in rising order, each greater than the one before if there is room for that. */
const rising = (faker: Faker, count: number, from: number, to: number): number[] => {
  const min = Math.min(from, to);
  return Array.from({ length: count }, () => faker.number.int({ min, max: Math.max(min, to - count + 1) }))
    .sort((a, b) => a - b)
    .map((value, index) => Math.min(value + index, to));
};

/** The fields that are given of a written record. */
type Given<Value> = Partial<Value> & {
  readonly status?: string;
  readonly created_at?: unknown;
  readonly expires_at?: unknown;
};

/**
 * The state and the span of a written record. Its state is the given one, by default the initial one. It is created now,
 * unless the given timestamps or the state require an earlier time.
 */
export const spanOf = <State extends string, Value, Events>(
  { states, initial, lifetime: usual, timestamps, afterExpiry, times }: Lifecycle<State, Value, Events>,
  given: Given<Value>,
  now: number,
  faker: Faker,
): Span & { readonly state: State } => {
  const state = states.find((one) => one === given.status) ?? initial;
  const known = timestamps.flatMap((field) => timeOf(given[field]));
  // An expired record expired by now, and before the timestamps that are set on expiry.
  const ends = state === 'expired' ? [now, ...afterExpiry.flatMap((field) => timeOf(given[field]))] : [];
  const [expiry] = timeOf(given.expires_at);

  const usualAge = state === initial ? 0 : draw(faker, [times.start[1], times.end[1]]);
  const earliest = Math.min(
    ...(known.length === 0 ? [now - usualAge] : known.map((at) => at - 1)),
    ...ends.map((end) => end - usual),
  );
  const latest = state === 'expired' ? earliest : Math.max(...known) - usual; // it ends within its lifetime
  const chosen =
    expiry === undefined ? Math.max(earliest, Math.min(latest, now)) : Math.min(now, expiry - usual);
  const created = timeOf(given.created_at)[0] ?? Math.max(0, chosen);

  const longest =
    expiry === undefined ? Math.min(usual, ...ends.map((end) => end - created)) : expiry - created;
  return { state, created, lifetime: Math.max(0, Math.min(longest, lastTimestamp - created)), now };
};

/** Moves each timestamp of a completed record between the given timestamps before and after it. */
export const fitTimestamps = <State extends string, Value, Events>(
  { timestamps }: Lifecycle<State, Value, Events>,
  whole: Value,
  given: Given<Value>,
): Partial<Value> =>
  Object.fromEntries(
    timestamps.flatMap((field, index) =>
      timeOf(whole[field]).map((at) => {
        const before = timestamps.slice(0, index + 1).flatMap((one) => timeOf(given[one]));
        const behind = timestamps.slice(index).flatMap((one) => timeOf(given[one]));
        return [field, Math.min(Math.max(at, ...before), ...behind)] as const;
      }),
    ),
  ) as Partial<Value>; // the keys are fields of Value

const timeOf = (value: unknown): number[] => (typeof value === 'number' ? [value] : []);
