// How tests open a gateway: in process, with calls past every transport, or as a server.
import { onTestFinished } from 'vitest';
import { lostReply, type Reply } from '../../src/core/protocol/call.ts';
import { defaultSession } from '../../src/core/protocol/session-name.ts';
import type { Library } from '../../src/core/scenario/library.ts';
import { createHandlers } from '../../src/core/transports/msw.ts';
import { parseOptions } from '../../src/core/util/parse-options.ts';
import { setupGateway } from '../../src/node.ts';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import type { SessionStore } from '../../src/service/control/session-store.ts';
import { answer } from '../../src/service/gateway/answer.ts';
import { buildGateway, type Gateway } from '../../src/service/gateway/build-gateway.ts';
import { type GatewayOptions, gatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { keys } from './transports.ts';

/** A call of a gateway, past every transport. */
export interface SentCall {
  /** The path below the base URL, with its query. Default: `/batches`. */
  readonly path?: string | undefined;
  /** Default: POST if there is a body, otherwise GET. */
  readonly method?: string | undefined;
  /** Default: the default session. */
  readonly session?: string | undefined;
  /** Added to both keys, which the scenario accepts; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** The text of the body, or an object to send as JSON. */
  readonly body?: object | string | undefined;
}

/** One page of a list, as far as tests look into it: each reply is checked against the contract already. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly last_id: string;
}

/** A gateway in process, and how to call it. */
export interface OpenGateway {
  readonly gateway: Gateway;
  /** A session as the server has it. */
  readonly commandContextOf: ReturnType<typeof buildGateway>['commandContextOf'];
  /** Headers with keys that the scenario accepts. */
  readonly keys: Readonly<Record<string, string>>;
  readonly send: (call?: SentCall) => Reply;
  /** The statuses of the same call, sent so many times. */
  readonly statuses: (count: number, call?: SentCall) => number[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies that are checked against the contract already
  readonly getJson: (path: string, session?: string) => any;
  readonly getPage: <Item = { readonly id: string }>(path: string) => Page<Item>;
}

/**
 * Opens a gateway in process.
 *
 * @param library scenarios to load from instead of the shipped ones
 * @param store where its sessions are stored
 */
export const openGateway = (
  options: GatewayOptions = {},
  library?: Library,
  store?: SessionStore,
): OpenGateway => {
  const settings = { ...parseOptions(gatewayOptions(), options), library, store, createHandlers };
  const { gateway, answerContext, commandContextOf } = buildGateway(settings);
  const { valid, virtual } = commandContextOf(defaultSession).open().state.world.keys;
  const accepted = {
    'x-gateway-api-key': valid?.[0] ?? keys['x-gateway-api-key'],
    'x-gateway-virtual-key': virtual?.[0] ?? keys['x-gateway-virtual-key'],
  };
  const send: OpenGateway['send'] = ({ path = '/batches', method, session, headers: given, body } = {}) => {
    const [before = '', query = ''] = path.split('?');
    const headers: Record<string, string | undefined> = {
      ...accepted,
      'content-type': body === undefined ? undefined : 'application/json',
      'x-mock-session': session,
      ...given,
    };
    const answered = answer(answerContext, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      path: `/v1${before}`,
      query,
      header: (name) => headers[name],
      headers: () => headers,
      body: new TextEncoder().encode(typeof body === 'object' ? JSON.stringify(body) : body),
    });
    if ('wait' in answered) throw new Error(`The reply to ${path} comes later`);
    const { bytes: _bytes, onSettled, ...reply } = answered;
    if (reply.delivery?.breaks === 'reset') onSettled?.(lostReply);
    else onSettled?.({ status: reply.status, bytes: Buffer.byteLength(reply.body ?? ''), outcome: 'sent' });
    return reply; // the bytes are those of the body
  };
  const getJson: OpenGateway['getJson'] = (path, session) =>
    JSON.parse(send({ path, session }).body ?? 'null');
  return {
    gateway,
    commandContextOf,
    keys: accepted,
    send,
    statuses: (count, call) => Array.from({ length: count }, () => send(call).status),
    getJson,
    getPage: (path) => getJson(path),
  };
};

/** Starts a gateway that answers the requests of this process, and refuses all others. It is closed when the test ends. */
export const interceptGateway = (options?: GatewayOptions): ReturnType<typeof setupGateway> => {
  const gateway = setupGateway(options);
  gateway.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** Starts a server on a free port. It is closed when the test ends. */
export const openServer = async (options: ServerOptions = {}): Promise<GatewayServer> => {
  const { startServer } = await import('../../src/server.ts'); // tests that need no server start sooner without it
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
};
