import { Group, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One line: its points by x. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

interface LineChartProps {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
}

const height = 230;
const edge = { left: 52, right: 14, top: 12, bottom: 40 };
/** The maximum number of markers; more would hide the line. */
const maxMarkers = 45;

/** A line chart over steps. Each line has its own colour, dash and marker, with its name beside them. */
export const LineChart = ({ title, unit, series }: LineChartProps) => {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(200, measured);
  const [pointed, setPointed] = useState<number>();
  const points = series.flatMap((one) => one.points);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [first, last, least, most] = [...rangeOf(xs), ...rangeOf(ys)];
  const xTicks = findTicks(first, last, Math.max(2, Math.floor(width / 90)));
  const yTicks = findTicks(least, most, 5);
  const right = Math.max(last, first + 1);
  const [low, high] = [Math.min(yTicks[0] ?? 0, least), Math.max(yTicks.at(-1) ?? 1, most)];
  const toX = (x: number): number =>
    round(edge.left + ((x - first) / (right - first)) * (width - edge.left - edge.right));
  const toY = (y: number): number =>
    round(height - edge.bottom - ((y - low) / (high - low || 1)) * (height - edge.top - edge.bottom));
  const onPointerMove = (event: PointerEvent): void => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const distance = (x: number): number => Math.abs(toX(x) - at);
    setPointed(xs.reduce((best, x) => (distance(x) < distance(best) ? x : best), last));
  };
  const step = pointed !== undefined && xs.includes(pointed) ? pointed : last;
  const described = series
    .map(({ name, points: own }) => `${name} from ${show(own[0]?.y)} to ${show(own.at(-1)?.y)}`)
    .join('; ');
  return (
    <figure className="data-chart">
      <figcaption>
        <Title order={3} size="h5">
          {title}{' '}
          <Text span size="xs" c="dimmed">
            ({unit})
          </Text>
        </Title>
        <Group gap="md" fz="sm" className="numbers">
          {series.map(({ name, points: own }, at) => (
            <span key={name}>
              <svg width="34" height="14" aria-hidden className={`line-${at % 3}`}>
                <path d="M1 7H33" />
                <Marker shape={at % 3} x={17} y={7} />
              </svg>{' '}
              {name} {show(own.find(({ x }) => x === step)?.y)}
            </span>
          ))}
          <Text span inherit c="dimmed">
            at step {step}
          </Text>
        </Group>
      </figcaption>
      <div ref={ref}>
        <svg
          role="img"
          aria-label={`${title} over ${new Set(xs).size} steps from ${first} to ${last}. ${described}. The table has all values.`}
          width={width}
          height={height}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setPointed(undefined)}
        >
          {yTicks.map((y) => (
            <g key={y}>
              <path className="grid-line" d={`M${edge.left} ${toY(y)}H${width - edge.right}`} />
              <text x={edge.left - 8} y={toY(y) + 4} textAnchor="end">
                {show(y)}
              </text>
            </g>
          ))}
          {xTicks
            .filter((x) => x >= first && x <= last)
            .map((x) => (
              <g key={x}>
                <path className="tick" d={`M${toX(x)} ${height - edge.bottom}v5`} />
                <text x={toX(x)} y={height - edge.bottom + 18} textAnchor="middle">
                  {show(x)}
                </text>
              </g>
            ))}
          <path
            className="tick"
            d={`M${edge.left} ${edge.top}V${height - edge.bottom}H${width - edge.right}`}
          />
          <text x={(edge.left + width - edge.right) / 2} y={height - 5} textAnchor="middle">
            step
          </text>
          {pointed !== undefined && (
            <path className="tick" d={`M${toX(step)} ${edge.top}V${height - edge.bottom}`} />
          )}
          {series.map(({ name, points: own }, at) => (
            <g key={name} className={`line-${at % 3}`}>
              <path
                className="line"
                d={own.map(({ x, y }, n) => `${n === 0 ? 'M' : 'L'}${toX(x)} ${toY(y)}`).join('')}
              />
              {own
                .filter((_, n) => n % Math.ceil(own.length / maxMarkers) === 0)
                .map(({ x, y }) => (
                  <Marker key={x} shape={at % 3} x={toX(x)} y={toY(y)} />
                ))}
            </g>
          ))}
        </svg>
      </div>
    </figure>
  );
};

const Marker = ({ shape, x, y }: Point & { readonly shape: number }) =>
  shape === 0 ? (
    <circle className="marker" cx={x} cy={y} r={3.2} />
  ) : (
    <path
      className="marker"
      d={shape === 1 ? `M${x - 3} ${y - 3}h6v6h-6z` : `M${x} ${y - 4.5}l4.4 7.6h-8.8z`}
    />
  );

/** The least and the greatest: there may be more values than a call takes arguments. */
const rangeOf = (values: readonly number[]): [number, number] => [
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
  values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
];

/** About `count` round values that cover a range. */
const findTicks = (from: number, to: number, count: number): number[] => {
  const rough = (to - from || Math.abs(to) || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const size = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(from / size);
  const last = Math.max(Math.ceil(to / size), first + 1);
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * size).toPrecision(12)));
};

const show = (value: number | undefined): string =>
  value === undefined ? '–' : String(Number(value.toPrecision(5)));

const round = (value: number): number => Math.round(value * 10) / 10;
