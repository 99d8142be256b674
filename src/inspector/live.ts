import { useEffect, useState } from 'preact/hooks';
import { createRemote } from '../admin/remote.ts';
import type { Control } from '../control/control.ts';
import { LostWorldError, WorldGuard } from '../control/world-guard.ts';
import type { RecordedRequest } from '../journal/entry.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import { followServer, type News, type ServerEvent } from './events.ts';
import { notify } from './parts.tsx';

/** The base URL of the session's admin API: the page's own URL without the file. */
const here = new URL('.', location.href).href;

/** The session that the page shows. */
export const session = /\/sessions\/([^/]+)\/__admin\/$/.exec(here)?.[1] ?? defaultSession;

/** The server's own URL, without a slash. */
const root = here.replace(/(?:\/sessions\/[^/]+)?\/__admin\/$/, '');

/** The URL of the page of another session, with the same view. */
export const pageOf = (name: string): string =>
  `${root}${name === defaultSession ? '' : `/sessions/${name}`}/__admin/${location.hash}`;

/** The base URL for clients of this session. */
export const baseUrl = here.replace(/\/__admin\/$/, '/v1');

const tokenKey = 'gateway-mock-admin-token';
const readToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined;

/** Binds the page to the world that it was opened with, even after it gets another token. */
const guard = new WorldGuard(session);

const openControl = (token: string | undefined): Control =>
  createRemote(here.replace(/\/$/, ''), session, token, guard);

/** The control of the session, by the same client that programs use. */
export let control = openControl(readToken());

