import { useSyncExternalStore } from 'react';
import { tryParse } from '../core/util/try-parse.ts';

/** What the control room shows. It is in the URL, after the #, so that it can be shared. */
export interface Route {
  /** The id of a panel, such as `requests`; empty if the link names none. */
  readonly panel: string;
  /** The open item, such as the id of a request; decoded. */
  readonly rest: readonly string[];
  /** Filters and other settings. */
  readonly query: Readonly<Record<string, string>>;
}

export const parseRoute = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?');
  const [panel = '', ...rest] = path.split('/').map(decode);
  return {
    panel,
    rest: rest.filter((part) => part !== ''),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
};

const decode = (part: string): string => tryParse(part, decodeURIComponent) ?? part;

/** The link to a view: `toHash('data', ['runs', 'run_1'], { thread: 'thread_demo' })`. */
export const toHash = (
  panel: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string | undefined>> = {},
): string => {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
  return `#/${[panel, ...rest].map(encodeURIComponent).join('/')}${search}`;
};

/** Opens a view, at once. `replace` adds no entry to the browser's history, such as while typing a filter. */
export const go = (hash: string, { replace = false } = {}): void => {
  if (hash === location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange')); // the browser has it only for links and its own buttons
};

/** Moves the focus to the content, such as when the pressed button goes. */
export const focusMain = (): void => document.getElementById('main')?.focus();

/** Changes parameters of the view without an entry in the browser's history. Empty ones are removed. */
export const setQuery = (changed: Readonly<Record<string, string | undefined>>): void => {
  const { panel, rest, query } = readRoute();
  go(toHash(panel, rest, { ...query, ...changed }), { replace: true });
};

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

let current = { hash: location.hash, route: parseRoute(location.hash) };

const readRoute = (): Route => {
  if (current.hash !== location.hash) current = { hash: location.hash, route: parseRoute(location.hash) };
  return current.route;
};

export const useRoute = (): Route => useSyncExternalStore(subscribe, readRoute);
