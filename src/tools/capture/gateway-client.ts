import { isDeeperThan, parseJson, toJsonText, toNumbers } from '../../core/util/json.ts';
import { limits } from '../../core/util/limits.ts';
import { isMapping, mapTexts, mapValues } from '../../core/util/mapping.ts';
import { createHideKeys, createIsCredential, Mask } from '../../core/util/mask.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { tryParse } from '../../core/util/try-parse.ts';
import { createHttpTarget, type HttpTargetOptions, type TargetKeys } from '../conformance/client.ts';
import { toPlainText } from '../conformance/texts.ts';

/** The address of a real gateway, and how it is called. */
export interface GatewayAddress extends TargetKeys, HttpTargetOptions {
  /** The base URL, which ends in /v1. */
  readonly baseUrl: string;
  /** Called before each call, with the number of calls so far. */
  readonly onCall?: ((calls: number) => void) | undefined;
  /** Called with the path of each field whose value was masked as a credential. */
  readonly onMask?: ((path: string) => void) | undefined;
}

/** The parts of a call besides its path. With a body, it renders a prompt; all other calls are GET. */
interface CallParts {
  readonly query?: string | undefined;
  readonly body?: object;
  /** The statuses for which the result is undefined, because the caller tries another call. */
  readonly mayGet?: readonly number[];
}

/** Returns the JSON body of a reply with status 200. @throws Error for any other reply */
export type Ask = (path: string, parts?: CallParts) => Promise<unknown>;

const hints: Readonly<Record<number, string>> = {
  401: ' Check the keys.',
  403: ' Check the keys.',
  404: ' Check the id and the base URL.',
};

/** Creates a client for a gateway. It makes one call at a time. The credentials in replies are masked. */
export const createAsk = (address: GatewayAddress): Ask => {
  const { baseUrl, onCall, onMask = () => {}, apiKey, virtualKey, ...options } = address;
  const target = createHttpTarget(baseUrl, { apiKey, virtualKey }, {}, options);
  const hide = createHideKeys([apiKey, virtualKey]);
  const mask = createFieldMask(options.mask ?? [], onMask);
  // The keys are removed before the text is cut: otherwise, half a key could be left.
  const quote = (text: string, length: number): string => `"${toPlainText(hide(text), length)}"`;
  const fail = (message: string): never => {
    throw new Error(options.signal?.aborted ? 'interrupted: no file was written.' : message);
  };
  const check = 'Check the address, and that the gateway is running.';
  const failToReach = (error: unknown) => fail(`failed to reach ${baseUrl}: ${messageOf(error)}. ${check}`);
  let calls = 0;

  return async (path, { query, body, mayGet = [] } = {}) => {
    onCall?.(calls);
    calls += 1;
    const method = body === undefined ? 'GET' : 'POST';
    const content = body && { body: toJsonText(body), headers: { 'content-type': 'application/json' } };
    const reply = await target.call({ method, path, query, ...content }).catch(failToReach);
    const { status, text } = reply;
    if (options.signal?.aborted) fail('');
    if (mayGet.includes(status)) return undefined;
    if (status >= 300 && status < 400)
      fail(
        `${baseUrl}${path} returned ${status}, a redirect to ${showAddress(reply.header('location') ?? 'nowhere')}. Redirects are not followed, to protect the keys. Give the final address.`,
      );
    const parsed = tryParse(text.replace(/^\ufeff/, ''), parseJson);
    if (parsed === undefined)
      fail(
        `${baseUrl}${path} returned ${status}, but not JSON: ${quote(text, 80)}. Check that this is the base URL of a gateway.`,
      );
    if (isDeeperThan(Object(parsed), limits.depth))
      fail(`the reply to ${path} is nested deeper than ${limits.depth} levels, unlike any record.`);
    const read = mask(parsed);
    if (status < 300 && status !== 200) fail(`${method} ${path} returned ${status} in place of 200.`);
    if (status !== 200) {
      const said = findMessage(read);
      const reason = said === undefined ? 'no reason was given.' : `${quote(said, 300)}.`;
      fail(`${method} ${path} was refused with ${status}: ${reason}${hints[status] ?? ''}`);
    }
    // In a scenario, only prompts keep the digits of integers beyond 2^53.
    return body === undefined ? toNumbers(read) : read;
  };
};

/**
 * Masks the credentials of a reply, by the names of their fields. Users choose the names of fields of `metadata`, such as
 * `customer_key`: of these, only the names of `--mask` mean credentials.
 */
const createFieldMask = (names: readonly string[], onMask: (path: string) => void) => {
  const lowerNames = new Set(names.map((name) => name.toLowerCase()));
  const isCredential = createIsCredential(names);
  return (reply: unknown): unknown => {
    const usual = new Mask(isCredential);
    const listed = new Mask((name) => lowerNames.has(name.toLowerCase()));
    const maskIn = (value: unknown, mask: Mask, name: string, path: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => maskIn(item, mask, name, `${path}[]`));
      if (isMapping(value))
        return mapValues(value, (inner, key) =>
          maskIn(inner, key === 'metadata' ? listed : mask, key, path === '' ? key : `${path}.${key}`),
        );
      const masked = mask.field(name, value);
      if (masked !== value) onMask(path);
      return masked;
    };
    const masked = maskIn(reply, usual, '', '');
    return mapTexts(masked, usual.createHide());
  };
};

/** An address without credentials and query. */
const showAddress = (url: string): string => url.replace(/\/\/[^/@]*@/, '//***@').replace(/\?.*$/, '');

/** The message of an error, from the usual places in its body. */
const findMessage = (body: unknown): string | undefined => {
  const { error, message } = Object(body);
  const said: unknown = Object(error).message ?? message ?? error;
  return typeof said === 'string' ? said : undefined;
};
