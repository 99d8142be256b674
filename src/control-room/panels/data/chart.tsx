import { Box, Group, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface LineChartProps {
  readonly title: string;
  readonly unit: string;
  /** At least one; each has at least one point, by x. */
  readonly series: readonly { readonly name: string; readonly points: readonly Point[] }[];
}

const height = 220;
const edge = { left: 52, right: 14, top: 12, bottom: 40 };
/** The colour and the dash of each line. */
const looks = [
  { color: 'var(--mantine-color-indigo-5)' },
  { color: 'var(--mantine-color-orange-7)', strokeDasharray: '7 4' },
  { color: 'var(--mantine-color-teal-7)', strokeDasharray: '2 3' },
];
/** More markers would hide the line. */
const maxMarkers = 45;

/** A line chart over steps. Each line has a colour and a dash of its own, with its name and its last value above. */
export const LineChart = ({ title, unit, series }: LineChartProps) => {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(200, measured);
  const points = series.flatMap((one) => one.points);
  const [first, last] = rangeOf(points.map(({ x }) => x));
  const [least, most] = rangeOf(points.map(({ y }) => y));
  const xTicks = findTicks(first, last, Math.max(2, Math.floor(width / 90))).filter(
    (x) => x >= first && x <= last,
  );
  const yTicks = findTicks(least, most, 5);
  const [low, high] = [yTicks[0] ?? least, yTicks.at(-1) ?? most];
  const [right, bottom] = [width - edge.right, height - edge.bottom];
  const toX = (x: number) =>
    Math.round(edge.left + ((x - first) / (last - first || 1)) * (right - edge.left));
  const toY = (y: number) =>
    Math.round(10 * (bottom - ((y - low) / (high - low)) * (bottom - edge.top))) / 10;
  const ends = series.map(({ name, points: own }) => ({ name, from: own[0], to: own.at(-1) }));
  const described = ends.map(
    ({ name, from, to }) =>
      `${name} from ${show(from?.y)} at step ${from?.x} to ${show(to?.y)} at step ${to?.x}`,
  );
  return (
    <Box component="figure" m={0} miw={0} className="data-chart">
      <figcaption>
        <Title order={3} size="h5">
          {title} <span className="dimmed">({unit})</span>
        </Title>
        <Group gap="xs" fz="sm" className="numbers">
          {ends.map(({ name, to }, at) => (
            <span key={name}>
              <svg width="34" height="14" aria-hidden {...looks[at]}>
                <path d="M1 7H33" />
              </svg>{' '}
              {name} {show(to?.y)} <span className="dimmed">at step {to?.x}</span>
            </span>
          ))}
        </Group>
      </figcaption>
      <div ref={ref}>
        <svg role="img" aria-label={`${title}: ${described.join('; ')}.`} width={width} height={height}>
          {yTicks.map((y) => (
            <g key={y}>
              <path className="rule" d={`M${edge.left} ${toY(y)}H${right}`} />
              <text x={edge.left - 8} y={toY(y) + 4} textAnchor="end">
                {show(y)}
              </text>
            </g>
          ))}
          {xTicks.map((x) => (
            <text key={x} x={toX(x)} y={bottom + 18} textAnchor="middle">
              {show(x)}
            </text>
          ))}
          <text x={(edge.left + right) / 2} y={height - 5} textAnchor="middle">
            step
          </text>
          {series.map(({ name, points: own }, at) => (
            <g key={name} {...looks[at]}>
              <path className="line" d={`M${own.map(({ x, y }) => `${toX(x)} ${toY(y)}`).join('L')}`} />
              {own.length <= maxMarkers &&
                own.map(({ x, y }) => <circle key={x} cx={toX(x)} cy={toY(y)} r={2.5} />)}
            </g>
          ))}
        </svg>
      </div>
    </Box>
  );
};

/** The least and the greatest: there may be more values than a call takes arguments. */
const rangeOf = (values: readonly number[]): [number, number] => [
  values.reduce((a, b) => Math.min(a, b)),
  values.reduce((a, b) => Math.max(a, b)),
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

const show = (value: number | undefined): string => String(Number(value?.toPrecision(5)));
