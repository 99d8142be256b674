// What the tests of faults share: a gateway over each HTTP transport, and a client that reports
// every byte, and how the connection ended.

import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Control } from '../../src/service/control/control-interface.ts';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { toBytes } from './raw-http.ts';
import { transports } from './transports.ts';

/** A gateway that serves over HTTP until the test ends. */
interface Served {
  readonly gateway: Control;
  /** With the path that it is mounted at, without `/v1`. */
  readonly url: string;
}

type Serve = (options?: GatewayOptions) => Promise<Served>;

const { 'in process': _, 'gateway.fetch': __, ...overHttp } = transports;

/** The transports over HTTP, on which a fault reaches the connection. */
export const httpTransports = Object.entries(overHttp).map(([name, start]): [name: string, serve: Serve] => [
  name,
  async (options) => {
    const { baseUrl, control, close } = await start(options);
    onTestFinished(close);
    return { gateway: control, url: baseUrl.slice(0, -'/v1'.length) };
  },
]);

/** What came over one connection. */
export interface Received {
  /** The status and headers; undefined where not a byte came. */
  readonly status: number | undefined;
  readonly header: (name: string) => string | null;
  /** Exactly the bytes behind the head. */
  readonly body: string;
  /** How often bytes came. */
  readonly pieces: number;
  /** `end`, or the code of the error, such as ECONNRESET. */
  readonly ending: string;
  /** In milliseconds. */
  readonly took: number;
}

/** Makes one call on a connection of its own, which the server is asked to end. */
export const call = (
  { url }: Pick<Served, 'url'>,
  path: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<Received> => {
  const { pathname } = new URL(url);
  const target = (pathname === '/' ? '' : pathname) + path;
  return receive(url, toBytes(`${method} ${target} HTTP/1.1`, { connection: 'close', ...headers }));
};

/** Sends bytes, and waits for the end of the connection. */
export const receive = (url: string, bytes: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const { hostname, port } = new URL(url);
    const chunks: Buffer[] = [];
    let ending = 'end';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const limit = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The connection did not end: ${Buffer.concat(chunks)}`));
    }, 100_000);
    socket
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', (error: NodeJS.ErrnoException) => {
        ending = error.code ?? error.message;
      })
      .on('close', () => {
        clearTimeout(limit);
        const took = performance.now() - start;
        resolve({ ...parse(Buffer.concat(chunks)), pieces: chunks.length, ending, took });
      });
  });

const parse = (bytes: Buffer): Pick<Received, 'status' | 'header' | 'body'> => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return { status: undefined, header: () => null, body: bytes.toString() };
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Headers(lines.map((each) => each.split(/: (.*)/s, 2) as [string, string]));
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]),
    header: (name) => headers.get(name),
    body: bytes.toString('utf8', end + 4),
  };
};

const countSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

/** Runs a piece of a test, and waits until each connection that it opened is gone from both of its sides. */
export const withoutLeak = async (run: () => Promise<void>): Promise<void> => {
  const before = countSockets();
  await run();
  await expect.poll(countSockets).toBeLessThanOrEqual(before);
};
