// Converts the result of an own call's handler to a reply: JSON, text, bytes, a standard Response, or a stream.
import type { Reply, ReplyStream } from '../../core/protocol/call.ts';
import { jsonHeaders } from '../../core/protocol/errors.ts';
import { isFramingHeader, isReplyStatus } from '../../core/protocol/reply-rules.ts';
import { isBodiless } from '../../core/protocol/status-text.ts';
import { describeJson, toJsonText } from '../../core/util/json.ts';
import { toPathText } from '../../core/util/path-text.ts';
import { parseDuration } from '../../core/world/clock.ts';
import type { CallSchema } from './own-calls.ts';

/** The error of a handler, in words that follow the name of the call. */
export class InvalidReply extends Error {}

type ReplyHeaders = Readonly<Record<string, string>>;

/** A reply made by `reply` or `events`. */
export class OwnReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: ReplyHeaders;
  /** How many pieces a stream has, if that is known. */
  readonly count: number | undefined;

  constructor(status: number, body: unknown, headers: ReplyHeaders = {}, count?: number) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.count = count;
  }
}

/** Server-sent events, one for each value: a text as it is, anything else as JSON. @throws Error if `every` is not a duration */
export const createEvents = (
  values: Iterable<unknown> | AsyncIterable<unknown>,
  { every = 0 }: { readonly every?: string | number } = {},
): object => {
  if (typeof Object(values)[Symbol.iterator] !== 'function' && !isStream(values))
    throw new InvalidReply(`called events with ${describeClass(values)}: give it a list or an iterator`);
  const pause = parseDuration(every) * 1000;
  const write = async function* (): AsyncGenerator<string> {
    let isFirst = true;
    for await (const value of values) {
      if (pause > 0 && !isFirst) await new Promise((resolve) => setTimeout(resolve, pause));
      isFirst = false;
      yield toEvent(value);
    }
  };
  const count = Array.isArray(values) ? values.length : undefined;
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  return new OwnReply(200, write(), headers, count);
};

const toEvent = (value: unknown): string => {
  const isNamed = Object.keys(Object(value)).sort().join() === 'data,event';
  const { event, data } = isNamed ? Object(value) : { event: undefined, data: value };
  const text = typeof data === 'string' ? data : toJsonText(data ?? null);
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
};

/** @throws InvalidReply if a value cannot be a reply; Error if a header is invalid */
export const toReply = (result: unknown, schema?: CallSchema): Reply => {
  if (result instanceof Response) {
    if (result.bodyUsed) throw new InvalidReply('returned a Response whose body was read');
    return toSendable(new OwnReply(result.status, result.body, Object.fromEntries(result.headers)), [
      ...result.headers.getSetCookie(),
    ]);
  }
  if (typeof result !== 'object' || result === null)
    throw new InvalidReply(`returned ${describeJson(result)}: return an object or reply(…)`);
  const reply = result instanceof OwnReply ? result : new OwnReply(200, result);
  const isJson = reply.status === 200 && typeof reply.body === 'object' && !isStream(reply.body);
  const checked = isJson ? schema?.safeParse(reply.body) : undefined;
  if (checked?.success === false) {
    const [issue] = checked.error.issues;
    throw new InvalidReply(
      `returned what its schema refuses: ${toPathText(issue?.path ?? []) || 'the reply'}: ${issue?.message}`,
    );
  }
  return toSendable(reply);
};

/** @throws InvalidReply if HTTP does not allow it for a reply */
export const checkStatus = (status: number): void => {
  if (!isReplyStatus(status))
    throw new InvalidReply(`replied with the status ${String(status)}: use a status from 200 to 599`);
};

