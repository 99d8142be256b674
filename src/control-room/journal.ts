import type { RecordedRequest } from '../core/journal/recorded-request.ts';
import type { ServerEvent } from '../service/client/event-stream.ts';
import type { SettledRequest } from '../service/control/world-events.ts';
import { control, createStore } from './connection.ts';

/** The latest requests of the session. */
export const journal = createStore({
  /** Oldest first, without bodies. */
  requests: [] as readonly RecordedRequest[],
  /** Incremented when the list is emptied or loaded again: a number may then be that of another request. */
  era: 0,
  /** How many requests the server keeps; 0 if the journal is off. Undefined until it is known. */
  size: undefined as number | undefined,
});

/** The maximum number of requests that the control room keeps. The oldest are dropped. */
export const maxRequests = 5000;

/** Requests that arrived since the list was last shown. They are added together, since there may be hundreds at once. */
let arrived: RecordedRequest[] = [];

/** What became of replies since the list was last shown, by the ids of their requests. */
let settled = new Map<string, SettledRequest>();

/** The reading of the list that is under way. Requests that arrive wait for it. */
let reading: symbol | undefined;

/** Takes what happened to a request. It is shown later. */
export const addEvent = (event: Extract<ServerEvent, { type: 'request' | 'settled' }>): void => {
  if (event.type === 'request') arrived.push(event.request);
  else {
    const { type: _, ...reply } = event;
    settled.set(event.id, reply);
  }
};

export const dropArrived = (): void => {
  arrived = [];
  settled = new Map();
};

/** Adds the requests that have arrived to the list. */
export const showArrived = (): void => {
  if (reading !== undefined || arrived.length + settled.size === 0) return;
  const { requests: before, size = 0 } = journal.get();
  const ordinals = new Set(before.map(({ ordinal }) => ordinal));
  const fresh = arrived.filter(({ ordinal }) => !ordinals.has(ordinal));
  const requests = [...before, ...fresh].slice(-Math.min(size, maxRequests));
  journal.set({ requests: requests.map((request) => ({ ...request, ...settled.get(request.id) })) });
  dropArrived();
};

/** Empties the list, as the server has emptied its journal. */
export const forgetRequests = (): void => {
  reading = undefined;
  dropArrived();
  journal.set({ requests: [], era: journal.get().era + 1 });
};

/** Loads the list in place of what is shown. @throws LostWorldError */
export const readRequests = async (): Promise<void> => {
  const token = Symbol();
  reading = token;
  dropArrived();
  try {
    const requests =
      journal.get().size === 0
        ? []
        : await control.requests.list({}, { limit: maxRequests, bodies: false, kept: true });
    if (reading === token) journal.set({ requests, era: journal.get().era + 1 }); // otherwise, a later reading has begun
  } finally {
    if (reading === token) reading = undefined;
  }
  showArrived();
};
