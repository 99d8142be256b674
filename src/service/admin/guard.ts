import type { Call } from '../../core/protocol/call.ts';
import type { Refusal } from '../../core/protocol/errors.ts';
import { truncate } from '../../core/util/truncate.ts';

/** Who may use the admin API. */
export interface Guard {
  /** Whether a host name or address, without its port, belongs to this machine or was allowed. */
  readonly isOwnHost: (hostname: string) => boolean;
  /** The token that each call must carry, if any. */
  readonly token?: string | undefined;
}

/**
 * Why a call may not use the admin API; undefined if it may. This keeps out web pages of other sites, which reach the server through
 * the user's browser. The Host header reveals pages that use a host name of their own for this machine (DNS rebinding), the Origin
 * header all other scripts. For images and the like, browsers send Sec-Fetch-Site in place of Origin.
 */
export const whyRefused = (header: Call['header'], { isOwnHost, token }: Guard): Refusal | undefined => {
  const host = header('host') ?? '';
  const hostname = hostnameOf(host);
  if (hostname === undefined || !isOwnHost(hostname))
    return {
      status: 403,
      message: `The admin API accepts requests only for localhost and --admin-host names, but the host is "${truncate(host)}". To allow it, start the server with --admin-host ${hostname ?? 'NAME'}.`,
    };
  const origin = header('origin') ?? `http://${host}`;
  const site = header('sec-fetch-site') ?? 'none';
  const isOwnPage = origin === `http://${host}` || origin === `https://${host}`;
  if (!isOwnPage || !['same-origin', 'none'].includes(site)) {
    const page = isOwnPage ? `another origin (sec-fetch-site: ${truncate(site)})` : `"${truncate(origin)}"`;
    return {
      status: 403,
      message: `The admin API refuses requests from web pages of ${page}. It accepts them from pages of ${truncate(host)} itself, and from programs that are not browsers.`,
    };
  }
  const authorization = header('authorization');
  if (token !== undefined && !isSame(authorization ?? '', `Bearer ${token}`))
    return {
      status: 401,
      message: `${authorization === undefined ? 'The admin token is missing' : 'The admin token is wrong'}: send the header authorization: Bearer TOKEN.`,
      headers: { 'www-authenticate': 'Bearer' },
    };
  return undefined;
};

/** Whether a browser opens a page, for example by a link: it shows the reply, and no other page can read it. */
export const isOpenedAsPage = (header: Call['header']): boolean =>
  header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';

/** The host without its port, in the form of URLs; undefined if it is invalid. */
const hostnameOf = (host: string): string | undefined => {
  const isHost = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?$/.test(host);
  return isHost && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
};

/** Takes the same time for every wrong guess of the same length. */
const isSame = (token: string, wanted: string): boolean => {
  let difference = token.length ^ wanted.length;
  for (let at = 0; at < wanted.length; at += 1) difference |= token.charCodeAt(at) ^ wanted.charCodeAt(at);
  return difference === 0;
};
