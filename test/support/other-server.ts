// Another server, to which calls are forwarded.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { openListener } from './listen.ts';
import { openServer } from './open-gateway.ts';

/** A request that the other server got. */
interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts another server. It keeps what it got, and answers by `{"from":"other"}` unless a test says otherwise. */
export const openOther = async (answer: Answer = (response) => response.end('{"from":"other"}')) => {
  const arrived: Arrived[] = [];
  const url = await openListener(async (request, response) => {
    const { method, headers } = request;
    arrived.push({ method, url: request.url, headers, body: await text(request) });
    answer(response, request);
  });
  return { url, arrived };
};

/** Both ways in which a server answers: the direct one, and through Express and MSW. */
export const ways: readonly (readonly [name: string, options: ServerOptions])[] = [
  ['the direct way', {}],
  ['through MSW', { transport: 'msw' }],
];

/** Starts another server, and a gateway in front of it. */
export const openBoth = async (answer?: Answer, options: ServerOptions = {}) => {
  const other = await openOther(answer);
  const server: GatewayServer = await openServer({ upstream: other.url, ...options });
  return { ...other, other: other.url, server };
};
