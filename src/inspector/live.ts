import { useEffect, useRef, useState } from 'preact/hooks';
import { connect } from '../admin/remote.ts';
import type { Control } from '../control.ts';
import type { RecordedRequest } from '../journal/entry.ts';
import { defaultSession } from '../protocol/session-name.ts';

/** The admin API of the session that the page is of: its own URL without the file. */
const here = new URL('.', location.href).href;

/** The session that the page is of. */
export const session = /\/sessions\/([^/]+)\/__admin\/$/.exec(here)?.[1] ?? defaultSession;

/** Where the page of another session is, with the same view. */
export const pageOf = (name: string): string => {
  const root = here.replace(/(?:\/sessions\/[^/]+)?\/__admin\/$/, '');
  return `${root}${name === defaultSession ? '' : `/sessions/${name}`}/__admin/${location.hash}`;
};

/** What clients of this session take for their base URL. */
export const baseUrl = here.replace(/\/__admin\/$/, '/v1');

const tokenKey = 'gateway-mock-admin-token';
const readToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined;

/** Steers the session's world: the very client that programs use. */
export let control: Control = connect(here, { token: readToken() });

/** Asks for a path of the admin API that is no method of the control, such as `openapi.json`. */
export const fetchHere = (
  path: string,
  { token = readToken(), signal }: FetchOptions = {},
): Promise<Response> =>
  fetch(here + path, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: signal ?? null,
  });

interface FetchOptions {
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/** How the page stands to the server. */
export type Connection = 'connecting' | 'open' | 'lost' | 'locked';

/** The requests that the page keeps: more than these leave its list, the oldest first. */
export const maxRequests = 5000;

interface Live {
  readonly connection: Connection;
  /** Counted up when anything may look different; not more than four times a second. */
  readonly revision: number;
  /** Oldest first, without their bodies. */
  readonly requests: readonly RecordedRequest[];
}

let live: Live = { connection: 'connecting', revision: 0, requests: [] };
const listeners = new Set<() => void>();

const set = (next: Partial<Live>): void => {
  live = { ...live, ...next };
  for (const listener of listeners) listener();
};

/** A part of what is known of the server, as it changes. */
export const useLive = <Name extends keyof Live>(name: Name): Live[Name] => {
  const [value, setValue] = useState<Live[Name]>(live[name]);
  useEffect(() => {
    const onChange = (): void => setValue(() => live[name]);
    onChange();
    listeners.add(onChange);
    return () => {
      listeners.delete(onChange);
    };
  }, [name]);
  return value;
};

/** What an asynchronous question was answered. */
export interface Asked<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
}

/**
 * Asks the server, and asks again when anything there has changed. The answer stays until the next one is there, so
 * that nothing flickers and the focus is not lost.
 *
 * @param inputs what the question depends on: to another one, the old answer is none
 * @param details what it depends on, too; meanwhile the answer to nearly the same question stays
 */
export const useAsk = <Value>(
  ask: () => Promise<Value>,
  inputs: readonly unknown[] = [],
  details: readonly unknown[] = [],
): Asked<Value> => {
  const revision = useLive('revision');
  const key = JSON.stringify(inputs);
  const [asked, setAsked] = useState<Asked<Value> & { readonly key: string }>({ key, ...unanswered });
  const turns = useRef({ asked: 0, answered: 0 });
  useEffect(() => {
    turns.current.asked += 1;
    const turn = turns.current.asked;
    const settle = (next: (last: Asked<Value>) => Asked<Value>): void => {
      if (turn < turns.current.answered) return; // a later question was answered first
      turns.current.answered = turn;
      setAsked((last) => ({ key, ...next(last.key === key ? last : unanswered) }));
    };
    ask().then(
      (value) => settle(() => ({ value, error: undefined })),
      (error: unknown) => settle(({ value }) => ({ value, error: messageOf(error) })),
    );
  }, [revision, key, JSON.stringify(details)]);
  return asked.key === key ? asked : unanswered;
};

const unanswered = { value: undefined, error: undefined };

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Begins to listen to the server, for as long as the page is open. */
export const start = async (): Promise<void> => {
  let pause = 500;
  for (;;) {
    try {
      await listen(() => {
        pause = 500;
      });
    } catch {
      // Told by `connection`, below.
    }
    if (live.connection === 'locked') return;
    set({ connection: 'lost' });
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 5000);
  }
};

/** Takes the token that the server asks for, and begins anew. @throws Error where the server refuses it */
export const unlock = async (token: string): Promise<void> => {
  const { status } = await fetchHere('health', { token });
  if (status === 401) throw new Error('The server refuses this token.');
  sessionStorage.setItem(tokenKey, token);
  control = connect(here, { token });
  set({ connection: 'connecting' });
  void start();
};

/** The server says something every 15 seconds. One that has fallen silent is as good as gone. */
const maxSilence = 40_000;

const listen = async (onOpen: () => void): Promise<void> => {
  const silence = new AbortController();
  const within = <Value>(answer: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(() => silence.abort(), maxSilence);
    return answer.finally(() => clearTimeout(timer));
  };
  // `EventSource` can carry no token.
  const response = await within(fetchHere('events?bodies=false', { signal: silence.signal }));
  if (response.status === 401) {
    set({ connection: 'locked' });
    return;
  }
  if (!response.ok || response.body === null) throw new Error(`The server answered ${response.status}.`);
  onOpen();
  await readRequests();
  set({ connection: 'open', revision: live.revision + 1 });
  let left = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await within(reader.read()); !part.done; part = await within(reader.read())) {
    const events = (left + part.value).split('\n\n');
    left = events.pop() ?? '';
    for (const event of events) onEvent(event);
  }
};

const readRequests = async (): Promise<void> => {
  arrived = [];
  // A journal that is off has none.
  const requests = await control.requests.list({}, { limit: maxRequests, bodies: false }).catch(() => []);
  set({ requests });
};

/** What came since the list was last shown: rows are added together, since there may be hundreds in a moment. */
let arrived: RecordedRequest[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

const onEvent = (text: string): void => {
  const [, type, data = '{}'] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? [];
  if (type === 'request')
    arrived.push(JSON.parse(data) as RecordedRequest); // the server's own event
  else if (type === 'change') {
    // What starts the world anew empties its journal.
    if (/^(?:reset|scenario\.load|state\.|requests\.clear|sessions\.)/.test(String(JSON.parse(data).what)))
      void readRequests();
  } else return;
  if (timer === undefined) timer = setTimeout(flush, 250);
};

const flush = (): void => {
  timer = undefined;
  const known = new Set(live.requests.slice(-maxRequests).map(({ id }) => id));
  const fresh = arrived.filter(({ id }) => id === '' || !known.has(id));
  arrived = [];
  set({ requests: [...live.requests, ...fresh].slice(-maxRequests), revision: live.revision + 1 });
};

let beat: ReturnType<typeof setInterval> | undefined;

/** A clock that runs changes records without an event: everything is asked for again each second. */
export const followClock = (isRunning: boolean): void => {
  if (isRunning) beat ??= setInterval(() => set({ revision: live.revision + 1 }), 1000);
  else {
    clearInterval(beat);
    beat = undefined;
  }
};
