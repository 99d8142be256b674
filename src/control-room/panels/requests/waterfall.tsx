// A bar for each request from its arrival to its end, on one scale for all rows in view.
import { Group } from '@mantine/core';
import { type CSSProperties, Fragment } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import type { Attempts } from './attempts.ts';
import { toneOfRequest } from './status.tsx';
import { arrivalOf, effectOf, endOf, formatMillis, formatPause } from './texts.ts';

/** The span of the bars, in milliseconds since 1970. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
}

/** A line from a failed attempt to the next one, on the rows between them. */
interface Link {
  readonly before: RecordedRequest;
  readonly after: RecordedRequest;
}

export type Links = ReadonlyMap<number, readonly Link[]>;

/** How many rows a line may cross; a longer one would only confuse. */
const maxRows = 12;

/** The lines on each row, by the number of its request. @param list newest first, as it is shown */
export const findLinks = (list: readonly RecordedRequest[], attempts: Attempts): Links => {
  const links = new Map<number, Link[]>();
  list.forEach((after, at) => {
    const before = attempts.get(after.ordinal)?.before;
    if (before === undefined) return;
    const rows = list.slice(at, at + maxRows + 1);
    const last = rows.indexOf(before);
    for (const { ordinal } of rows.slice(0, last + 1))
      links.set(ordinal, [...(links.get(ordinal) ?? []), { before, after }]);
  });
  return links;
};

/** The scale for these requests. */
export const toScale = (requests: readonly RecordedRequest[]): TimeScale => {
  const from = Math.min(...requests.map(arrivalOf));
  return { from, to: Math.max(from + 1, ...requests.map(endOf)) };
};

export const showWaterfall = (request: RecordedRequest, scale: TimeScale, links: readonly Link[]) => {
  const toPercent = (time: number): number =>
    Math.max(0, Math.min(1, (time - scale.from) / (scale.to - scale.from))) * 97; // room for the shortest bar
  const tone = toneOfRequest(request).replace('ok', 'info');
  const [start, end] = [toPercent(arrivalOf(request)), toPercent(endOf(request))];
  return (
    <span className="waterfall" aria-hidden>
      {links.map(({ before, after }) => {
        const [left, right] = [toPercent(endOf(before)), toPercent(arrivalOf(after))];
        const isAfter = after === request;
        // From the next attempt to the left, then down to the failed one.
        const style: CSSProperties = {
          left: `${left}%`,
          top: isAfter ? 14 : 0,
          height: before === request ? 14 : isAfter ? 15 : 29,
          ...(isAfter && { width: `${right - left}%` }),
          borderWidth: isAfter ? '1px 0 0 1px' : '0 0 0 1px',
        };
        return (
          <Fragment key={after.ordinal}>
            <b style={style} />
            {isAfter && (
              <small className="dimmed" style={{ left: `${left}%` }}>
                {left > 25 && `+${formatPause(before, after)}`}
              </small>
            )}
          </Fragment>
        );
      })}
      <i
        data-delayed={request.faults.some(isDelay) || undefined}
        style={{ left: `${start}%`, width: `${end - start}%`, backgroundColor: `var(--${tone}-fill)` }}
      />
    </span>
  );
};

const isDelay = (line: string): boolean => ['delay', 'drip'].includes(effectOf(line)[0] ?? '');

export const WaterfallHead = ({ from, to }: TimeScale) => (
  <Group component="span" className="number" justify="space-between" gap={0} wrap="nowrap">
    <span>{new Date(from).toLocaleTimeString('en-GB')}</span>
    <span>+{formatMillis(to - from)}</span>
  </Group>
);
