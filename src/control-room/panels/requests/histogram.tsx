import { Group, RangeSlider, Text } from '@mantine/core';
import { type PointerEvent, useEffect, useMemo, useState } from 'react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import { countOf } from '../../format.ts';
import { arrivalOf, parseRange, toRange } from './filter.ts';

const bins = 60;
const height = 40;

const groups = ['ok', 'client', 'server'] as const;
type Bin = Record<(typeof groups)[number], number>;

const groupOf = ({ status, id }: RecordedRequest): keyof Bin => {
  const compared = status ?? (id === '' ? 0 : 500);
  return compared >= 500 ? 'server' : compared >= 400 ? 'client' : 'ok';
};

const toBins = (requests: readonly RecordedRequest[], first: number, width: number): Bin[] => {
  const found = Array.from({ length: bins }, () => ({ ok: 0, client: 0, server: 0 }));
  for (const request of requests) {
    const bin = found[Math.floor((arrivalOf(request) - first) / width)];
    if (bin !== undefined) bin[groupOf(request)] += 1;
  }
  return found;
};

const timeOf = (time: number): string => new Date(time).toLocaleTimeString('en-GB');

interface HistogramProps {
  /** All that are loaded, oldest first: they set the scale, so that it stays while filters change. */
  readonly all: readonly RecordedRequest[];
  /** Those that are counted. */
  readonly requests: readonly RecordedRequest[];
  /** The chosen range in the link. */
  readonly range: string | undefined;
  readonly setRange: (range: string) => void;
}

/** Requests over time by status. A range is chosen by dragging over the bars, or with the slider below. */
export const Histogram = ({ all, requests, range, setRange }: HistogramProps) => {
  const [first, last] = [all[0], all.at(-1)].map((one) => (one === undefined ? 0 : arrivalOf(one))) as [
    number,
    number,
  ];
  const width = Math.max(1, (last + 1 - first) / bins);
  const counts = useMemo(() => toBins(requests, first, width), [requests, first, width]);
  const highest = Math.max(1, ...counts.map(({ ok, client, server }) => ok + client + server));
  const interval = parseRange(range);
  const toBin = (time: number): number => Math.max(0, Math.min(bins, (time - first) / width));
  const chosen: [number, number] =
    interval === undefined ? [0, bins] : [Math.floor(toBin(interval[0])), Math.ceil(toBin(interval[1]))];

  // While it is dragged, the range is not in the link yet.
  const [dragged, setDragged] = useState<[number, number]>();
  useEffect(() => setDragged(undefined), [range]);
  const [from, to] = (dragged ?? chosen).toSorted((a, b) => a - b) as [number, number];
  const choose = ([start, end]: [number, number]): void => {
    setDragged(undefined);
    const [left, right] = [Math.min(start, end), Math.max(start, end)];
    const isAll = right === left || (left === 0 && right === bins);
    setRange(isAll ? '' : toRange(Math.ceil(first + left * width), Math.floor(first + right * width)));
  };
  const placeOf = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    return Math.round(Math.max(0, Math.min(1, (clientX - box.left) / box.width)) * bins);
  };
  const timeAt = (bin: number): string => timeOf(first + bin * width);
  const sum = (group: keyof Bin): number => counts.reduce((total, bin) => total + bin[group], 0);
  return (
    <div className="histogram">
      <svg
        viewBox={`0 0 ${bins} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${countOf(requests.length, 'request')} from ${timeOf(first)} to ${timeOf(last)}: ${sum('client')} with 4xx, ${sum('server')} with 5xx or without a reply. At most ${highest} in a bar.`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged([placeOf(event), placeOf(event)]);
        }}
        onPointerMove={(event) => dragged && setDragged([dragged[0], placeOf(event)])}
        onPointerUp={() => dragged && choose(dragged)}
      >
        <pattern id="hatch-client" width={0.3} height={height} patternUnits="userSpaceOnUse">
          <rect width={0.2} height={height} className="client" />
        </pattern>
        <pattern id="hatch-server" width={bins} height={3} patternUnits="userSpaceOnUse">
          <rect width={bins} height={2} className="server" />
        </pattern>
        {counts.map((bin, at) => {
          let top = height;
          return groups.map((group) => {
            const size = (bin[group] / highest) * height;
            top -= size;
            return (
              size > 0 && (
                <rect
                  key={`${at}${group}`}
                  className={group}
                  x={at + 0.1}
                  width={0.8}
                  y={top}
                  height={size}
                />
              )
            );
          });
        })}
        <rect className="outside" width={from} height={height} />
        <rect className="outside" x={to} width={bins - to} height={height} />
      </svg>
      <RangeSlider
        min={0}
        max={bins}
        minRange={1}
        size={2}
        thumbSize={14}
        label={timeAt}
        thumbValueText={timeAt}
        thumbFromLabel="From"
        thumbToLabel="To"
        value={[from, to]}
        onChange={setDragged}
        onChangeEnd={choose}
      />
      <Group justify="space-between" mt={6} className="numbers">
        <Text size="xs" c="dimmed">
          {timeOf(first)}
        </Text>
        <Text size="xs" c="dimmed">
          {timeOf(last)}
        </Text>
      </Group>
    </div>
  );
};
