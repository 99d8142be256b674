import type { RawCall } from '../protocol/call.ts';

/** Who may steer the server. */
export interface Guard {
  /** Whether a host name or address, without its port, is one of this machine or was allowed. */
  readonly isOwnHost: (hostname: string) => boolean;
  /** What each call must carry, where anything. */
  readonly token?: string | undefined;
}

/** Why a call may not steer the server; undefined where it may. */
export interface GuardRefusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Keeps web pages of other sites out, which reach the server through the browser of whoever runs it: those that call
 * it by a name of their own (DNS rebinding) are told by Host, the others by Origin; and since that is not sent with what
 * a page merely loads, such as an image, by Sec-Fetch-Site, too.
 */
export const refuseStranger = (
  header: RawCall['header'],
  { isOwnHost, token }: Guard,
): GuardRefusal | undefined => {
  const host = header('host') ?? '';
  const hostname = hostnameOf(host);
  if (hostname === undefined || !isOwnHost(hostname))
    return {
      status: 403,
      message: `The admin API is not served to the host "${show(host)}", only to this machine. Allow it with --admin-host ${hostname ?? 'NAME'}.`,
    };
  const origin = header('origin');
  if (origin !== undefined && origin !== `http://${host}`)
    return {
      status: 403,
      message: `A page of "${show(origin)}" may not steer the mock: only one of http://${show(host)} may, or a program that is no page.`,
    };
  const site = header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return {
      status: 403,
      message: `A page of another origin (sec-fetch-site: ${show(site)}) may not reach the mock: only one of http://${show(host)} may, or a program that is no page.`,
    };
  const authorization = header('authorization');
  if (token !== undefined && !isSame(authorization ?? '', `Bearer ${token}`))
    return {
      status: 401,
      message: `${authorization === undefined ? 'The admin API asks for its token' : 'This is not the token of the admin API'}: send the header authorization: Bearer TOKEN.`,
      headers: { 'www-authenticate': 'Bearer' },
    };
  return undefined;
};

/** Whether a browser opens a page, such as by a link from anywhere: then it shows what comes, and gives it to nobody. */
export const isOpenedAsPage = (header: RawCall['header']): boolean =>
  header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';

/** The names and addresses of the machine itself, whatever it listens on. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** The host without its port, as a URL has it; undefined where it is none. */
const hostnameOf = (host: string): string | undefined => {
  const isHost = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?$/.test(host);
  return isHost && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
};

/** Takes as long for each wrong guess of the same length. */
const isSame = (given: string, wanted: string): boolean => {
  let difference = given.length ^ wanted.length;
  for (let at = 0; at < wanted.length; at += 1) difference |= given.charCodeAt(at) ^ wanted.charCodeAt(at);
  return difference === 0;
};

const show = (text: string): string => text.slice(0, 200);
