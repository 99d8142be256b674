// Components that several panels share.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { parseJson, toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { tryParse } from '../util/try-parse.ts';
import { copy } from './copy.ts';
import { IdLinks } from './id-links.tsx';
import { dismiss, messages, notify } from './messages.ts';
import { Name } from './name.tsx';
import { failures } from './query.ts';
import { toHash } from './route.ts';
import { texts } from './texts.ts';
import { runWithUndo } from './undo.ts';
import { isolate } from './visible.ts';

/** A colour with a meaning. The text beside it has the same meaning, for those who cannot see it. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';

export const Badge = ({
  tone = 'plain',
  title,
  children,
}: {
  readonly tone?: Tone | undefined;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}) => (
  // A long text is cut off.
  <span class={`badge ${tone}`} title={isolate(title ?? (typeof children === 'string' ? children : ''))}>
    {typeof children === 'string' ? isolate(children) : children}
  </span>
);

const tones: Readonly<Record<string, Tone>> = {
  completed: 'good',
  active: 'good',
  succeeded: 'good',
  failed: 'bad',
  expired: 'bad',
  incomplete: 'warn',
  requires_action: 'warn',
  cancelling: 'warn',
  in_progress: 'info',
  finalizing: 'info',
};

export const toneOf = (status: string): Tone => tones[status] ?? 'plain';

/** The state of a run or a batch. */
export const Status = ({ status }: { readonly status: string }) => (
  <Badge tone={toneOf(status)}>{status}</Badge>
);

/** A section of the page with its heading. */
export const Card = ({
  title,
  aside,
  children,
  label,
}: {
  readonly title?: string | undefined;
  /** Elements beside the heading, such as buttons. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  /** The label, if there is no heading or if it does not stand for one card alone. */
  readonly label?: string | undefined;
}) => (
  <section class="card" aria-label={isolate(label ?? title ?? '')}>
    {(title !== undefined || aside !== undefined) && (
      <header>
        {title !== undefined && <h2>{isolate(title)}</h2>}
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
    )}
    {children}
  </section>
);

/** A link to a record. */
export const RecordLink = ({ kind, id, title, isPassed = false }: RecordLinkProps) => (
  <a class="mono" href={toHash('data', [kind, id])} title={title} tabIndex={isPassed ? -1 : undefined}>
    <Name text={id} />
  </a>
);

interface RecordLinkProps {
  readonly kind: string;
  readonly id: string;
  readonly title?: string;
  /** Whether the tab key passes over it, in a grid that has the keyboard. */
  readonly isPassed?: boolean;
}

/** The text for an empty list. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="empty">{children}</p>
);

export const Failure = ({ message }: { readonly message: string | undefined }) =>
  message === undefined ? null : (
    <p class="failure" role="alert">
      {isolate(message)}
    </p>
  );

/** A text with code between backticks. */
export const Rich = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
);

/** The errors of the queries of the page. */
export const QueryFailures = () => (
  <>
    {[...new Set(failures.value.map(({ message }) => message))].map((message) => (
      <Failure key={message} message={message} />
    ))}
  </>
);

