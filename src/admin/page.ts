import type { RawCall } from '../protocol/call.ts';
import type { GatewayError } from '../protocol/errors.ts';
import type { AdminReply } from './api.ts';
import { type Guard, isOpenedAsPage, refuseStranger } from './guard.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Nothing comes from elsewhere, nothing that stands in the page itself is run, and no page of others frames it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Which file of the page a path below `/__admin` means; undefined where it is none. */
export const pageFileOf = (below: string): string | undefined =>
  below === '/' ? 'index.html' : /^\/(inspector\.(?:js|css)|events-worker\.js)$/.exec(below)?.[1];

/** Whether a browser may open the page: at a host of this machine, by its address or by a link from anywhere. */
export const mayOpenPage = (header: RawCall['header'], { isOwnHost }: Guard): boolean => {
  const asked: RawCall['header'] = (name) =>
    name === 'sec-fetch-site' && isOpenedAsPage(header) ? undefined : header(name);
  return refuseStranger(asked, { isOwnHost }) === undefined;
};

/**
 * A file of the page that steers the mock by hand; undefined for a host that it is not served to. The page itself is
 * no secret, so that it needs no token: it asks for that. A link may lead to it from anywhere: it opens no session.
 *
 * @param refusal where its session was removed: the page says so, also to those who run no script
 */
export const answerPage = async (
  file: string,
  { path, header }: Pick<RawCall, 'path' | 'header'>,
  guard: Guard,
  refusal: GatewayError | undefined,
): Promise<AdminReply | undefined> => {
  const { isOwnHost } = guard; // without the token
  const isServed =
    file === 'index.html' ? mayOpenPage(header, guard) : refuseStranger(header, { isOwnHost }) === undefined;
  if (!isServed) return undefined;
  // Its own links are relative, so that each session has its page.
  if (path.endsWith('/__admin')) return { status: 308, headers: { location: `${path}/` }, body: '' };
  const { files } = await import('virtual:inspector');
  const isRefused = refusal !== undefined && file === 'index.html';
  return {
    status: isRefused ? refusal.refusal.status : 200,
    headers: {
      'content-type': types[file.split('.').at(-1) ?? ''] ?? 'text/plain',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: isRefused ? withText(files[file] ?? '', refusal.message) : (files[file] ?? ''),
  };
};

/** The page with a text in its place, until its script runs. A name of a session has no sign that HTML would take for more. */
const withText = (html: string, text: string): string =>
  html.replace('<div id="app"></div>', () => `<div id="app"><p>${text}</p></div>`);
