import { readText } from '../conformance/read-text.ts';
import { deepestReason, headersOf, type TargetKeys } from '../conformance/target-call.ts';
import { toPlainText } from '../conformance/texts.ts';
import { isDeeperThan, maxDepth, parseJson, toJsonText, toNumbers } from '../util/json.ts';
import { createHideKeys } from '../util/mask.ts';
import { tryParse } from '../util/try-parse.ts';

/** Where a real gateway is, and how it may be asked. */
export interface GatewayAddress extends TargetKeys {
  /** Ends with /v1. */
  readonly baseUrl: string;
  /** The most calls in a second; undefined for as many as are answered. */
  readonly rate: number | undefined;
}

/** What a call got, where the gateway answered it with JSON. */
export interface Got {
  readonly status: number;
  readonly body: unknown;
  /** A text of the gateway as messages quote it: without the keys, and only then cut. */
  readonly quote: Quote;
}

type Quote = (text: string, length: number) => string;

/** A gateway that cannot be captured from, in words for the one who asked. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

/** Asks one path, with a body to render; no other call changes or costs anything. */
export type Ask = (path: string, body?: object) => Promise<Got>;

/** How often a call is tried that is refused for now. */
const maxTries = 4;

const isForNow = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** Asks a gateway, one call after the other, no faster than its rate. It never follows a redirect: the keys would go along. */
export const createAsk = (target: GatewayAddress): Ask => {
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const hide = createHideKeys([target.apiKey, target.virtualKey]);
  const quote: Quote = (text, length) => `"${toPlainText(hide(text), length)}"`;
  let last: Promise<void> = Promise.resolve();
  return async (path, body) => {
    for (let tried = 1; ; tried += 1) {
      await last;
      if (target.rate !== undefined) last = pause(1000 / target.rate);
      const reply = await send(target, path, body);
      if (isForNow(reply.status) && tried < maxTries) {
        await reply.body?.cancel();
        await pause(waitFor(reply, tried));
        continue;
      }
      const read = await readJson(reply, target, path, quote);
      // Of all that a scenario holds, only prompts keep the digits of integers beyond 2^53.
      return { status: reply.status, body: body === undefined ? toNumbers(read) : read, quote };
    }
  };
};

const send = async (target: GatewayAddress, path: string, body: object | undefined): Promise<Response> => {
  const { baseUrl } = target;
  try {
    return await fetch(baseUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headersOf(target),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : toJsonText(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    throw new CaptureError(
      `failed to reach ${showUrl(baseUrl)}: ${deepestReason(error)}. Please check the address, and that the gateway is up.`,
    );
  }
};

/** A URL may hold a credential of its own. */
const showUrl = (url: string): string => url.replace(/\/\/[^/@]*@/, '//***@').replace(/\?.*$/, '');

/** What `retry-after` asks for, within 30 seconds; else a time that doubles. */
const waitFor = ({ headers }: Response, tried: number): number => {
  const asked = Number(headers.get('retry-after') ?? Number.NaN);
  return asked >= 0 ? Math.min(asked, 30) * 1000 : 250 * 2 ** tried;
};

const readJson = async (
  reply: Response,
  { baseUrl }: GatewayAddress,
  path: string,
  quote: Quote,
): Promise<unknown> => {
  if (reply.status >= 300 && reply.status < 400)
    throw new CaptureError(
      `${showUrl(baseUrl)}${path} answered ${reply.status}, a redirect to ${showUrl(reply.headers.get('location') ?? 'nowhere')}. It is not followed, since the keys would go along: please give the final address.`,
    );
  const text = await readText(reply).catch((error: unknown) => {
    throw new CaptureError(`the answer to ${path} broke off: ${deepestReason(error)}. Please try again.`);
  });
  const body = tryParse(text, parseJson);
  if (body === undefined)
    throw new CaptureError(
      `${showUrl(baseUrl)}${path} answered ${reply.status} with something that is no JSON: ${quote(text, 80)}. Please check that this is the base URL of a gateway.`,
    );
  if (isDeeperThan(Object(body), maxDepth))
    throw new CaptureError(
      `the answer to ${path} nests deeper than ${maxDepth} levels, which no record does.`,
    );
  return body;
};

/** The body of an answer with 200. @throws CaptureError that tells what the gateway said */
export const expectOk = ({ status, body, quote }: Got, what: string): unknown => {
  if (status === 200) return body;
  const hint =
    status === 401 || status === 403
      ? ' Please check the keys.'
      : status === 404
        ? ' Please check the id and the base URL.'
        : '';
  throw new CaptureError(`${what} was refused with ${status}: ${saidIn(body, quote)}${hint}`);
};

/** The words of an error, wherever its body has them. */
const saidIn = (body: unknown, quote: Quote): string => {
  const { error, message } = Object(body);
  const said: unknown = Object(error).message ?? message ?? (typeof error === 'string' ? error : undefined);
  return typeof said === 'string' ? `${quote(said, 300)}.` : 'no reason given.';
};
