import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { keys } from './transports.ts';

/** One reply, whichever client read it. */
export interface RawReply {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** A request as the bytes of a socket; `x-…` keys and Host are part of it unless `headers` has the name. */
export const toBytes = (line: string, headers: Record<string, string> = {}, body = ''): string => {
  const lines = Object.entries({ Host: 'x', ...keys, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${[line, ...lines].join('\r\n')}\r\n\r\n${body}`;
};

const renderLine = 'POST /v1/prompts/prompt_welcome/render HTTP/1.1';

/** A render call as bytes. */
export const toRender = (body: string, headers: Record<string, string> = {}): string =>
  toBytes(
    renderLine,
    { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers },
    body,
  );

/** The same with a body of which the framing is the caller's, such as chunks. */
export const toFramedRender = (headers: Record<string, string>, body: string): string =>
  toBytes(renderLine, { 'content-type': 'application/json', ...headers }, body);

/** A client that stays: after the server has ended its side, its own side is still open. */
export const openSocket = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, ''); // an IPv6 address has brackets in a URL alone
    const socket = connect({ host, port: Number(port), allowHalfOpen: true }, () => {
      socket.off('error', reject).on('error', () => {}); // a reset is one of the ends that are waited for
      resolve(socket);
    });
    socket.once('error', reject);
  });

interface ReadOptions {
  /** How many replies are waited for. Default: 1. An end of the connection comes first. */
  readonly count?: number;
  /** Whether the replies have no body, whatever their content-length says. */
  readonly isHead?: boolean;
}

/**
 * Reads replies off a socket, until there are enough or the connection ends.
 *
 * @throws Error where neither happens in time, or where what comes is no HTTP
 */
export const readReplies = (
  socket: Socket,
  { count = 1, isHead = false }: ReadOptions = {},
): Promise<RawReply[]> =>
  new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const limit = setTimeout(() => settle(new Error(`No reply, and no end: ${seen}`)), 100_000);
    const onData = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk]);
      if (parse(seen, isHead).length >= count) settle();
    };
    const onEnd = (): void => settle();
    const settle = (failure?: Error): void => {
      clearTimeout(limit);
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      if (failure === undefined) resolve(parse(seen, isHead));
      else reject(failure);
    };
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
  });

/** Sends bytes over a connection of their own, and reads the replies. */
export const exchange = async (
  url: string,
  bytes: string | Uint8Array,
  options?: ReadOptions,
): Promise<RawReply[]> => {
  const socket = await openSocket(url);
  try {
    const replies = readReplies(socket, options);
    socket.write(bytes);
    return await replies;
  } finally {
    socket.destroy();
  }
};

const parse = (bytes: Buffer, isHead: boolean): RawReply[] => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return [];
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  const headers = new Headers();
  for (const each of lines) {
    const colon = each.indexOf(':');
    headers.append(each.slice(0, colon), each.slice(colon + 1));
  }
  const length = isHead ? 0 : Number(headers.get('content-length') ?? 0);
  const body = bytes.subarray(end + 4, end + 4 + length);
  if (body.byteLength < length) return [];
  const rest = parse(bytes.subarray(end + 4 + length), isHead);
  if (status < 200) return rest;
  return [{ status, header: (name) => headers.get(name), text: body.toString() }, ...rest];
};

/** A reply of `fetch` in the same shape. */
export const toRawReply = async (response: Response): Promise<RawReply> => ({
  status: response.status,
  header: (name) => response.headers.get(name),
  text: await response.text(),
});

/** The one body of every error (field notes, Errors), and nothing of the machinery behind it. */
export const expectRefusal = (
  reply: RawReply | undefined,
  status: number,
  param: unknown = expect.toBeOneOf([null, expect.any(String)]),
): void => {
  expect(reply).toBeDefined();
  const { text = '', header } = reply ?? { header: () => null };
  expect([reply?.status, header('content-type')], text.slice(0, 500)).toEqual([status, 'application/json']);
  expect(Number(header('content-length') ?? Buffer.byteLength(text))).toBe(Buffer.byteLength(text));
  const marks = header('x-mock-assumptions');
  // No world answers what is not HTTP: it has no id, and no other assumption.
  if (marks !== 'error-body') {
    expect(marks).toMatch(/^[a-z-]+(, [a-z-]+)*, error-body$/);
    expect(header('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/);
  }
  const body: { message?: unknown } = JSON.parse(text);
  const { message } = body;
  expect(body).toEqual({
    success: false,
    status: 'failure',
    message: expect.stringMatching(/\S/),
    error: {
      message,
      type: status === 401 ? 'authentication_error' : 'invalid_request_error',
      param,
      code: expect.toBeOneOf([null, expect.any(String)]),
    },
    data: { message, errorCode: expect.stringMatching(/^AB0[0158]$/) },
  });
  expect(text).not.toMatch(/<html|\bat .+:\d+:\d+|node_modules|\.[jt]s\b|\[object/i);
  expect(text.length).toBeLessThan(4000);
};
