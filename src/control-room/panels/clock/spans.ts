// Arithmetic for the clock and the timeline.
import { lastTimestamp } from '../../../core/world/clock-limits.ts';
import type { StatusHistory } from '../../../service/control/status-histories.ts';
import type { Route } from '../../route.ts';

/** The world's time so many milliseconds after it was read. */
export const timeAfter = (millis: number, seconds: number, speed: number): number =>
  Math.min(lastTimestamp, seconds + (millis / 1000) * speed);

/** The range of time that the timeline shows, in seconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The ranges to choose from, in seconds. `Fit` reaches to the last future change. */
export const ranges = new Map(Object.entries({ Fit: 0, '10 min': 600, '1 h': 3600, '1 day': 86_400 }));

/** The chosen range. */
export const rangeOf = ({ range = '' }: Route['query']): string => (ranges.has(range) ? range : 'Fit');

/** The records with the nearest changes, in order of creation, so that rows stay in place when the clock advances. */
export const pickHistories = (histories: readonly StatusHistory[], now: number, count: number) => {
  const distance = ({ states }: StatusHistory): number =>
    Math.min(...states.map(({ at }) => Math.abs(at - now)));
  const createdAt = ({ states }: StatusHistory): number => states[0]?.at ?? 0;
  return histories
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .sort((a, b) => createdAt(a) - createdAt(b) || (a.id < b.id ? -1 : 1));
};

/** Step sizes of a readable scale, in seconds. */
const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800, 2_592_000, 31_536_000,
];
/** The smallest of these steps that is at least so long. */
const stepFor = (least: number): number => steps.find((step) => step >= least) ?? least;

/** The range to show. It stays while the clock advances a little, so that its line moves. */
export const spanOf = (histories: readonly StatusHistory[], now: number, query: Route['query']): Span => {
  const length = ranges.get(rangeOf(query)) ?? 0;
  const { before, after } = length === 0 ? fit(histories, now) : { before: length / 5, after: 0 };
  const step = stepFor((before + after) / 12);
  const from = Math.floor((now - before) / step) * step;
  return { from, to: length === 0 ? Math.ceil((now + after) / step) * step : from + length };
};

const fit = (histories: readonly StatusHistory[], now: number): { before: number; after: number } => {
  const last = Math.max(now, ...histories.map(({ states }) => states.at(-1)?.at ?? now));
  if (last > now)
    return { before: Math.max((last - now) / 4, 180), after: Math.max((last - now) * 1.1, 420) };
  const first = Math.min(now - 60, ...histories.map(({ states }) => states[0]?.at ?? now));
  return { before: now - first, after: (now - first) / 8 };
};

/** Where a time is in the timeline, in percent of its width. */
export const placeOf = (at: number, { from, to }: Span): number => ((at - from) / (to - from)) * 100;

/** The times of the scale, at most five: as many as the narrowest one has room for. One at its very ends has no label. */
export const ticksOf = (span: Span): { value: number; label: string | undefined }[] => {
  const { from, to } = span;
  const step = stepFor((to - from) / 5);
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => {
    const value = first + index * step;
    const text = new Date(value * 1000).toISOString();
    const day = step >= 2_592_000 ? text.slice(0, 10) : text.slice(5, 10);
    const label = value % 86_400 === 0 || step > 86_400 ? day : text.slice(11, step < 60 ? 19 : 16);
    const place = placeOf(value, span);
    return { value, label: place < 6 || place > 90 ? undefined : label };
  });
};

/** The maximum number of histories that are requested: of the records that change next or changed last. */
export const maxHistories = 500;

/** The state at a time; undefined before the record's creation. */
export const stateAt = ({ states }: StatusHistory, now: number): string | undefined =>
  states.findLast(({ at }) => at <= now)?.status;

export const nextOf = ({ states }: StatusHistory, now: number): StatusHistory['states'][number] | undefined =>
  states.find(({ at }) => at > now);

/** What a record is, and whose. */
export const titleOf = ({ id, owner }: StatusHistory): string =>
  owner === null ? `Batch ${id}` : `Run ${id} of ${owner}`;

/** A change of one record. */
export type Change = ReturnType<typeof listChanges>[number];

/** All changes of state, past and future, in order of time. */
export const listChanges = (histories: readonly StatusHistory[]) =>
  histories
    .flatMap((history) =>
      history.states.map(({ status, at }, index) => ({
        at,
        history,
        /** Undefined for its creation. */
        from: history.states[index - 1]?.status,
        to: status,
      })),
    )
    .sort((a, b) => a.at - b.at);
