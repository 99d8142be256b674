import { gunzipSync } from 'node:zlib';
import type { Call } from '../../core/protocol/call.ts';
import { ownValue } from '../../core/util/mapping.ts';
import type { AdminReply } from './admin-replies.ts';
import { type Guard, isOpenedAsPage, whyRefused } from './guard.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** No content from other origins, no inline scripts, and no frames on other pages. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // React and its components set styles on elements
  "connect-src 'self'",
  "img-src 'self' data:",
  'font-src data:', // they are in the styles
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Loads the control room, which takes 2 ms the first time. */
export const loadPage = () => import('virtual:control-room');

/**
 * A file of the control room; undefined if the call is not for a file, or is refused. The control room is not secret, so it needs
 * no token: it asks the user for the token. Any site may link to it, since opening it does not open a session.
 *
 * @param below the path below `/__admin`
 */
export const answerControlRoom = async (
  below: string,
  call: Call,
  guard: Guard,
): Promise<AdminReply | undefined> => {
  const file = fileOf(below, call);
  if (file === undefined) return undefined;
  const { path, header } = call;
  const { isOwnHost } = guard; // checked without the token
  const isServed =
    file === 'index.html' ? mayOpenPage(header, guard) : whyRefused(header, { isOwnHost }) === undefined;
  if (!isServed) return undefined;
  // The links of the control room are relative, so that they stay within the session.
  if (path.endsWith('/__admin')) return { status: 308, headers: { location: `${path}/` }, body: '' };
  const { files } = await loadPage();
  const zipped = ownValue(files, file);
  if (zipped === undefined) return undefined;
  const bytes = Buffer.from(zipped, 'base64');
  const isZipped = takesGzip.test(header('accept-encoding') ?? '');
  return {
    status: 200,
    headers: {
      // The name of an asset contains the hash of its content.
      'cache-control': file === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
      'content-type': types[file.split('.').at(-1) ?? ''] ?? 'text/plain',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(isZipped && { 'content-encoding': 'gzip' }),
    },
    body: isZipped ? bytes : gunzipSync(bytes),
  };
};

/** The file of the control room that a call asks for; undefined if it asks for none. At `/`, a program gets the list of commands instead. */
const fileOf = (below: string, { method, header }: Call): string | undefined => {
  if (!['GET', 'HEAD'].includes(method)) return undefined;
  return below === '/' && header('accept')?.includes('text/html')
    ? 'index.html'
    : /^\/(assets\/[\w.-]+)$/.exec(below)?.[1];
};

/** Whether a browser may open the control room: at a host of this machine, by its address or by a link from anywhere. */
export const mayOpenPage = (header: Call['header'], { isOwnHost }: Guard): boolean => {
  const withoutSite: Call['header'] = (name) =>
    name === 'sec-fetch-site' && isOpenedAsPage(header) ? undefined : header(name);
  return whyRefused(withoutSite, { isOwnHost }) === undefined;
};

/** Whether a client takes gzip, by its `accept-encoding`. */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?![.\d]*[1-9]))/i;
