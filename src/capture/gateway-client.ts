import type { CheckReply } from '../conformance/check.ts';
import { createHttpTarget, type HttpTargetOptions, pause, type TargetKeys } from '../conformance/client.ts';
import { toPlainText } from '../conformance/texts.ts';
import { isDeeperThan, parseJson, toJsonText, toNumbers } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { createHideKeys, createIsCredential, maskBody } from '../util/mask.ts';
import { messageOf } from '../util/message-of.ts';
import { tryParse } from '../util/try-parse.ts';

/** The address of a real gateway, and how it is called. */
export interface GatewayAddress extends TargetKeys, HttpTargetOptions {
  /** The base URL, which ends in /v1. */
  readonly baseUrl: string;
  /** Called with the number of calls before each of them. */
  readonly onCall?: ((calls: number) => void) | undefined;
}

/** A JSON reply of the gateway. */
export interface Got {
  readonly status: number;
  readonly body: unknown;
  /** Quotes a text of the gateway in a message: removes the keys, and then shortens it. */
  readonly quote: Quote;
}

type Quote = (text: string, length: number) => string;

/** Thrown if a gateway cannot be captured. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

/** Calls a path. With a body, it renders a prompt; all other calls are GET. */
export type Ask = (path: string, query?: string, body?: object) => Promise<Got>;

/** How often a temporarily refused call is tried. */
const maxTries = 4;

const isTemporary = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** Creates a client for a gateway. It makes one call at a time. The credentials in replies are masked. */
export const createAsk = ({ baseUrl, onCall, apiKey, virtualKey, ...options }: GatewayAddress): Ask => {
  const target = createHttpTarget(baseUrl, { apiKey, virtualKey }, {}, { timeout: 30_000, ...options });
  const hide = createHideKeys([apiKey, virtualKey]);
  const isCredential = createIsCredential(options.mask);
  const quote: Quote = (text, length) => `"${toPlainText(hide(text), length)}"`;
  let calls = 0;

  const send = async (path: string, query?: string, body?: object): Promise<CheckReply> => {
    for (let tried = 1; ; tried += 1) {
      if (options.signal?.aborted) throw new CaptureError('interrupted: no file was written.');
      onCall?.(calls);
      calls += 1;
      const headers = body && { 'content-type': 'application/json' };
      const call = {
        path,
        query,
        headers,
        body: body && toJsonText(body),
        method: body ? 'POST' : 'GET',
      } as const;
      const reply = await target.call(call).catch((error: unknown) => {
        if (options.signal?.aborted) throw new CaptureError('interrupted: no file was written.');
        throw new CaptureError(
          `failed to reach ${showUrl(baseUrl)}: ${messageOf(error)}. Check the address, and that the gateway is running.`,
        );
      });
      const isAsked = reply.header('retry-after') !== null; // then the target has waited already
      if (!isTemporary(reply.status) || isAsked || tried === maxTries) return reply;
      await pause(250 * 2 ** tried, options.signal);
    }
  };

  return async (path, query, body) => {
    const reply = await send(path, query, body);
    const { status, text } = reply;
    if (status >= 300 && status < 400)
      throw new CaptureError(
        `${showUrl(baseUrl)}${path} returned ${status}, a redirect to ${showUrl(reply.header('location') ?? 'nowhere')}. Redirects are not followed, to protect the keys. Give the final address.`,
      );
    const read = tryParse(maskBody(text.replace(/^\ufeff/, ''), isCredential), parseJson);
    if (read === undefined)
      throw new CaptureError(
        `${showUrl(baseUrl)}${path} returned ${status}, but not JSON: ${quote(text, 80)}. Check that this is the base URL of a gateway.`,
      );
    if (isDeeperThan(Object(read), limits.depth))
      throw new CaptureError(
        `the reply to ${path} is nested deeper than ${limits.depth} levels, unlike any record.`,
      );
    // In a scenario, only prompts keep the digits of integers beyond 2^53.
    return { status, body: body === undefined ? toNumbers(read) : read, quote };
  };
};

/** Removes credentials from a URL. */
const showUrl = (url: string): string => url.replace(/\/\/[^/@]*@/, '//***@').replace(/\?.*$/, '');

/** The body of a reply with status 200. @throws CaptureError with the gateway's error message */
export const expectOk = ({ status, body, quote }: Got, what: string): unknown => {
  if (status === 200) return body;
  const hint =
    status === 401 || status === 403
      ? ' Check the keys.'
      : status === 404
        ? ' Check the id and the base URL.'
        : '';
  throw new CaptureError(`${what} was refused with ${status}: ${saidIn(body, quote)}${hint}`);
};

/** The message of an error, from any of the usual places in its body. */
const saidIn = (body: unknown, quote: Quote): string => {
  const { error, message } = Object(body);
  const said: unknown = Object(error).message ?? message ?? (typeof error === 'string' ? error : undefined);
  return typeof said === 'string' ? `${quote(said, 300)}.` : 'no reason was given.';
};
