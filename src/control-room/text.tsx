import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { toHash } from './route.ts';

/** Characters that are not seen, or that change the order of others: controls, formats such as U+202E, and odd spaces. */
const unseen = '(?!\\n)[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\u2800]|(?! )\\p{Zs}';
const unseenOnly = new RegExp(`(${unseen})`, 'u');
/** Also the marks of a text that is not in its usual form, since it looks like the one that is. */
const unseenOrMarks = new RegExp(`(${unseen}|\\p{M})`, 'u');

/** Whether a text has only characters that are seen and that leave those around them in place. */
const isPlain = (text: string): boolean => /^[\n -~]*$/.test(text);

/** The parts of a text. Every second one is the code of a character that is not seen. */
const splitUnseen = (text: string): string[] =>
  text
    .split(text === text.normalize('NFC') ? unseenOnly : unseenOrMarks)
    .map((part, at) => (at % 2 === 0 ? part : codeOf(part)));

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A text from outside, such as a name or a path: no character of it is hidden, and none changes how the text around it reads. */
export const Foreign = ({ text }: { readonly text: string }): ReactNode =>
  isPlain(text) ? (
    text
  ) : (
    <bdi>
      {splitUnseen(text).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <span key={at} className="unseen">
            {part}
          </span>
        ),
      )}
    </bdi>
  );

/** The same where only text can be, such as in an `aria-label` or a message. */
export const isolate = (text: string): string =>
  isPlain(text) ? text : `\u2068${splitUnseen(text).join('')}\u2069`;

/** A text of our own with code between backticks. */
export const Rich = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));

interface RecordLinkProps {
  /** The kind of record, as in `control.records`: `runs`. */
  readonly kind: string;
  readonly id: string;
  readonly title?: string | undefined;
  /** Whether the tab key passes over it, in a grid that has the keyboard. */
  readonly isPassed?: boolean;
}

/** A link to a record. */
export const RecordLink = ({ kind, id, title, isPassed = false }: RecordLinkProps) => (
  <Anchor
    className="mono"
    inherit
    href={toHash('data', [kind, id])}
    title={title}
    tabIndex={isPassed ? -1 : undefined}
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
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Formats a duration in seconds: `45 s`, `3 min`, `2 h 5 min`. */
export const formatSpan = (seconds: number): string => {
  const whole = Math.round(Math.abs(seconds));
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map((part) => part.join(' ')).join(' ');
};

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
