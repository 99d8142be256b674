// Components that several panels share.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseJson, toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';

import { parseRoute, toHash } from './route.ts';

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
  <span class={`badge ${tone}`} title={title ?? (typeof children === 'string' ? children : undefined)}>
    {children}
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
  /** The label if there is no heading. */
  readonly label?: string | undefined;
}) => (
  <section class="card" aria-label={title ?? label}>
    {(title !== undefined || aside !== undefined) && (
      <header>
        {title !== undefined && <h2>{title}</h2>}
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
    )}
    {children}
  </section>
);

/** A link to a record. */
export const RecordLink = ({ kind, id, title }: RecordLinkProps) => (
  <a class="mono" href={toHash('data', [kind, id])} title={title}>
    {id}
  </a>
);

interface RecordLinkProps {
  readonly kind: string;
  readonly id: string;
  readonly title?: string;
}

/** The text for an empty list. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="empty">{children}</p>
);

export const Failure = ({ message }: { readonly message: string | undefined }) =>
  message === undefined ? null : (
    <p class="failure" role="alert">
      {message}
    </p>
  );

/** A button for an action on the server. It cannot be pressed again until that has finished. */
export const Action = ({
  run,
  done,
  fail = (message) => message !== undefined && notify(message, 'bad'),
  disabled = false,
  children,
  ...rest
}: {
  readonly run: () => Promise<unknown>;
  /** The message when it is done, such as "The fault was removed". */
  readonly done?: string | undefined;
  /** Shows an error where it belongs, such as at a field; called with undefined to remove it. Default: `notify`. */
  readonly fail?: (message: string | undefined) => void;
  readonly children: ComponentChildren;
} & Omit<JSX.IntrinsicElements['button'], 'onClick' | 'children'>) => {
  const [isBusy, setBusy] = useState(false);
  const onClick = async (): Promise<void> => {
    setBusy(true);
    try {
      await run();
      fail(undefined);
      if (done !== undefined) notify(done);
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

/** Any value as JSON. */
export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  // It scrolls, so it must be reachable by keyboard.
  <pre class="json" tabIndex={0} role="region" aria-label={label}>
    {typeof value === 'string' ? prettify(value) : toJsonText(value, 2)}
  </pre>
);

const prettify = (text: string): string => {
  try {
    return toJsonText(parseJson(text), 2);
  } catch {
    return text;
  }
};

/** A button that copies a text to the clipboard. */
export const Copy = ({ text, children }: { readonly text: string; readonly children: ComponentChildren }) => (
  <Action run={() => navigator.clipboard.writeText(text)} done="Copied">
    {children}
  </Action>
);

/** Downloads a text as a file. */
export const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

interface Message {
  readonly text: string;
  readonly tone: Tone;
  readonly ordinal: number;
  /** The view in which it was shown; it disappears with that view. */
  readonly view: string;
}

const viewHere = (): string => {
  const { panel, rest } = parseRoute(location.hash);
  return toHash(panel, rest);
};

let ordinal = 0;
let showMessage: (message: Message) => void = () => undefined;

/** Shows a message for a while. Screen readers announce it. */
export const notify = (text: string, tone: Tone = 'good'): void => {
  ordinal += 1;
  showMessage({ text, tone, ordinal, view: viewHere() });
};

/** The place where {@link notify} shows messages. */
export const Messages = () => {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  const drop = (one: Message): void => setMessages((all) => all.filter((other) => other !== one));
  useEffect(() => {
    showMessage = (message) => {
      setMessages((all) => [...all.slice(-2), message]);
      // An error stays until it is closed.
      if (message.tone !== 'bad') timers.current.add(setTimeout(() => drop(message), 4000));
    };
    const onView = (): void => setMessages((all) => all.filter(({ view }) => view === viewHere()));
    addEventListener('hashchange', onView);
    return () => {
      removeEventListener('hashchange', onView);
      for (const timer of timers.current) clearTimeout(timer);
    };
  }, []);
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.map((message) => (
        <div key={message.ordinal} class={`message ${message.tone}`}>
          <span>{message.text}</span>
          <button type="button" aria-label="Dismiss" onClick={() => drop(message)}>
            ×
          </button>
        </div>
      ))}
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
