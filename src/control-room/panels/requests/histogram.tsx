import { Flex, Group, RangeSlider, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { setQuery, useRoute } from '../../route.ts';
import { countOf } from '../../text.tsx';
import { arrivalOf, parseRange, toRange } from './filter.ts';

/** The number of bars. */
const bins = 60;

/** The groups of statuses from bottom to top, with their looks. */
const groups = [
  ['plain', 'below 400'],
  ['hatched', '4xx'],
  ['outlined', '5xx or no reply'],
] as const;

const groupOf = ({ status }: RecordedRequest): 0 | 1 | 2 => {
  const compared = status ?? 500;
  return compared >= 500 ? 2 : compared >= 400 ? 1 : 0;
};

const timeOf = (time: number): string => new Date(time).toLocaleTimeString('en-GB');

interface HistogramProps {
  /** All loaded requests, oldest first. They determine the scale, so that it stays while filters change. */
  readonly all: readonly RecordedRequest[];
  /** Those that are counted. */
  readonly requests: readonly RecordedRequest[];
}

/** Requests over time by status. The slider below chooses a range. */
export const Histogram = ({ all, requests }: HistogramProps) => {
  const { range } = useRoute().query;
  const [first = 0, last = 0] = [all[0], all.at(-1)].map((one) => one && arrivalOf(one));
  const width = Math.max(1, (last + 1 - first) / bins);
  const counts = useMemo(() => {
    const found = Array.from({ length: bins }, () => [0, 0, 0] as [number, number, number]);
    for (const one of requests) {
      const bin = found[Math.floor((arrivalOf(one) - first) / width)];
      if (bin !== undefined) bin[groupOf(one)] += 1;
    }
    return found;
  }, [requests, first, width]);
  const highest = Math.max(1, ...counts.map(([ok, client, server]) => ok + client + server));

  const chosen = parseRange(range);
  const toBin = (time: number): number => Math.max(0, Math.min(bins, (time - first) / width));
  // While it is dragged, the range is not in the link yet.
  const [dragged, setDragged] = useState<[number, number]>();
  const choose = ([start, end]: [number, number]): void => {
    setDragged(undefined);
    const isAll = start === 0 && end === bins;
    setQuery({
      range: isAll ? '' : toRange(Math.ceil(first + start * width), Math.floor(first + end * width)),
    });
  };
  const timeAt = (bin: number): string => timeOf(first + bin * width);
  const sum = (group: 1 | 2): number => counts.reduce((total, bin) => total + bin[group], 0);
  return (
    <div>
      <Flex
        h={40}
        gap={1}
        role="img"
        aria-label={`${countOf(requests.length, 'request')} from ${timeOf(first)} to ${timeOf(last)}: ${sum(1)} with 4xx, ${sum(2)} with 5xx or without a reply. At most ${highest} in a bar.`}
      >
        {counts.map((bin, at) => (
          <span key={at} className="histogram-bar">
            {groups.map(([look], group) => {
              const count = bin[group] ?? 0;
              return (
                count > 0 && (
                  <i key={look} className={look} style={{ height: `${(count / highest) * 100}%` }} />
                )
              );
            })}
          </span>
        ))}
      </Flex>
      <RangeSlider
        size={4}
        thumbSize={14}
        min={0}
        max={bins}
        minRange={1}
        label={timeAt}
        thumbValueText={timeAt}
        thumbFromLabel="From"
        thumbToLabel="To"
        value={dragged ?? (chosen ? [Math.floor(toBin(chosen[0])), Math.ceil(toBin(chosen[1]))] : [0, bins])}
        onChange={setDragged}
        onChangeEnd={choose}
      />
      <Group justify="space-between" mt={4}>
        <Text size="xs" c="dimmed">
          {timeOf(first)} to {timeOf(last)}
        </Text>
        <Text size="xs" c="dimmed">
          {groups.map(([look, text]) => (
            <span key={look} className="legend">
              <i className={look} /> {text}
            </span>
          ))}
        </Text>
      </Group>
    </div>
  );
};
