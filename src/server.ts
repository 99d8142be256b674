import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from 'msw';
import type { Answer } from './faces/answer.ts';
import { everything } from './faces/base-url.ts';
import { createHandlers } from './faces/msw.ts';
import { createListener, type NodeListener } from './faces/node-http.ts';
import { answerSocketErrors } from './faces/socket-errors.ts';
import { type Gateway, type GatewayOptions, openGateway } from './gateway.ts';

/** How a server is started. */
export interface ServerOptions extends Omit<GatewayOptions, 'baseUrl'> {
  /** Default: 0, which picks a free one. */
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`, so that only this machine reaches it. */
  readonly host?: string | undefined;
  /** MSW handlers of your own, asked before the gateway's. With any, every call goes through MSW. */
  readonly handlers?: readonly RequestHandler[] | undefined;
  /** Whether calls take the direct way where they can, past Express and MSW: ten times as fast. Default: true. */
  readonly direct?: boolean | undefined;
  /** How long a request may take to arrive, in milliseconds. Default: 30,000. */
  readonly requestTimeout?: number | undefined;
  /** Told of each call that was answered. */
  readonly onCall?: ((call: AnsweredCall) => void) | undefined;
}

/** One call, as the log shows it. It holds no credential. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requestId: string;
  /** The assumptions that the reply is marked with. */
  readonly assumptions: readonly string[];
}

/** A running server. */
export interface GatewayServer extends Gateway {
  /** `http://127.0.0.1:4010` */
  readonly url: string;
  /** What clients take for their base URL: `http://127.0.0.1:4010/v1` */
  readonly baseUrl: string;
  /** Stops it: calls under way get half a second to end, then every socket is closed. */
  readonly close: () => Promise<void>;
}

/**
 * Starts an HTTP server that serves the gateway.
 *
 * @throws Error where the scenario or an assumption is none; the system's error where the port is taken (`EADDRINUSE`)
 * @example
 * const server = await startServer({ port: 0 });
 * await fetch(`${server.baseUrl}/batches`, { headers: { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v' } });
 * await server.close();
 */
export const startServer = async (options: ServerOptions = {}): Promise<GatewayServer> => {
  const { gateway, answer, nextRequestId } = openGateway(options);
  const listener = await createFace(withCallbacks(answer, options.onCall), options);
  const server = createServer(
    {
      requireHostHeader: false,
      requestTimeout: options.requestTimeout ?? 30_000,
      connectionsCheckingInterval: 1000,
    },
    listener,
  );
  answerSocketErrors(server, nextRequestId);
  const { port, address, family } = await listen(server, options.port ?? 0, options.host || '127.0.0.1');
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return { ...gateway, url, baseUrl: `${url}/v1`, close: () => close(server) };
};

const createFace = async (
  answer: Answer,
  { handlers = [], direct = true }: ServerOptions,
): Promise<NodeListener> => {
  const listener = createListener(answer, () => true);
  if (direct && handlers.length === 0) return (request, response) => listener(request, response);
  const { createApp } = await import('./faces/express.ts');
  return createApp(handlers, createHandlers(answer, everything), listener);
};

const withCallbacks = (answer: Answer, onCall: ServerOptions['onCall']): Answer => {
  if (onCall === undefined) return answer;
  return (call) => {
    const reply = answer(call);
    onCall({
      method: call.method,
      path: call.path,
      status: reply.status,
      requestId: reply.headers['x-request-id'] ?? '',
      assumptions: reply.headers['x-mock-assumptions']?.split(', ') ?? [],
    });
    return reply;
  };
};

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    // A server that listens on a port has such an address.
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const grace = setTimeout(() => server.closeAllConnections(), 500);
    server.close(() => {
      clearTimeout(grace);
      resolve();
    });
    server.closeIdleConnections();
  });
