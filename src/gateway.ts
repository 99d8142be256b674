import type { RequestHandler } from 'msw';
import { type AnyOperation, execute } from './execute.ts';
import type { Answer } from './faces/answer.ts';
import { belowAnyBase, belowBase } from './faces/base-url.ts';
import { createHandlers } from './faces/msw.ts';
import { createListener, type NodeListener } from './faces/node-http.ts';
import type { AssumptionInUse } from './protocol/assume.ts';
import type { AssumptionChoices } from './protocol/assumptions.ts';
import { fixtures, kinds, loadScenario, operations, type Scenario } from './scenario.ts';
import { createWorld } from './world/world.ts';

/** How a gateway is made. */
export interface GatewayOptions {
  /** The name of a shipped scenario, or one as an object. Default: `'default'`. */
  readonly scenario?: string | Scenario | undefined;
  /** Replaces the seed of the scenario. The same seed gives the same bytes. */
  readonly seed?: number | undefined;
  /** Switches assumptions, on top of those that the scenario switches. */
  readonly assumptions?: AssumptionChoices | undefined;
  /** The API keys accepted. Default: those of the scenario; else any that is not empty. */
  readonly apiKeys?: readonly string[] | undefined;
  /** The virtual keys accepted. Default: those of the scenario; else any that is not empty. */
  readonly virtualKeys?: readonly string[] | undefined;
  /**
   * In process: the one base URL that is served, and of which every call is answered, by 404 where no operation has it.
   * Default: any base URL, where calls that no operation serves are left to others.
   */
  readonly baseUrl?: string | undefined;
}

/** A gateway in process. */
export interface Gateway {
  /** The scenario it was made from: its name, or `'inline'` where it was given as an object. */
  readonly scenario: string;
  readonly seed: number;
  /** For MSW: `setupServer(...gateway.handlers)`, `setupWorker(...gateway.handlers)`. */
  readonly handlers: readonly RequestHandler[];
  /** For an Express or Connect app of your own: serves `/v1/…` below where it is mounted, and leaves the rest alone. */
  readonly middleware: () => NodeListener;
  /** Returns the world to the start of its scenario. */
  readonly reset: () => Promise<void>;
  readonly assumptions: {
    /** Every choice that the mock makes where the contract is silent, with its value here. */
    readonly list: () => Promise<AssumptionInUse[]>;
  };
}

/**
 * Makes a gateway, of which every face answers from the same world.
 *
 * @throws Error where the scenario, an assumption or the base URL is none
 * @example
 * const gateway = createGateway({ scenario: 'default', seed: 7 });
 * const server = setupServer(...gateway.handlers);
 */
export const createGateway = (options: GatewayOptions = {}): Gateway => openGateway(options).gateway;

/** A gateway, and what the doors build their own faces on. */
export interface OpenGateway {
  readonly gateway: Gateway;
  readonly answer: Answer;
  /** For replies to what is no call. */
  readonly nextRequestId: () => string;
}

/** Opens a gateway for a door. */
export const openGateway = (options: GatewayOptions): OpenGateway => {
  const { name, scenario } = loadScenario(options.scenario ?? 'default');
  const start = {
    ...scenario,
    seed: options.seed ?? scenario.seed,
    keys: {
      ...scenario.keys,
      ...(options.apiKeys !== undefined && { valid: [...options.apiKeys] }),
      ...(options.virtualKeys !== undefined && { virtual: [...options.virtualKeys] }),
    },
    assumptions: { ...scenario.assumptions, ...options.assumptions },
  };
  const makeWorld = () => createWorld({ kinds, scenario: start, fixtures });
  let world = makeWorld();

  // Each handler takes the call that its own contract describes, which `execute` makes by that contract.
  const served = operations as unknown as readonly AnyOperation[];
  const answer: Answer = (call) => execute({ operations: served, world }, call);
  const locate = options.baseUrl === undefined ? belowAnyBase(operations) : belowBase(options.baseUrl);

  const gateway: Gateway = {
    scenario: name,
    seed: start.seed,
    handlers: createHandlers(answer, locate),
    middleware: () => createListener(answer, (path) => path === '/v1' || path.startsWith('/v1/')),
    reset: async () => {
      world = makeWorld();
    },
    assumptions: { list: async () => world.assumptions.list() },
  };
  return { gateway, answer, nextRequestId: () => world.nextRequestId() };
};
