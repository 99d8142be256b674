import { useEffect, useState } from 'preact/hooks';
import { createRemote } from '../admin/remote.ts';
import type { Control } from '../control/control.ts';
import { LostWorldError, WorldGuard } from '../control/world-guard.ts';
import type { RecordedRequest } from '../journal/entry.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import { followServer, type News, type ServerEvent } from './events.ts';
import { tell } from './parts.tsx';

/** The admin API of the session that the page is of: its own URL without the file. */
const here = new URL('.', location.href).href;

/** The session that the page is of. */
export const session = /\/sessions\/([^/]+)\/__admin\/$/.exec(here)?.[1] ?? defaultSession;

/** The server's own URL, without a slash. */
const root = here.replace(/(?:\/sessions\/[^/]+)?\/__admin\/$/, '');

/** Where the page of another session is, with the same view. */
export const pageOf = (name: string): string =>
  `${root}${name === defaultSession ? '' : `/sessions/${name}`}/__admin/${location.hash}`;

/** What clients of this session take for their base URL. */
export const baseUrl = here.replace(/\/__admin\/$/, '/v1');

const tokenKey = 'gateway-mock-admin-token';
const readToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined;

/** Holds the page to the world that it began with, also once it has another token. */
const guard = new WorldGuard(session);

const openControl = (token: string | undefined): Control =>
  createRemote(here.replace(/\/$/, ''), session, token, guard);

/** Steers the session's world: the very client that programs use. */
export let control = openControl(readToken());

/** Asks for a path of the admin API that is no method of the control, such as `openapi.json`. */
export const fetchHere = (path: string, token: string | undefined = readToken()): Promise<Response> =>
  fetch(here + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

/** How the page stands to the server. */
export type Connection = 'connecting' | 'open' | 'lost' | 'locked';

/** The requests that the page keeps: more than these leave its list, the oldest first. */
const maxRequests = 5000;

interface Live {
  readonly connection: Connection;
  /** Counted up when anything may look different; not more than four times a second. */
  readonly revision: number;
  /** Oldest first, without their bodies. */
  readonly requests: readonly RecordedRequest[];
  /** Counted up when the journal was begun anew: an id may come again, and name another request. */
  readonly era: number;
  /** How many requests the server keeps: none where its journal is off. Undefined until it has told. */
  readonly journal: number | undefined;
  /** Why the world that the page shows is no longer there: the page stays as it is until somebody goes on. */
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

/** Shows that the world is lost, where an error says so: then the page keeps what it shows. */
export const noteLoss = (error: unknown): boolean => {
  if (!(error instanceof LostWorldError)) return false;
  arrived = []; // they may be of another world
  if (live.lost === undefined) set({ lost: error });
  return true;
};

/** Goes on with the world that is there now; a session that was removed is made anew. */
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

/** Begins to listen to the server, for as long as the page is open. */
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

/** Takes the token that the server asks for, and begins anew. @throws Error where the server refuses it */
export const unlock = async (token: string): Promise<void> => {
  if (!/^[ -~\xA0-\xFF]*$/.test(token)) throw new Error('This token has a sign that no header can carry.');
  const { ok, status } = await fetchHere('health', token);
  if (status === 401) throw new Error('The server refuses this token.');
  if (status === 431) throw new Error('This token is too long to be sent.');
  if (!ok) throw new Error(`The server answered ${status}.`);
  sessionStorage.setItem(tokenKey, token);
  control = openControl(token);
  set({ connection: 'connecting' });
  start();
};

/** What was last heard of the stream itself. */
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

/** What came since the list was last shown: rows are added together, since there may be hundreds in a moment. */
let arrived: RecordedRequest[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** What happens after a quiet while is shown at once, and whatever follows four times a second. */
const pause = 250;
let flushed = -pause;

/** The reading of the whole list that is under way: what comes meanwhile waits for it. */
let reading: symbol | undefined;

const readRequests = async (): Promise<void> => {
  const own = Symbol();
  reading = own;
  arrived = [];
  const listed =
    live.journal === 0
      ? []
      : await control.requests
          .list({}, { limit: maxRequests, bodies: false })
          .catch((error: unknown) => (noteLoss(error) ? live.requests : []));
  if (reading !== own) return; // it was begun anew meanwhile
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

/** What is said where the world was replaced on purpose. A session that was removed answers the next question by saying so. */
const notes = new Map([
  ['made', 'This session was made anew.'],
  ['deleted', 'This session was deleted, and begins anew.'],
  ['reloaded', 'The scenario files were loaded anew, so that every session begins anew.'],
]);

const onEvent = ({ type, data }: ServerEvent): void => {
  if (live.lost !== undefined && type !== 'world') return; // it is of another world
  if (type === 'request')
    arrived.push(data as RecordedRequest); // the server's own event
  else if (/^(?:reset|scenario\.load|state\.|requests\.clear)/.test(data.what ?? '')) {
    // What starts the world anew empties its journal.
    reading = undefined;
    arrived = [];
    set({ requests: [], era: live.era + 1 });
  } else if (type === 'world') {
    const note = notes.get(data.what ?? '');
    if (note !== undefined) {
      tell(note);
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

let poll: ReturnType<typeof setInterval> | undefined;

/** Where the journal is off, no event tells of requests, which change records and faults. */
const pollInstead = (isOff: boolean): void => {
  clearInterval(poll);
  poll = isOff ? setInterval(askAnew, 2000) : undefined;
};

let beat: ReturnType<typeof setInterval> | undefined;

/** A clock that runs changes records without an event: everything is asked for again each second. */
export const followClock = (isRunning: boolean): void => {
  if (isRunning) beat ??= setInterval(askAnew, 1000);
  else {
    clearInterval(beat);
    beat = undefined;
  }
};
