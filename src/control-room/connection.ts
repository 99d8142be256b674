import { useSyncExternalStore } from 'react';
import { defaultSession } from '../core/protocol/session-name.ts';
import { connect, type RemoteControl } from '../service/client/connect.ts';

/** A state that components of several panels read. */
export const createStore = <State extends object>(initial: State) => {
  let state = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: (): State => state,
    set: (changed: Partial<State>): void => {
      state = { ...state, ...changed };
      for (const listener of listeners) listener();
    },
    subscribe,
    /** Renders again once what is selected is another value. Select what the state has; make no new object. */
    use: <Value>(select: (state: State) => Value): Value =>
      useSyncExternalStore(subscribe, () => select(state)),
  };
};

/** The base URL of the session's admin API: its own URL without the file. */
const here = new URL('.', location.href).href;

/** The session that is shown. */
export const session = /\/sessions\/([^/]+)\/__admin\/$/.exec(here)?.[1] ?? defaultSession;

/** The server's own URL, without a slash. */
export const root = here.replace(/(?:\/sessions\/[^/]+)?\/__admin\/$/, '');

/** The link to the control room of a session, with the same view. */
export const linkOf = (name: string): string =>
  `${root}${name === defaultSession ? '' : `/sessions/${name}`}/__admin/${location.hash}`;

/** The base URL for clients of this session. */
export const baseUrl = here.replace(/\/__admin\/$/, '/v1');

const tokenKey = 'gateway-mock-admin-token';

/** The admin token, if the user has given one. */
const readToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined;

/** Keeps the token until the tab is closed. */
export const keepToken = (token: string): void => sessionStorage.setItem(tokenKey, token);

/** The control of another session. */
export const controlSession = (name: string): RemoteControl =>
  connect(linkOf(name).replace(/\/#.*|\/$/s, ''), { token: readToken });

const open = (): RemoteControl => connect(here, { token: readToken });

/** The control of the session. It belongs to the world that the control room was opened with, even after it gets another token. */
export let control = open();

/** From now on, `control` belongs to the world that answers next. */
export const reconnect = (): void => {
  control = open();
};

/** What is known about the server. */
export const live = createStore({
  connection: 'connecting' as 'connecting' | 'open' | 'lost' | 'locked',
  /** Whether the world that is shown no longer exists. Nothing changes until the user continues. */
  isLost: false,
  /** Incremented when anything may have changed, at most five times a second. 0 until the first connection. */
  revision: 0,
});

/** Loads everything that is shown again. */
export const refresh = (): void => live.set({ revision: live.get().revision + 1 });