/** Requests a path of the admin API that is not a command, such as `openapi.json`. */
export const fetchHere = (path: string, token: string | undefined = readToken()): Promise<Response> =>
  fetch(here + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

/** The state of the connection to the server. */
export type Connection = 'connecting' | 'open' | 'lost' | 'locked';

/** The maximum number of requests that the page keeps. The oldest are dropped. */
const maxRequests = 5000;

interface Live {
  readonly connection: Connection;
  /** Incremented when anything may have changed, at most four times a second. */
  readonly revision: number;
  /** Oldest first, without their bodies. */
  readonly requests: readonly RecordedRequest[];
  /** Incremented when the journal is emptied: an id may then be used again for another request. */
  readonly era: number;
  /** How many requests the server's journal keeps; 0 if it is off. Undefined until it is known. */
  readonly journal: number | undefined;
  /** Why the world that the page shows no longer exists. The page does not change until the user continues. */
  readonly lost: LostWorldError | undefined;
}

let live: Live = {
  connection: 'connecting',
  revision: 0,
  requests: [],
  era: 0,
  journal: undefined,
  lost: undefined,
};
const listeners = new Set<() => void>();

const set = (next: Partial<Live>): void => {
  live = { ...live, ...next };
  for (const listener of listeners) listener();
};

/** A part of the live state, updated as it changes. */
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

/** Marks the world as lost if an error says so. The page then keeps what it shows. */
export const noteLoss = (error: unknown): boolean => {
  if (!(error instanceof LostWorldError)) return false;
  arrived = []; // they may be of another world
  if (live.lost === undefined) set({ lost: error });
  return true;
};

/** Continues with the current world. A removed session is created again. */
export const goOn = async (): Promise<void> => {
  if (live.lost?.isRemoved) await control.sessions.create(session);
  beginAnew();
};

const beginAnew = (): void => {
  guard.forget();
  set({ lost: undefined, era: live.era + 1 });
  void readRequests();
  askAnew();
};

/** Ends what {@link start} began. */
let hangUp = (): void => undefined;

/** Starts to listen to the server. */
export const start = (): void => {
  const admin = `${root}/__admin/`;
  const token = readToken();
  const followAlone = (): void => void followServer(admin, token, onNews);
  hangUp();
  if (!('SharedWorker' in globalThis)) {
    followAlone();
    return;
  }
  // All pages in this browser share one stream.
  const worker = new SharedWorker(`${admin}events-worker.js`, { name: JSON.stringify({ token }) });
  worker.addEventListener('error', followAlone);
  worker.port.onmessage = ({ data }: MessageEvent<News>) => onNews(data);
  hangUp = () => worker.port.close();
};

/** Sets the token and reconnects. @throws Error if the server refuses it */
export const unlock = async (token: string): Promise<void> => {
  if (!/^[ -~\xA0-\xFF]*$/.test(token))
    throw new Error('The token has a character that is not allowed in headers.');
  const { ok, status } = await fetchHere('health', token);
  if (status === 401) throw new Error('The server refuses this token.');
  if (status === 431) throw new Error('The token is too long.');
  if (!ok) throw new Error(`The server returned ${status}.`);
  sessionStorage.setItem(tokenKey, token);
  control = openControl(token);
  set({ connection: 'connecting' });
  start();
};

/** The last message about the stream itself. */
let standing: News | undefined;

const onNews = (news: News): void => {
  if (news.type === 'events') {
    for (const event of news.events) if (event.data.session === session) onEvent(event);
    return;
  }
  standing = news;
  if (news.type === 'open') void catchUp(news);
  else set({ connection: news.type });
};

const catchUp = async (news: News & { readonly type: 'open' }): Promise<void> => {
  set({ journal: news.journal, era: live.era + 1 });
  pollInstead(news.journal === 0);
  await readRequests();
  if (standing === news) set({ connection: 'open', revision: live.revision + 1 });
};

/** Requests that arrived since the list was last shown. They are added together, since there may be hundreds at once. */
let arrived: RecordedRequest[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** The first change is shown immediately, and further ones four times a second. */
const pause = 250;
let flushed = -pause;

/** The open request for the whole list. New requests wait for it. */
let reading: symbol | undefined;

const readRequests = async (): Promise<void> => {
  const own = Symbol();
  reading = own;
  arrived = [];
  const listed =
    live.journal === 0
      ? []
      : await control.requests
          .list({}, { limit: maxRequests, bodies: false, kept: true })
          .catch((error: unknown) => (noteLoss(error) ? live.requests : []));
  if (reading !== own) return; // another reading has begun meanwhile
  reading = undefined;
  set({ requests: listed });
  showArrived();
};

const showArrived = (): void => {
  if (reading !== undefined) return;
  const known = new Set(live.requests.map(({ id }) => id));
  const fresh = arrived.filter(({ id }) => id === '' || !known.has(id));
  arrived = [];
  if (fresh.length > 0) set({ requests: [...live.requests, ...fresh].slice(-maxRequests) });
};

/** Messages for a world that was replaced on purpose. A removed session is reported by the next request. */
const notes = new Map([
  ['made', 'This session was created again.'],
  ['deleted', 'This session was deleted and created again.'],
  ['reloaded', 'The scenario files were reloaded, which restarted all sessions.'],
]);

const onEvent = ({ type, data }: ServerEvent): void => {
  if (live.lost !== undefined && type !== 'world') return; // the event is from another world
  if (type === 'request')
    arrived.push(data as RecordedRequest); // the server's own event
  else if (/^(?:reset|scenario\.load|state\.|requests\.clear)/.test(data.what ?? '')) {
    // Restarting the world empties its journal.
    reading = undefined;
    arrived = [];
    set({ requests: [], era: live.era + 1 });
  } else if (type === 'world') {
    const note = notes.get(data.what ?? '');
    if (note !== undefined) {
      notify(note);
      beginAnew();
    }
  }
  if (timer === undefined) timer = setTimeout(flush, flushed + pause - readStopwatch());
};

const flush = (): void => {
  timer = undefined;
  flushed = readStopwatch();
  showArrived();
  askAnew();
};

const askAnew = (): void => set({ revision: live.revision + 1 });

/** Requests everything again at an interval, in milliseconds, while it is switched on. */
const askEvery = (interval: number): ((isOn: boolean) => void) => {
  let beat: ReturnType<typeof setInterval> | undefined;
  return (isOn) => {
    if (!isOn) clearInterval(beat);
    beat = isOn ? (beat ?? setInterval(askAnew, interval)) : undefined;
  };
};

/** If the journal is off, there are no events for requests, although they change records and faults. */
const pollInstead = askEvery(2000);

/** A running clock changes records without events. */
export const followClock = askEvery(1000);
