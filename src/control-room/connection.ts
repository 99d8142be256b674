import { connect, type RemoteControl } from '../admin/remote.ts';
import { defaultSession } from '../protocol/session-name.ts';

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
export const readToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined;

/** Keeps the token until the tab is closed. */
export const keepToken = (token: string): void => sessionStorage.setItem(tokenKey, token);

/** The control of another session. */
export const openSession = (name: string): RemoteControl =>
  connect(pageOf(name).replace(/\/#.*|\/$/s, ''), { token: readToken });

const open = (): RemoteControl => connect(here, { token: readToken });

/** The control of the session. It belongs to the world that the page was opened with, even after it gets another token. */
export let control = open();

/** From now on, `control` belongs to the world that answers next. */
export const reconnect = (): void => {
  control = open();
};