/** A button for an action on the server. It cannot be pressed again until that has finished. */
export const Action = ({
  run,
  done,
  undo = 0,
  fail = (message) => message !== undefined && notify(isolate(message), 'bad'),
  disabled = false,
  children,
  ...rest
}: {
  readonly run: () => Promise<unknown>;
  /** The message when it is done, such as "The fault was removed". */
  readonly done?: string | undefined;
  /** How many changes of the session it makes, which a button in the message undoes. Default: 0, without a button. */
  readonly undo?: number;
  /** Shows an error where it belongs, such as at a field; called with undefined to remove it. Default: `notify`. */
  readonly fail?: (message: string | undefined) => void;
  readonly children: ComponentChildren;
} & Omit<JSX.IntrinsicElements['button'], 'onClick' | 'children'>) => {
  const [isBusy, setBusy] = useState(false);
  const onClick = async (): Promise<void> => {
    setBusy(true);
    try {
      const takeBack = undo > 0 ? await runWithUndo(run, undo) : void (await run());
      fail(undefined);
      if (done !== undefined) notify(done, 'good', takeBack);
    } catch (error) {
      fail(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <button
      type="button"
      {...rest}
      // Not `disabled`, which would lose the focus of the pressed button.
      aria-disabled={isBusy || disabled}
      onClick={() => isBusy || disabled || void onClick()}
    >
      {children}
    </button>
  );
};

/** Any value as JSON. Its first levels can be folded. */
export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const parsed = typeof value === 'string' ? tryParse(value, parseJson) : value;
  return (
    // It scrolls, so it must be reachable by keyboard.
    <div class="json" tabIndex={0} role="region" aria-label={label}>
      {parsed === undefined ? <IdLinks text={String(value)} /> : <JsonPart value={parsed} />}
    </div>
  );
};

/** How many levels of JSON can be folded. */
const foldedLevels = 3;

const JsonPart = ({
  name = '',
  value,
  level = 0,
  end = '',
}: {
  /** The key, with a colon. */
  readonly name?: string;
  readonly value: unknown;
  readonly level?: number;
  readonly end?: string;
}) => {
  const isList = Array.isArray(value);
  const entries = Object.entries(Object(value));
  if (typeof value !== 'object' || entries.length === 0 || level === foldedLevels)
    return (
      <div>
        <IdLinks text={`${name}${toJsonText(value, 2)}${end}`} />
      </div>
    );
  return (
    <details open>
      <summary>
        <Name text={name} />
        {isList ? '[' : '{'} <span class="muted">{entries.length}</span>
      </summary>
      <div class="inner">
        {entries.map(([key, inner], at) => (
          <JsonPart
            key={key}
            name={isList ? '' : `${JSON.stringify(key)}: `}
            value={inner}
            level={level + 1}
            end={at < entries.length - 1 ? ',' : ''}
          />
        ))}
      </div>
      {isList ? ']' : '}'}
      {end}
    </details>
  );
};

/** A button that copies a text to the clipboard. */
export const Copy = ({ text, children }: { readonly text: string; readonly children: ComponentChildren }) => (
  <Action run={() => copy(text)} done={texts.common.copied}>
    {children}
  </Action>
);

/** Downloads a text as a file. */
export const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text]));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** The place where `notify` shows messages. Ctrl+Z presses their Undo. */
export const Messages = () => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      // A field with text has its own Undo.
      const { value } = event.target as HTMLInputElement;
      if (value === undefined || value === '') document.getElementById('undo')?.click();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.value.map((message) => {
        const { text, tone, undo } = message;
        const run = async (): Promise<void> => {
          await undo?.();
          dismiss(message);
          document.getElementById('main')?.focus(); // the button goes
        };
        return (
          <div key={message} class={`message ${tone}`}>
            <span>{text}</span>
            {undo && (
              <Action id="undo" run={run} done={texts.common.undone} aria-keyshortcuts="Control+Z">
                {texts.common.undo}
              </Action>
            )}
            <button type="button" aria-label={texts.common.dismiss} onClick={() => dismiss(message)}>
              ×
            </button>
          </div>
        );
      })}
    </div>
  );
};

/** The width of an element, in pixels; `before` until it is known. */
export const useWidth = (before: number) => {
  const [element, setElement] = useState<Element | null>(null);
  const [width, setWidth] = useState(before);
  useEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [width, setElement] as const;
};

/** Formats seconds since 1970, or a date-time, in UTC. */
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

/** Formats a duration in seconds: `45 s`, `3 min`, `2 h 5 min`. */
export const formatSpan = (seconds: number): string => {
  const whole = Math.round(Math.abs(seconds));
  const parts = [
    [Math.floor(whole / 86_400), texts.units.day],
    [Math.floor(whole / 3600) % 24, texts.units.hour],
    [Math.floor(whole / 60) % 60, texts.units.minute],
    [whole % 60, texts.units.second],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return texts.units.none;
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map((part) => part.join(' ')).join(' ');
};
