import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { toHash } from './route.ts';

/** Whether a text cannot change the direction of the text around it. */
const isPlain = (text: string): boolean => /^[\n -~]*$/.test(text);

/** A text from outside, such as a name or a path, which does not change how the text around it reads. */
export const Foreign = ({ text }: { readonly text: string }): ReactNode =>
  isPlain(text) ? text : <bdi>{text}</bdi>;

/** The same where only text can be, such as in an `aria-label` or a message. */
export const isolate = (text: string): string => (isPlain(text) ? text : `\u2068${text}\u2069`);

/** A text of our own with code between backticks. */
export const Rich = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));

interface RecordLinkProps {
  /** The kind of record, as in `control.records`: `runs`. */
  readonly kind: string;
  readonly id: string;
  readonly title?: string | undefined;
  /** Whether it is left out of the tab order, in a grid that handles the keyboard. */
  readonly isSkipped?: boolean;
}

/** A link to a record. */
export const RecordLink = ({ kind, id, title, isSkipped = false }: RecordLinkProps) => (
  <Anchor
    className="mono"
    inherit
    href={toHash('data', [kind, id])}
    title={title}
    tabIndex={isSkipped ? -1 : undefined}
  >
    <Foreign text={id} />
  </Anchor>
);

/** Formats seconds since 1970, or a date-time, in UTC: `2026-01-15 12:00:00`. */
export const formatTime = (time: number | string): string => {
  const date = new Date(typeof time === 'number' ? time * 1000 : time);
  return Number.isNaN(date.getTime())
    ? String(time)
    : date
        .toISOString()
        .replace('T', ' ')
        .replace(/(?:\.000)?Z$/, '');
};

/** Formats a number: 12,345, and 1e+21 instead of all its digits. */
export const formatCount = (count: number): string =>
  Math.abs(count) < 1e15 ? count.toLocaleString('en') : String(count);

/** A number with its noun: `1 request`, `1,200 requests`, `2 batches`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;

/** A text with its first letter in upper case. */
export const capitalize = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** Formats a duration in seconds: `45 s`, `3 min`, `2 h 5 min`. */
export const formatSpan = (seconds: number): string => {
  const total = Math.round(Math.abs(seconds));
  const parts = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map((part) => part.join(' ')).join(' ');
};

/** When something is, by the seconds until then: `in 3 min`, `3 min ago`. */
export const formatAway = (seconds: number): string =>
  seconds > 0 ? `in ${formatSpan(Math.ceil(seconds))}` : `${formatSpan(seconds)} ago`;

/** The colour of a record's status. The text says the same, for those who cannot see it. */
export const colorOf = (status: string): string => statusColors[status] ?? 'gray';

const statusColors: Readonly<Record<string, string>> = {
  completed: 'teal',
  active: 'teal',
  succeeded: 'teal',
  failed: 'red',
  expired: 'red',
  incomplete: 'orange',
  requires_action: 'orange',
  cancelling: 'orange',
  in_progress: 'blue',
  finalizing: 'blue',
};
