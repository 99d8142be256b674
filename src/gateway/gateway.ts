import type { RequestHandler } from 'msw';
import { createHandlers } from '../transports/msw.ts';
import { parseOptions } from '../util/parse-options.ts';
import { type OpenPlainGateway, openPlainGateway, type PlainGateway } from './open-gateway.ts';
import { type GatewayOptions, gatewayOptions } from './options.ts';

export type { GatewayOptions } from './options.ts';

/** A gateway in process: the control of its default session, and its transports. */
export interface Gateway extends PlainGateway {
  /**
   * Handlers for MSW 2 and 3: `setupServer(...gateway.handlers)`, `setupWorker(...gateway.handlers)`. One per operation;
   * with a `baseUrl`, one more that answers everything else below it with 404 or 405.
   */
  readonly handlers: readonly RequestHandler[];
}

/**
 * Creates a gateway in process. Its MSW handlers and its middleware share the same sessions.
 *
 * @throws ScenarioError on an invalid scenario; Error on an invalid option or base URL
 * @example
 * const gateway = createGateway({ scenario: 'default', seed: 7 });
 * const server = setupServer(...gateway.handlers);
 */
export const createGateway = (options: GatewayOptions = {}): Gateway => {
  return openGateway(options).gateway;
};

/** A gateway, and what entry points build their transports on. */
export interface OpenGateway extends OpenPlainGateway {
  readonly gateway: Gateway;
}

/** Opens a gateway for an entry point that uses MSW. @throws Error on an invalid option */
export const openGateway = (options: GatewayOptions): OpenGateway =>
  withHandlers(openPlainGateway(parseOptions(gatewayOptions(), options)));

/** Adds MSW's handlers to an open gateway. */
export const withHandlers = (opened: OpenPlainGateway): OpenGateway => {
  const { gateway, handlerParts } = opened;
  return { ...opened, gateway: { ...gateway, handlers: createHandlers(handlerParts) } };
};
