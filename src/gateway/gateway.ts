import type { RequestHandler } from 'msw';
import { createHandlers } from '../transports/msw.ts';
import { checkOptions } from '../util/options.ts';
import {
  type GatewayOptions,
  gatewayOptionKinds,
  type OpenPlainGateway,
  openPlainGateway,
  type PlainGateway,
} from './open-gateway.ts';

export type { GatewayOptions } from './open-gateway.ts';

/** A gateway in process: the control of its default session, and its faces. */
export interface Gateway extends PlainGateway {
  /**
   * For MSW 2 and 3: `setupServer(...gateway.handlers)`, `setupWorker(...gateway.handlers)`. One for each operation;
   * under a `baseUrl` one more, which answers everything else below it by 404 or 405.
   */
  readonly handlers: readonly RequestHandler[];
}

/**
 * Makes a gateway, of which every face answers from the same worlds.
 *
 * @throws ScenarioError where the scenario has mistakes; Error where an option, an assumption or the base URL is invalid
 * @example
 * const gateway = createGateway({ scenario: 'default', seed: 7 });
 * const server = setupServer(...gateway.handlers);
 */
export const createGateway = (options: GatewayOptions = {}): Gateway => {
  checkOptions(options, gatewayOptionKinds);
  return openGateway(options).gateway;
};

/** A gateway, and what a door builds its own face on. */
export interface OpenGateway extends OpenPlainGateway {
  readonly gateway: Gateway;
}

/** Opens a gateway for a door that has MSW. */
export const openGateway = (options: GatewayOptions): OpenGateway => withHandlers(openPlainGateway(options));

/** The same with the face of MSW. */
export const withHandlers = (opened: OpenPlainGateway): OpenGateway => {
  const { gateway, handlerParts } = opened;
  return { ...opened, gateway: { ...gateway, handlers: createHandlers(handlerParts) } };
};
