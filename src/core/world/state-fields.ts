// Fields that only some states have. Those that a user writes without a status choose how a record ends, and when.

import { filterValues } from '../util/mapping.ts';
import { layOver, liveOn, replaceValues } from './lay-over.ts';
import type { AnyLifecycle, Ending, StatesOf } from './lifecycle.ts';
import type { Timeline } from './timeline.ts';

/** The written fields that only some states have, each with these states. A field that is null chooses nothing. */
const statesByField = <State extends string>(
  { setIn, allowedBy }: StatesOf<State>,
  fields: object,
): (readonly [field: string, states: readonly State[]])[] =>
  (Object.entries({ ...setIn, ...allowedBy?.(fields) }) as [string, readonly State[]][]).filter(
    ([field]) => (Reflect.get(fields, field) ?? null) !== null,
  );

/**
 * The state in which a record with these fields ends: the usual state if they allow it, otherwise the last state that they allow.
 * Undefined if a new record may have all these fields.
 */
export const chooseEnd = <State extends string>(
  lifecycle: StatesOf<State>,
  fields: object,
  required = statesByField(lifecycle, fields),
): State | undefined => {
  const { states, initial, next, usualEnd } = lifecycle;
  const allowed = states.filter((state) => required.every(([, names]) => names.includes(state)));
  if (allowed.includes(initial)) return undefined;
  if (allowed.includes(usualEnd)) return usualEnd;
  let end = allowed[0];
  for (let state = end; state !== undefined && allowed.includes(state); ) {
    end = state;
    state = (Object.keys(next[state] ?? {}) as State[])[0];
  }
  return end;
};

/** Why a record cannot have these fields together, or end like this with them; undefined if it can. */
export const whyFieldsFail = (
  lifecycle: AnyLifecycle,
  fields: object,
  { ends, after }: Ending,
): string | undefined => {
  const required = statesByField(lifecycle, fields);
  const end = lifecycle.states.find((state) => state === ends);
  // A new record may have the fields of its first state, however it ends.
  const ofEnd = required.filter(([, states]) => end !== undefined && !states.includes(lifecycle.initial));
  const pairs = [
    ...required.flatMap((field, index) => required.slice(index + 1).map((other) => [field, other] as const)),
    ...ofEnd.map((field) => [field, ['ends', end === undefined ? [] : [end]]] as const),
  ];
  for (const [[field, states], [other, others]] of pairs)
    if (!states.some((state) => others.includes(state)))
      return `${field} and ${other} exclude each other: ${field} is for ${states.join(', ')}; ${other} for ${others.join(', ')}. Leave one out, or write a status alone: then the record stays as it is written`;
  if (after === undefined) return undefined;
  const last = end ?? chooseEnd(lifecycle, fields, required);
  const endTime = Object.entries(lifecycle.timestamps).find(
    ([field, state]) => state === last && typeof Reflect.get(fields, field) === 'number',
  );
  return endTime && `after: leave it out, since ${endTime[0]} says when the record ends`;
};

/** When a record enters states, by the timestamps that a user wrote. */
export const writtenTimes = <State extends string>(
  { timestamps }: StatesOf<State>,
  fields: object,
): Map<State, number> => {
  const times = new Map<State, number>();
  for (const [field, state] of Object.entries(timestamps) as [string, State][]) {
    const at: unknown = Reflect.get(fields, field);
    if (typeof at === 'number') times.set(state, at);
  }
  return times;
};

/** Whether a written record changes with the clock. A record with only a status stays as it is. */
export const livesOn = (fields: { readonly status?: unknown }, ending: Ending | undefined): boolean =>
  fields.status === undefined || ending !== undefined;

/**
 * Lays written fields over a record. If the record changes with the clock, fields that belong to some states appear only in
 * those states; null stays.
 */
export const layWritten = <Value extends { readonly created_at: number }>(
  { timestamps, setIn, allowedBy }: AnyLifecycle,
  timeline: Timeline<Value>,
  fields: Partial<Value> & { readonly status?: unknown },
  ending: Ending | undefined,
): Timeline<Value> => {
  if (!livesOn(fields, ending)) return layOver(timeline, fields);
  const ofStates = { ...timestamps, ...setIn, ...allowedBy?.(fields) };
  const isOfStates = (field: string, value: unknown): boolean =>
    field in ofStates && field !== 'created_at' && value !== null;
  const select = (wanted: boolean): Partial<Value> =>
    filterValues<Partial<Value>>(fields, (value, field) => isOfStates(field, value) === wanted);
  return liveOn(replaceValues(timeline, select(true)), select(false), timeline.record.created_at);
};
