// Arithmetic for the picture of the clock.
import type { StatusHistory } from '../../control/status-histories.ts';

/** A future change of state. */
export interface Coming {
  readonly timeline: StatusHistory;
  readonly from: string;
  readonly to: string;
  readonly at: number;
}

/** The range of time that the picture shows, in seconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The ranges to choose from, in seconds. `fit` reaches to the last future change. */
export const ranges = { fit: 0, '10 min': 600, '1 h': 3600, '1 day': 86_400 } as const;
export type Range = keyof typeof ranges;

export const toRange = (text: string | undefined): Range =>
  (Object.keys(ranges) as Range[]).find((range) => range === text) ?? 'fit'; // its keys are just these

/** The state at a time; undefined before the record's creation. */
export const stateAt = ({ states }: StatusHistory, now: number): string | undefined =>
  states.findLast(({ at }) => at <= now)?.status;

export const nextOf = ({ states }: StatusHistory, now: number): StatusHistory['states'][number] | undefined =>
  states.find(({ at }) => at > now);

/** All future changes, the next one first. */
export const listComing = (timelines: readonly StatusHistory[], now: number): Coming[] =>
  timelines
    .flatMap((timeline) =>
      timeline.states.flatMap(({ status, at }, index) => {
        const before = timeline.states[index - 1];
        return at > now && before !== undefined ? [{ timeline, from: before.status, to: status, at }] : [];
      }),
    )
    .sort((a, b) => a.at - b.at);

/** The records with the nearest changes, in order of creation, so that rows stay in place when the clock advances. */
export const pickTimelines = (
  timelines: readonly StatusHistory[],
  now: number,
  count: number,
): StatusHistory[] => {
  const distance = ({ states }: StatusHistory): number =>
    Math.min(...states.map(({ at }) => Math.abs(at - now)));
  return timelines
    .map((timeline) => ({ timeline, away: distance(timeline), createdAt: timeline.states[0]?.at ?? 0 }))
    .sort((a, b) => a.away - b.away)
    .slice(0, count)
    .sort((a, b) => a.createdAt - b.createdAt || (a.timeline.id < b.timeline.id ? -1 : 1))
    .map(({ timeline }) => timeline);
};

/** Step sizes of a readable scale, in seconds. */
const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800, 2_592_000, 31_536_000,
];
const stepFor = (least: number): number => steps.find((step) => step >= least) ?? least;

/** The range to show. It stays the same while the clock advances a little, so that its line can be seen moving. */
export const spanOf = (timelines: readonly StatusHistory[], now: number, range: Range): Span => {
  const { before, after } = range === 'fit' ? fit(timelines, now) : { before: ranges[range] / 5, after: 0 };
  const step = stepFor((before + after) / 12);
  const from = Math.floor((now - before) / step) * step;
  return { from, to: range === 'fit' ? Math.ceil((now + after) / step) * step : from + ranges[range] };
};

const fit = (timelines: readonly StatusHistory[], now: number): { before: number; after: number } => {
  const last = Math.max(now, ...timelines.map(({ states }) => states.at(-1)?.at ?? now));
  if (last > now) return { before: Math.max((last - now) / 4, 10), after: last - now };
  const first = Math.min(now - 60, ...timelines.map(({ states }) => states[0]?.at ?? now));
  return { before: now - first, after: (now - first) / 8 };
};

/** The labelled times of the scale, at most `count`. */
export const ticksOf = ({ from, to }: Span, count: number): readonly { at: number; text: string }[] => {
  const step = stepFor((to - from) / Math.max(1, count));
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => {
    const at = first + index * step;
    const text = new Date(at * 1000).toISOString();
    const day = step >= 2_592_000 ? text.slice(0, 10) : text.slice(5, 10);
    return { at, text: at % 86_400 === 0 || step > 86_400 ? day : text.slice(11, step < 60 ? 19 : 16) };
  });
};
