import type { RequestHandler } from 'msw';
import type { Answer, Call } from '../../core/protocol/call.ts';
import { defaultSession } from '../../core/protocol/session-name.ts';
import { belowAnyBase, belowBase } from '../../core/transports/base-url.ts';
import { createFetch, type FetchGateway } from '../../core/transports/fetch.ts';
import { createListener, type NodeListener } from '../../core/transports/node-http.ts';
import { createIsCredential } from '../../core/util/mask.ts';
import { createControl } from '../control/control.ts';
import type { Control } from '../control/control-interface.ts';
import { answer } from './answer.ts';
import { describeLeft } from './describe-miss.ts';
import type { AnswerContext } from './find.ts';
import { GatewayContents, type GatewaySettings } from './gateway-contents.ts';
import { recordMiss } from './misses.ts';

/** A gateway: the control of its default session, and its transports. */
export interface Gateway extends Control {
  /**
   * Handlers for MSW 2 and 3: `setupServer(...gateway.handlers)`, `setupWorker(...gateway.handlers)`. One per operation;
   * with a `baseUrl`, one more that answers everything else below it with 404 or 405. Reading them throws if MSW 3 runs under an
   * older Node than 22.
   */
  readonly handlers: readonly RequestHandler[];
  /**
   * Answers a standard `Request`, or what `fetch` takes, without a server and without interception: pass it to a client
   * (`new OpenAI({ fetch: gateway.fetch })`), or call it in a handler of Hono, Next, Bun or Deno. It answers everything below
   * `/v1`, whatever the host; everything else gets 404. Rejects as `fetch` does: by a `TypeError` if a fault resets the
   * connection, and by the signal's reason if the caller aborts.
   */
  readonly fetch: FetchGateway;
  /**
   * Returns a middleware for your own Express or Connect app. It answers `/v1/…` and `/sessions/NAME/v1/…` wherever it is
   * mounted (`app.use(…)`, `app.use('/api', …)`, `app.use('/api/v1', …)`), and leaves other requests to the app.
   */
  readonly middleware: () => NodeListener;
  /**
   * Returns the control of a session, which serves calls to `/sessions/NAME/v1/…` or with the header `x-mock-session: NAME`.
   * The control works on whatever world the session has. Once the session was removed because there were too many, its
   * methods throw.
   *
   * @throws Error on an invalid session name
   */
  readonly session: (name: string) => Control;
}

/**
 * Builds a gateway, with what entry points need for their own methods. @throws ScenarioError on an invalid scenario; Error on
 * an invalid base URL
 */
export const buildGateway = (settings: GatewaySettings) => {
  const { baseUrl, requireSession } = settings;
  const contents = new GatewayContents(settings);
  const { operations, sessions, commandContextOf, setCalls, restart } = contents;
  const isCredential = createIsCredential(settings.mask);
  const answerContext: AnswerContext = { operations, sessions, requireSession, isCredential };
  const locate = baseUrl === undefined ? belowAnyBase(operations) : belowBase(baseUrl, operations);
  const answerHere: Answer = (call) => answer(answerContext, call);
  const describeUnhandled = (request: Request) => describeLeft(operations, baseUrl, request);
  const onMiss = (call: Call, request: Request): void =>
    recordMiss(answerContext, call, describeUnhandled(request));
  let handlers: readonly RequestHandler[] | undefined;
  const gateway: Gateway = {
    ...createControl(commandContextOf(defaultSession)),
    get handlers() {
      if (settings.createHandlers === undefined)
        throw new Error('Failed to create handlers: MSW is not loaded here.');
      handlers ??= settings.createHandlers({ answer: answerHere, locate, operations, baseUrl, onMiss });
      return handlers;
    },
    fetch: createFetch(answerHere, locate),
    middleware: (...args: readonly unknown[]) => {
      if (args.length > 0)
        throw new Error(
          'Failed to handle a request: gateway.middleware() takes no arguments, and returns the middleware. Mount it by app.use(gateway.middleware()).',
        );
      return createListener(answerHere);
    },
    session: (name) => createControl(commandContextOf(name)),
  };
  return {
    gateway,
    commandContextOf,
    sessions,
    /** How `answer` answers calls in process. */
    answerContext,
    setCalls,
    restart,
    /** Sets whether its controls throw. Closing it also ends pending waits. */
    setClosed: (isClosed: boolean): void => {
      contents.isClosed = isClosed;
      const createReason = () => new Error('Failed to wait for requests: the gateway was closed.');
      if (isClosed) for (const { journal } of sessions.inMemory.values()) journal.endWaits(createReason);
    },
    /** Describes a request that was left to other handlers; undefined if it does not look like a call. */
    describeUnhandled,
  };
};
