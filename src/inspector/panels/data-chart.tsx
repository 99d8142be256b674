import { useState } from 'preact/hooks';
import { useWidth } from '../parts.tsx';
import { texts } from '../texts.ts';

const t = texts.training;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One line: its points by x. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

const height = 250;
const edge = { left: 52, right: 14, top: 12, bottom: 40 };
/** The maximum number of markers; more would hide the line. */
const maxMarkers = 45;

/** A line chart over steps. Each line has its own colour, dash and marker, with its name beside them. */
export const LineChart = ({
  title,
  unit,
  series,
}: {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
}) => {
  const [boxWidth, setBox] = useWidth(300);
  const width = Math.max(200, boxWidth);
  const [pointed, setPointed] = useState<number>();
  const points = series.flatMap((one) => one.points);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const xTicks = findTicks(least(xs), most(xs), Math.max(2, Math.floor(width / 90)));
  const yTicks = findTicks(least(ys), most(ys), 5);
  const [left, right] = [least(xs), Math.max(most(xs), least(xs) + 1)];
  const [low, high] = [Math.min(yTicks[0] ?? 0, least(ys)), Math.max(yTicks.at(-1) ?? 1, most(ys))];
  const toX = (x: number): number =>
    edge.left + ((x - left) / (right - left)) * (width - edge.left - edge.right);
  const toY = (y: number): number =>
    height - edge.bottom - ((y - low) / (high - low || 1)) * (height - edge.top - edge.bottom);
  const onPointerMove = (event: PointerEvent & { currentTarget: SVGSVGElement }): void => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setPointed(nearestTo(xs, at, toX));
  };
  const step = pointed !== undefined && xs.includes(pointed) ? pointed : most(xs);
  return (
    <figure class="data-chart">
      <figcaption>
        <h3>
          {title} <small>({unit})</small>
        </h3>
        <ul>
          {series.map(({ name, points: own }, at) => (
            <li key={name}>
              <svg width="34" height="14" aria-hidden="true" class={`line-${at % 3}`}>
                <path d="M1 7H33" />
                <Marker shape={at % 3} x={17} y={7} />
              </svg>
              {name} <span class="time">{show(own.find(({ x }) => x === step)?.y)}</span>
            </li>
          ))}
          <li class="muted time">{t.atStep(step)}</li>
        </ul>
      </figcaption>
      <div ref={setBox}>
        <svg
          role="img"
          aria-label={t.chart(title, new Set(xs).size, least(xs), most(xs), series.map(describe).join('; '))}
          width={width}
          height={height}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setPointed(undefined)}
        >
          {yTicks.map((y) => (
            <g key={y}>
              <path class="grid" d={`M${edge.left} ${toY(y)}H${width - edge.right}`} />
              <text x={edge.left - 8} y={toY(y) + 4} text-anchor="end">
                {show(y)}
              </text>
            </g>
          ))}
          {xTicks
            .filter((x) => x >= left && x <= right)
            .map((x) => (
              <g key={x}>
                <path class="tick" d={`M${toX(x)} ${height - edge.bottom}v5`} />
                <text x={toX(x)} y={height - edge.bottom + 18} text-anchor="middle">
                  {show(x)}
                </text>
              </g>
            ))}
          <path class="tick" d={`M${edge.left} ${edge.top}V${height - edge.bottom}H${width - edge.right}`} />
          <text x={(edge.left + width - edge.right) / 2} y={height - 5} text-anchor="middle">
            {t.axis}
          </text>
          {pointed !== undefined && (
            <path class="tick" d={`M${toX(step)} ${edge.top}V${height - edge.bottom}`} />
          )}
          {series.map(({ name, points: own }, at) => (
            <g key={name} class={`line-${at % 3}`}>
              <path
                class="line"
                d={own
                  .map(({ x, y }, n) => `${n === 0 ? 'M' : 'L'}${round(toX(x))} ${round(toY(y))}`)
                  .join('')}
              />
              {thin(own).map(({ x, y }) => (
                <Marker key={x} shape={at % 3} x={round(toX(x))} y={round(toY(y))} />
              ))}
            </g>
          ))}
        </svg>
      </div>
    </figure>
  );
};

const Marker = ({ shape, x, y }: { readonly shape: number; readonly x: number; readonly y: number }) =>
  shape === 0 ? (
    <circle class="marker" cx={x} cy={y} r={3.2} />
  ) : (
    <path class="marker" d={shape === 1 ? `M${x - 3} ${y - 3}h6v6h-6z` : `M${x} ${y - 4.5}l4.4 7.6h-8.8z`} />
  );

const least = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

const nearestTo = (xs: readonly number[], at: number, toX: (x: number) => number): number | undefined =>
  xs.reduce<number | undefined>(
    (best, x) => (best === undefined || Math.abs(toX(x) - at) < Math.abs(toX(best) - at) ? x : best),
    undefined,
  );

/** About `count` round values that cover a range. */
const findTicks = (from: number, to: number, count: number): number[] => {
  const span = to - from || Math.abs(to) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const size = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(from / size);
  const last = Math.max(Math.ceil(to / size), first + 1);
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * size).toPrecision(12)));
};

const thin = (points: readonly Point[]): readonly Point[] => {
  const every = Math.ceil(points.length / maxMarkers);
  return points.filter((_, at) => at % every === 0);
};

const show = (value: number | undefined): string =>
  value === undefined ? t.absent : String(Number(value.toPrecision(5)));

const round = (value: number): number => Math.round(value * 10) / 10;

const describe = ({ name, points }: Series): string =>
  t.fromTo(name, show(points[0]?.y), show(points.at(-1)?.y));
