import { signal } from '@preact/signals';
import { createRemote, type WorldLink } from '../admin/remote.ts';
import type { Control } from '../control/types.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { worldHeader } from '../protocol/world-headers.ts';

/** The base URL of the session's admin API: the page's own URL without the file. */
const here = new URL('.', location.href).href;

/** The session that the page shows. */
export const session = /\/sessions\/([^/]+)\/__admin\/$/.exec(here)?.[1] ?? defaultSession;

/** The server's own URL, without a slash. */
export const root = here.replace(/(?:\/sessions\/[^/]+)?\/__admin\/$/, '');

/** The URL of the page of another session, with the same view. */
export const pageOf = (name: string): string =>
  `${root}${name === defaultSession ? '' : `/sessions/${name}`}/__admin/${location.hash}`;

/** The base URL for clients of this session. */
export const baseUrl = here.replace(/\/__admin\/$/, '/v1');

const tokenKey = 'gateway-mock-admin-token';

/** The admin token, if the user has given one. */
export const credential = signal({ token: sessionStorage.getItem(tokenKey) ?? undefined });
const readToken = (): string | undefined => credential.peek().token;

/** Keeps the token until the tab is closed. */
export const keepToken = (token: string): void => {
  sessionStorage.setItem(tokenKey, token);
  credential.value = { token };
};

/** Binds the page to the world that it was opened with, even after it gets another token. */
export const link: WorldLink = { known: {} };

/** The control of the session, by the same client that programs use. @param stop ends its open calls */
export const openControl = (stop?: AbortSignal): Control =>
  createRemote(here.replace(/\/$/, ''), session, readToken, link, stop);

export const control = openControl();

/** The control of another session. */
export const openSession = (name: string): Control =>
  createRemote(pageOf(name).replace(/\/#.*|\/$/s, ''), name, readToken);

/** Requests a path of the admin API that is not a command, such as `openapi.json`; of the page's world, if it is known. */
export const fetchHere = (path: string, init?: RequestInit, token = readToken()): Promise<Response> =>
  fetch(here + path, {
    ...init,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(link.known?.world !== undefined && { [worldHeader]: link.known.world }),
    },
  });
