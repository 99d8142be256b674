// Written fields over a record and its transitions.
import { filterValues } from '../util/mapping.ts';
import { afterTransitions, countPassed, recordAt, type Timeline } from './timeline.ts';

/**
 * Lays written fields over a record. With a status, the record stays as it is at a time; without a status, its transitions continue.
 *
 * @param now in seconds since 1970. Default: after all of its transitions
 */
export const layOver = <Value extends object>(
  timeline: Timeline<Value>,
  fields: Partial<Value> & { readonly status?: unknown },
  now = Number.POSITIVE_INFINITY,
): Timeline<Value> =>
  fields.status === undefined
    ? liveOn(timeline, fields)
    : { record: { ...recordAt(timeline, now), ...fields }, transitions: [] };

/**
 * Lays written fields over a record with transitions: the transitions do not change these fields, except for the status.
 *
 * @param begin the time from which its transitions count, in seconds since 1970. Default: before all of its transitions
 */
export const liveOn = <Value extends object>(
  timeline: Timeline<Value>,
  written: Partial<Value> & { readonly status?: unknown },
  begin = Number.NEGATIVE_INFINITY,
): Timeline<Value> => {
  const { status: _status, ...fields } = written;
  const passed = countPassed(timeline, begin);
  return {
    record: { ...afterTransitions(timeline, passed), ...fields },
    transitions: timeline.transitions.slice(passed).map(({ at, set }) => ({
      at,
      set: filterValues(set, (_, field) => !Object.hasOwn(fields, field)),
    })),
  };
};

/** Replaces the values that a record has in its states. Where the record has null, null stays. */
export const replaceValues = <Value extends object>(
  { record, transitions }: Timeline<Value>,
  values: Partial<Value>,
): Timeline<Value> => {
  const replace = <Fields extends object>(fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        field,
        value === null ? null : (Reflect.get(values, field) ?? value),
      ]),
    ) as Fields; // the same fields
  return {
    record: replace(record),
    transitions: transitions.map(({ at, set }) => ({ at, set: replace(set) })),
  };
};
