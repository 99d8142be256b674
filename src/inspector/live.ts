import { batch, effect, signal } from '@preact/signals';
import { LostWorldError } from '../admin/remote.ts';
import type { RecordedRequest } from '../journal/recorded-request.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import { followServer, type News, type ServerEvent } from './events.ts';
import { notify } from './messages.ts';
import { control, credential, fetchHere, keepToken, link, root, session } from './session.ts';
import { texts } from './texts.ts';

const t = texts.app;

/** The state of the connection to the server. */
export const connection = signal<'connecting' | 'open' | 'lost' | 'locked'>('connecting');

/** Incremented when anything may have changed, at most four times a second. */
export const revision = signal(0);

/** The latest requests of the journal: oldest first, without bodies. {@link readOlder} adds those before them. */
export const requests = signal<readonly RecordedRequest[]>([]);

/** How many requests the journal has kept that come before the loaded ones. */
export const older = signal(0);

/** Incremented when the journal is emptied: an id may then be used again for another request. */
export const era = signal(0);

/** How many requests the server's journal keeps; 0 if it is off. Undefined until it is known. */
export const journal = signal<number>();

/** Why the world that the page shows no longer exists. The page does not change until the user continues. */
export const lost = signal<'deleted' | 'removed' | 'replaced'>();

/** The maximum number of requests that the page keeps. The oldest are dropped. */
const maxRequests = 5000;

/** Requests that arrived since the list was last shown. They are added together, since there may be hundreds at once. */
const arrived: RecordedRequest[] = [];

/** How many requests are loaded at first, and at least with each further page. */
const pageSize = 200;

/** The open request for a part of the list. New requests wait for it. */
const reading = signal<symbol>();

/** The last message about the stream itself. */
const standing = signal<News>();

/** Loads everything again. */
export const askAnew = (): void => {
  revision.value += 1;
};

/** Marks the world as lost if an error says so. The page then keeps what it shows. */
export const noteLoss = (error: unknown): boolean => {
  if (!(error instanceof LostWorldError)) return false;
  arrived.length = 0; // they may be of another world
  lost.value ??= error.isRemoved ? 'removed' : 'replaced';
  return true;
};

/** Continues with the current world. A session that was deleted or removed is created again. */
export const goOn = async (): Promise<void> => {
  link.known = {};
  if (lost.value === 'removed' && !(await control.sessions.list()).includes(session))
    await control.sessions.create(session);
  else await control.clock.now();
  beginAnew();
};

const beginAnew = (): void => {
  batch(() => {
    lost.value = undefined;
    era.value += 1;
    askAnew();
  });
  void readRequests();
};

/** Listens to the server; again with each new token. */
export const start = (): void => {
  effect(() => {
    const admin = `${root}/__admin/`;
    const { token } = credential.value;
    const followAlone = (): void => void followServer(admin, token, onNews);
    if (!('SharedWorker' in globalThis)) {
      followAlone();
      return undefined;
    }
    // All pages in this browser share one stream.
    const worker = new SharedWorker(`${admin}events-worker.js`, {
      name: JSON.stringify({ token }),
    });
    worker.addEventListener('error', followAlone);
    worker.port.onmessage = ({ data }: MessageEvent<News>) => onNews(data);
    return () => worker.port.close();
  });
};

/** Sets the token and reconnects. @throws Error if the server refuses it */
export const unlock = async (given: string): Promise<void> => {
  if (!/^[ -~\xA0-\xFF]*$/.test(given)) throw new Error(t.tokenCharacter);
  const { ok, status } = await fetchHere('health', {}, given);
  if (status === 401) throw new Error(t.tokenRefused);
  if (status === 431) throw new Error(t.tokenTooLong);
  // 412: the token is right, but the world is lost, which the next call reports.
  if (!ok && status !== 412) throw new Error(t.returned(status));
  connection.value = 'connecting';
  keepToken(given);
};

const onNews = (news: News): void => {
  if (news.type === 'events') {
    for (const event of news.events) if (event.data.session === session) onEvent(event);
    return;
  }
  standing.value = news;
  if (news.type !== 'open') connection.value = news.type;
  else if (isAnswered) void catchUp();
};

/** Whether the call that finds the page's world has been answered. */
let isAnswered = false;

/** Goes on once that call was answered: only then others are sent. */
export const noteFirstAnswer = (): void => {
  isAnswered = true;
  if (link.known?.world !== undefined || connection.peek() === 'connecting') void catchUp();
};

