// Arithmetic for the timeline.
import type { StatusHistory } from '../../../control/status-histories.ts';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import type { Route } from '../../route.ts';

/** The range of time that the timeline shows, in seconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The ranges to choose from, in seconds. `fit` reaches to the last future change. */
export const ranges = { fit: 0, '10 min': 600, '1 h': 3600, '1 day': 86_400 } as const;
export type Range = keyof typeof ranges;

export const toRange = (text: string | undefined): Range =>
  (Object.keys(ranges) as Range[]).find((range) => range === text) ?? 'fit'; // its keys are just these

/** The records with the nearest changes, in order of creation, so that rows stay in place when the clock advances. */
export const pickHistories = (
  histories: readonly StatusHistory[],
  now: number,
  count: number,
): StatusHistory[] => {
  const distance = ({ states }: StatusHistory): number =>
    Math.min(...states.map(({ at }) => Math.abs(at - now)));
  return histories
    .map((history) => ({ history, away: distance(history), createdAt: history.states[0]?.at ?? 0 }))
    .sort((a, b) => a.away - b.away)
    .slice(0, count)
    .sort((a, b) => a.createdAt - b.createdAt || (a.history.id < b.history.id ? -1 : 1))
    .map(({ history }) => history);
};

/** Step sizes of a readable scale, in seconds. */
const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800, 2_592_000, 31_536_000,
];
/** The smallest of these steps that is not smaller than the given one. */
export const stepFor = (least: number): number => steps.find((step) => step >= least) ?? least;

/** The shortest range to show, in seconds. */
const minSpan = 10;

/** The range to show: the chosen one if the user has zoomed. It stays while the clock advances a little, so that its line moves. */
export const spanOf = (histories: readonly StatusHistory[], now: number, query: Route['query']): Span => {
  const chosen = { from: Number(query.from), to: Number(query.to) };
  if (query.from && chosen.to - chosen.from >= minSpan) return chosen;
  const range = toRange(query.range);
  const { before, after } = range === 'fit' ? fit(histories, now) : { before: ranges[range] / 5, after: 0 };
  const step = stepFor((before + after) / 12);
  const from = Math.floor((now - before) / step) * step;
  return { from, to: range === 'fit' ? Math.ceil((now + after) / step) * step : from + ranges[range] };
};

const fit = (histories: readonly StatusHistory[], now: number): { before: number; after: number } => {
  const last = Math.max(now, ...histories.map(({ states }) => states.at(-1)?.at ?? now));
  if (last > now) return { before: Math.max((last - now) / 4, 10), after: last - now };
  const first = Math.min(now - 60, ...histories.map(({ states }) => states[0]?.at ?? now));
  return { before: now - first, after: (now - first) / 8 };
};

/** A range around the current time, or around the middle if that is not shown, `factor` times as long. */
export const zoom = ({ from, to }: Span, now: number, factor: number): Span => {
  const centre = now >= from && now <= to ? now : (from + to) / 2;
  const length = Math.max(minSpan, (to - from) * factor);
  const step = stepFor(length / 200);
  const start = Math.max(0, Math.floor((centre - ((centre - from) / (to - from)) * length) / step) * step);
  return { from: start, to: start + Math.ceil(length / step) * step };
};

/** A range half of its length later; earlier with -1. */
export const shift = ({ from, to }: Span, direction: number): Span => {
  const by = Math.max(-from, Math.round((direction * (to - from)) / 2));
  return { from: from + by, to: to + by };
};

/** Where a time is in the timeline, in pixels from its left. */
export const xOf = (at: number, { from, to }: Span, width: number): number =>
  Math.round(((at - from) / (to - from)) * width * 10) / 10;

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

/** Requests that are close to each other in the timeline. */
interface Mark {
  /** The middle of the mark, in pixels. */
  readonly x: number;
  readonly requests: readonly Pick<RecordedRequest, 'id' | 'time' | 'status' | 'faults'>[];
}

/** The width of a mark, in pixels. */
const markWidth = 28;

/** The requests as marks, and how many are outside of the range. */
export const binRequests = (
  requests: Mark['requests'],
  span: Span,
  width: number,
): { readonly marks: readonly Mark[]; readonly outside: number } => {
  const inside = requests.filter(({ time }) => {
    const at = Date.parse(time) / 1000;
    return at >= span.from && at <= span.to;
  });
  const bins = new Map<number, (typeof inside)[number][]>();
  for (const request of inside) {
    const bin = Math.floor(xOf(Date.parse(request.time) / 1000, span, width) / markWidth);
    const own = bins.get(bin);
    if (own === undefined) bins.set(bin, [request]);
    else own.push(request);
  }
  const marks = [...bins].map(([bin, own]) => ({
    x: Math.min(width - markWidth / 2, (bin + 0.5) * markWidth),
    requests: own,
  }));
  return { marks, outside: requests.length - inside.length };
};