const toSendable = (reply: OwnReply, cookies: readonly string[] = []): Reply => {
  const { status, body } = reply;
  checkStatus(status);
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value === undefined || isFramingHeader(name)) continue;
    checkHeader(name, String(value));
    headers.set(name, String(value));
  }
  for (const cookie of cookies) checkHeader('set-cookie', cookie);
  const sent = body === null || isBodiless(status) ? { body: null } : toBody(reply);
  if (sent.type !== undefined && !headers.has('content-type')) headers.set('content-type', sent.type);
  if (cookies.length > 0) headers.delete('set-cookie');
  return {
    status,
    headers: Object.fromEntries(headers),
    body: sent.body,
    ...(sent.stream !== undefined && { stream: sent.stream }),
    ...(cookies.length > 0 && { cookies }),
  };
};

/** Beyond ASCII, the bytes of a header would depend on the transport. @throws InvalidReply */
const checkHeader = (name: string, value: string): void => {
  if (/[^\t\x20-\x7e]/.test(value))
    throw new InvalidReply(
      `replied with the header ${name}: ${JSON.stringify(value)}, which is not ASCII: use encodeURIComponent`,
    );
};

/** A body, with its default content type. */
interface Body extends Pick<Reply, 'body' | 'stream'> {
  readonly type?: string;
}

const toBody = ({ body, count }: OwnReply): Body => {
  if (typeof body === 'string') return { body };
  if (body instanceof Uint8Array) {
    const stream: ReplyStream = { pieces: toPieces([body]), size: body.byteLength };
    return { body: null, stream, type: 'application/octet-stream' };
  }
  if (body instanceof ReadableStream && body.locked)
    throw new InvalidReply('replied with a stream that is being read already');
  if (isStream(body)) return { body: null, stream: { pieces: toPieces(body), count } };
  if (body instanceof Response)
    throw new InvalidReply('replied with a Response as the body: return it without reply(…)');
  const text: string | undefined = toJsonText(body);
  if (text === undefined)
    throw new InvalidReply(`replied with a body that is no JSON: ${describeJson(body)}`);
  const lost = findLost(body);
  if (lost !== undefined)
    throw new InvalidReply(
      `replied with ${lost}, which JSON cannot show: use an object, text, bytes or a stream`,
    );
  return { body: text, type: jsonHeaders['content-type'] };
};

/** Whether a body is sent piece by piece: an iterator, but not an array, a Map or a Set. */
const isStream = (
  value: unknown,
): value is AsyncIterable<unknown> | (Iterator<unknown> & Iterable<unknown>) => {
  const { [Symbol.asyncIterator]: asyncIterator, [Symbol.iterator]: iterator, next } = Object(value);
  return (
    typeof asyncIterator === 'function' || (typeof iterator === 'function' && typeof next === 'function')
  );
};

/** The pieces of a stream as bytes. If the stream fails, so does the reply, wherever it is. */
const toPieces = async function* (
  stream: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) {
      const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece;
      if (!(bytes instanceof Uint8Array))
        throw new Error(`A stream has a piece that is ${describeClass(piece)}: use text or bytes.`);
      if (bytes.byteLength > 0) yield new Uint8Array(bytes); // a copy: a Buffer may share its memory
    }
  } catch (error) {
    console.error('gateway-mock: the stream of a call failed.', error);
    throw error;
  }
};

const encoder = new TextEncoder();

/** Describes the first object whose content JSON does not show, with its path: a Map, an Error, a Promise. */
const findLost = (value: unknown, path: readonly PropertyKey[] = []): string | undefined => {
  if (typeof value !== 'object' || value === null || typeof Reflect.get(value, 'toJSON') === 'function')
    return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  const entries = ArrayBuffer.isView(value) ? [] : Object.entries(value); // a view has numbers, by their index
  if (!isPlain && entries.length === 0)
    return describeClass(value) + (path.length === 0 ? '' : ` at ${toPathText(path)}`);
  for (const [key, inner] of entries) {
    const lost = findLost(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    if (lost !== undefined) return lost;
  }
  return undefined;
};

const describeClass = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `an object of the class ${String(value.constructor?.name)}`
    : describeJson(value);