/** Loads what may have changed before the stream began. */
const catchUp = async (): Promise<void> => {
  const news = standing.peek();
  if (news?.type !== 'open') return;
  journal.value = news.journal;
  era.value += 1;
  await readRequests();
  if (standing.peek() !== news) return;
  connection.value = 'open';
  askAnew();
};

const readRequests = async (): Promise<void> => {
  if (link.known?.world === undefined) return; // they are read once it is known
  const own = Symbol();
  reading.value = own;
  arrived.length = 0;
  const known = requests.value;
  const nothing: readonly RecordedRequest[] = [];
  const [listed, total] = await Promise.all(
    journal.value === 0
      ? [nothing, 0]
      : [
          control.requests.list({}, { limit: pageSize, bodies: false, kept: true }),
          control.requests.count({}, { kept: true }),
        ],
  ).catch((error: unknown) => [noteLoss(error) ? known : nothing, 0] as const);
  if (reading.value !== own) return; // another reading has begun meanwhile
  batch(() => {
    reading.value = undefined;
    requests.value = listed;
    older.value = Math.max(0, Math.min(total, maxRequests) - listed.length);
    showArrived();
  });
};

/** Loads a page of older requests: at least as many as given, if there are so many. */
export const readOlder = async (count = maxRequests): Promise<void> => {
  if (reading.value !== undefined || older.value === 0) return;
  const own = Symbol();
  reading.value = own;
  const limit = Math.min(older.value, Math.max(pageSize, count));
  const listed = await control.requests
    // Those that arrive meanwhile move the page, so that it may overlap with what is known.
    .list({}, { limit, offset: requests.value.length, bodies: false, kept: true })
    .catch((error: unknown) => {
      noteLoss(error);
      return [];
    });
  if (reading.value !== own) return;
  batch(() => {
    reading.value = undefined;
    const fresh = withoutKnown(listed);
    requests.value = [...fresh, ...requests.value];
    older.value = fresh.length === 0 ? 0 : older.value - fresh.length;
    showArrived();
  });
};

const withoutKnown = (listed: readonly RecordedRequest[]): RecordedRequest[] => {
  const known = new Set(requests.value.map(({ ordinal }) => ordinal));
  return listed.filter(({ ordinal }) => !known.has(ordinal));
};

const showArrived = (): void => {
  if (reading.value !== undefined) return;
  const fresh = withoutKnown(arrived.splice(0));
  if (fresh.length === 0) return;
  requests.value = [...requests.value, ...fresh].slice(-maxRequests);
  // A full journal drops its oldest.
  const kept = Math.min(journal.value ?? 0, maxRequests);
  older.value = Math.max(0, Math.min(older.value, kept - requests.value.length));
};

/** Messages for a world that was replaced on purpose. A removed session is reported by the next request. */
const notes = new Map([
  ['made', t.created],
  ['reloaded', t.reloaded],
]);

const onEvent = ({ type, data }: ServerEvent): void => {
  if (lost.value !== undefined && type !== 'world') return; // the event is from another world
  if (type === 'request')
    arrived.push(data as RecordedRequest); // the server's own event
  else if (/^(?:reset|scenario\.load|state\.|requests\.clear)/.test(data.what ?? '')) {
    // Restarting the world empties its journal.
    reading.value = undefined;
    arrived.length = 0;
    requests.value = [];
    older.value = 0;
    era.value += 1;
  } else if (type === 'world') {
    if (data.what === 'deleted') {
      lost.value = 'deleted';
      return;
    }
    const note = notes.get(data.what ?? '');
    // The page knows the world that it created itself.
    if (note !== undefined && (data.world === undefined || data.world !== link.known?.world)) {
      link.known = { world: data.world };
      notify(note);
      beginAnew();
    }
  }
  flushSoon();
};

/** Calls the first time immediately, and then at most once in each interval, in milliseconds. */
const throttle = (interval: number, run: () => void): (() => void) => {
  let last = -interval;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const call = (): void => {
    timer = undefined;
    last = readStopwatch();
    run();
  };
  return () => {
    if (timer === undefined) timer = setTimeout(call, last + interval - readStopwatch());
  };
};

const flushSoon = throttle(250, () =>
  batch(() => {
    showArrived();
    askAnew();
  }),
);

// If the journal is off, there are no events for requests, although they change records and faults.
effect(() => {
  if (journal.value !== 0) return undefined;
  const timer = setInterval(askAnew, 2000);
  return () => clearInterval(timer);
});
