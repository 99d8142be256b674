import { readText } from '../conformance/read-text.ts';
import { createTurns, deepestReason, headersOf, type TargetKeys } from '../conformance/target-call.ts';
import { toPlainText } from '../conformance/texts.ts';
import { isDeeperThan, parseJson, toJsonText, toNumbers } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { createHideKeys, type IsCredential, maskBody } from '../util/mask.ts';
import { tryParse } from '../util/try-parse.ts';

/** The address of a real gateway, and the keys and the rate for calls. */
export interface GatewayAddress extends TargetKeys {
  /** The base URL, which ends in /v1. */
  readonly baseUrl: string;
  /** The maximum number of calls per second; undefined for no limit. */
  readonly rate: number | undefined;
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
export type Ask = (path: string, body?: object) => Promise<Got>;

/** How often a temporarily refused call is tried. */
const maxTries = 4;

const isTemporary = (status: number): boolean => [429, 502, 503, 504].includes(status);

/**
 * Creates a client for a gateway. It makes one call at a time, no faster than the rate, and follows no redirects, which would send
 * the keys along. The credentials in replies are masked.
 */
export const createAsk = (target: GatewayAddress, isCredential: IsCredential): Ask => {
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const hide = createHideKeys([target.apiKey, target.virtualKey]);
  const quote: Quote = (text, length) => `"${toPlainText(hide(text), length)}"`;
  const waitForTurn = createTurns(1000 / (target.rate ?? Number.POSITIVE_INFINITY));
  return async (path, body) => {
    for (let tried = 1; ; tried += 1) {
      await waitForTurn();
      const reply = await send(target, path, body);
      if (isTemporary(reply.status) && tried < maxTries) {
        await reply.body?.cancel();
        await pause(waitFor(reply, tried));
        continue;
      }
      const read = await readJson(reply, target, path, quote, isCredential);
      // In a scenario, only prompts keep the digits of integers beyond 2^53.
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
      `failed to reach ${showUrl(baseUrl)}: ${deepestReason(error)}. Check the address, and that the gateway is running.`,
    );
  }
};

/** Removes credentials from a URL. */
const showUrl = (url: string): string => url.replace(/\/\/[^/@]*@/, '//***@').replace(/\?.*$/, '');

/** The time to wait, in milliseconds: `retry-after`, at most 30 seconds, or else a time that doubles with each try. */
const waitFor = ({ headers }: Response, tried: number): number => {
  const asked = Number(headers.get('retry-after') ?? Number.NaN);
  return asked >= 0 ? Math.min(asked, 30) * 1000 : 250 * 2 ** tried;
};

const readJson = async (
  reply: Response,
  { baseUrl }: GatewayAddress,
  path: string,
  quote: Quote,
  isCredential: IsCredential,
): Promise<unknown> => {
  if (reply.status >= 300 && reply.status < 400)
    throw new CaptureError(
      `${showUrl(baseUrl)}${path} returned ${reply.status}, a redirect to ${showUrl(reply.headers.get('location') ?? 'nowhere')}. Redirects are not followed, to protect the keys. Give the final address.`,
    );
  const text = await readText(reply).catch((error: unknown) => {
    throw new CaptureError(`failed to read the reply to ${path}: ${deepestReason(error)}. Please try again.`);
  });
  const body = tryParse(maskBody(text, isCredential), parseJson);
  if (body === undefined)
    throw new CaptureError(
      `${showUrl(baseUrl)}${path} returned ${reply.status}, but not JSON: ${quote(text, 80)}. Check that this is the base URL of a gateway.`,
    );
  if (isDeeperThan(Object(body), limits.depth))
    throw new CaptureError(
      `the reply to ${path} is nested deeper than ${limits.depth} levels, unlike any record.`,
    );
  return body;
};

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
