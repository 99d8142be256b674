import type { FaultUse } from '../../core/faults/faults.ts';
import type { Journal } from '../../core/journal/journal.ts';
import type { RecordedRequest } from '../../core/journal/recorded-request.ts';
import type { Session } from './session.ts';

/** What became of the reply to a request. */
export type SettledRequest = Pick<
  RecordedRequest,
  'id' | 'ordinal' | 'outcome' | 'status' | 'bytes' | 'duration'
>;

/** An event of a world, for subscribers. */
export type WorldEvent =
  | { readonly type: 'request'; readonly request: () => RecordedRequest }
  | { readonly type: 'settled'; readonly request: () => SettledRequest }
  | { readonly type: 'change'; readonly what: string }
  /** A call arrived, also one that the journal does not get. Its reply is made by then, unless the reply takes time. Clients do not get this event; the test fixtures use it. */
  | { readonly type: 'arrived' }
  /** A command that only reads was called, such as `requests.count`. Clients do not get this event; the test fixtures use it. */
  | { readonly type: 'read'; readonly what: string; readonly input: object }
  /** The handler of an own call failed, and the call got a 500. Clients do not get this event; the test fixtures use it. */
  | { readonly type: 'failed'; readonly what: string }
  /**
   * A method such as `reset` removed the faults and the counts of quotas: `hasMatched` if a policy applied to a call. Clients
   * do not get this event; the test fixtures use it.
   */
  | {
      readonly type: 'faults-removed';
      readonly what: string;
      readonly faults: readonly FaultUse[];
      readonly hasMatched: boolean;
    }
  /** The world ended, or was replaced: by `sessions.create`, `sessions.delete`, `--watch`, or because there were too many. */
  | { readonly type: 'world'; readonly what: 'deleted' | 'reloaded' | 'removed' }
  | { readonly type: 'world'; readonly what: 'made'; readonly world: string }
  /** The server is closed: event streams end. */
  | { readonly type: 'closed' };

/** The events that event streams send to clients. */
export type ClientEvent = Exclude<WorldEvent, { type: 'arrived' | 'read' | 'failed' | 'faults-removed' }>;

type WorldListener = (session: string, event: WorldEvent) => void;

/** Passes the events of all worlds to their subscribers. */
export class WorldEvents {
  readonly #listeners = new Set<WorldListener>();

  /** Subscribes to the events of all worlds. Returns a function that unsubscribes. */
  subscribe(listener: WorldListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(session: string, event: WorldEvent): void {
    for (const listener of this.#listeners) listener(session, event);
  }

  follow(session: string, journal: Journal): void {
    journal.subscribe({
      // Each request is made when it is first read: making it takes longer than the call.
      onEntry: (entry) => {
        if (this.#listeners.size === 0) return;
        this.emit(session, { type: 'request', request: () => entry.request });
      },
      onEntrySettled: (entry) => {
        if (this.#listeners.size === 0) return;
        this.emit(session, { type: 'settled', request: () => entry.request });
      },
    });
  }

  /** Reports the faults and quotas of a state that is about to end. */
  reportRemoved({ name, start, state }: Session, what: string): void {
    if (this.#listeners.size === 0) return;
    const faults = state.faults.uses(start.scenario.faults);
    const hasMatched = state.quotas.hasMatched();
    if (faults.length > 0 || hasMatched)
      this.emit(name, { type: 'faults-removed', what, faults, hasMatched });
  }
}

export const isForClients = (event: WorldEvent): event is ClientEvent =>
  !['arrived', 'read', 'failed', 'faults-removed'].includes(event.type);
