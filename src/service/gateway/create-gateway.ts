import { createHandlers } from '../../core/transports/msw.ts';
import { parseOptions } from '../../core/util/parse-options.ts';
import { buildGateway, type Gateway } from './build-gateway.ts';
import { type GatewayOptions, gatewayOptions } from './gateway-options.ts';

/**
 * Creates a gateway in process. Its MSW handlers and its middleware share the same sessions.
 *
 * @throws ScenarioError on an invalid scenario; Error on an invalid option or base URL
 * @example
 * const gateway = createGateway({ scenario: 'default', seed: 7 });
 * const server = setupServer(...gateway.handlers);
 */
export const createGateway = (options: GatewayOptions = {}): Gateway => openGateway(options).gateway;

/** Creates a gateway, and returns also what entry points need for methods of their own, such as its sessions. */
export const openGateway = (options: GatewayOptions) =>
  buildGateway({ ...parseOptions(gatewayOptions(), options), createHandlers });
