import type { RecordedRequest } from '../journal/recorded-request.ts';
import { control } from './connection.ts';
import { createStore } from './store.ts';

/** The latest requests of the session. */
export const journal = createStore({
  /** Oldest first, without bodies. `readOlder` adds those before them. */
  requests: [] as readonly RecordedRequest[],
  /** What is shown while the list is paused. */
  paused: undefined as readonly RecordedRequest[] | undefined,
  /** How many requests the server has kept that come before the loaded ones. */
  older: 0,
  /** Incremented when the journal is emptied: an id may then be used again for another request. */
  era: 0,
  /** How many requests the server keeps; 0 if the journal is off. Undefined until it is known. */
  size: undefined as number | undefined,
});

/** The maximum number of requests that the page keeps. The oldest are dropped. */
const maxRequests = 5000;

/** How many requests are loaded at first, and then at a time, so that no reply takes long to read. */
const [firstPage, furtherPage] = [200, 1000];

/** Requests that arrived since the list was last shown. They are added together, since there may be hundreds at once. */
let arrived: RecordedRequest[] = [];

/** The open request for the latest of the list. New requests wait for it. */
let reading: symbol | undefined;

const withoutKnown = (listed: readonly RecordedRequest[]): RecordedRequest[] => {
  const known = new Set(journal.get().requests.map(({ ordinal }) => ordinal));
  return listed.filter(({ ordinal }) => !known.has(ordinal));
};

export const addArrived = (request: RecordedRequest): void => {
  arrived.push(request);
};

export const dropArrived = (): void => {
  arrived = [];
};

/** Adds the requests that have arrived to the list. */
export const showArrived = (): void => {
  if (reading !== undefined || arrived.length === 0) return;
  const fresh = withoutKnown(arrived);
  arrived = [];
  const { requests: before, older, size = 0 } = journal.get();
  const requests = [...before, ...fresh].slice(-maxRequests);
  // A full journal drops its oldest.
  const kept = Math.min(size, maxRequests);
  journal.set({ requests, older: Math.max(0, Math.min(older, kept - requests.length)) });
};

/** Keeps the list as it is, or continues it. */
export const togglePause = (): void => {
  const { requests, paused } = journal.get();
  journal.set({ paused: paused === undefined ? requests : undefined });
};

/** Empties the list, as the server has emptied its journal. */
export const forgetRequests = (): void => {
  reading = undefined;
  arrived = [];
  journal.set({ requests: [], paused: undefined, older: 0, era: journal.get().era + 1 });
};

const listPage = (limit: number, offset = 0): Promise<RecordedRequest[]> =>
  control.requests.list({}, { limit, offset, bodies: false, kept: true });

/** Loads the latest requests in place of those that are shown. @throws LostWorldError */
export const readRequests = async (): Promise<void> => {
  const own = Symbol();
  reading = own;
  arrived = [];
  try {
    const isOff = journal.get().size === 0;
    const [requests, total] = isOff
      ? [[], 0]
      : await Promise.all([listPage(firstPage), control.requests.count({}, { kept: true })]);
    if (reading !== own) return; // another reading has begun meanwhile
    const older = Math.max(0, Math.min(total, maxRequests) - requests.length);
    journal.set({ requests, older, era: journal.get().era + 1 });
  } finally {
    if (reading === own) reading = undefined;
  }
  showArrived();
};

/** Loads the older requests, page by page. */
export const readOlder = async (): Promise<void> => {
  const { era, older, requests } = journal.get();
  if (older === 0) return;
  // Those that arrive meanwhile move the page, so that it may overlap with what is known.
  const listed = await listPage(Math.min(older, furtherPage), requests.length).catch(() => []);
  if (journal.get().era !== era) return;
  const fresh = withoutKnown(listed);
  const known = journal.get();
  const rest = listed.length === 0 ? 0 : Math.max(0, known.older - fresh.length);
  journal.set({ requests: [...fresh, ...known.requests], older: rest });
  if (fresh.length > 0) await readOlder();
};
