// Calls of the gateway that another server answered, for the fixtures that see what a test sends.
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { matchPath } from '../../core/protocol/router.ts';
import { operations } from '../../core/scenario/scenario-schema.ts';
import { isLoopback } from '../../core/util/loopback.ts';

/** Whether a request is a call of the gateway, wherever it went: an app's own backend may have the same paths, or get the same headers. */
export const isGatewayCall = (method: string, url: string, apiKey: string | null | undefined): boolean => {
  const parts = new URL(url).pathname.split('/');
  const isCall = (path: string): boolean => matchPath(contracts, path, method) !== undefined;
  return typeof apiKey === 'string' && parts.some((_, from) => isCall(`/${parts.slice(from).join('/')}`));
};

const contracts = operations.map(({ contract }) => contract);

/** Whether a test may call this URL: its origin is allowed, or that of a server in this process, such as the app's own proxy. */
export const isAllowed = (url: string, allowed: boolean | readonly string[]): boolean => {
  const { origin, hostname, port, protocol } = new URL(url);
  const isServedHere =
    isLoopback(hostname) && ownPorts.has(Number(port || (protocol === 'https:' ? 443 : 80)));
  return isServedHere || (typeof allowed === 'boolean' ? allowed : allowed.includes(origin));
};

/** The ports of this process's HTTP servers that got a request. */
const ownPorts = new Set<number | undefined>();
subscribe('http.server.request.start', (message) => {
  const { socket } = message as { readonly socket: Socket }; // Node documents the types of this event
  ownPorts.add(socket.localPort);
});
