import { once } from 'node:events';
import { createRequire } from 'node:module';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, expect } from '@jest/globals';
import { connect } from './client.ts';
import { messageOf } from './core/util/message-of.ts';
import type { Control } from './service/control/control-interface.ts';
import { withAddress } from './tools/test-gateway/address.ts';
import type { ThreadOrder, ThreadReply } from './tools/test-gateway/server-thread.ts';
import type { TestGateway } from './tools/test-gateway/test-gateway.ts';
import type { ServerEnd, TestServerOptions } from './tools/test-gateway/test-server.ts';

export type { TestGateway } from './tools/test-gateway/test-gateway.ts';
export type { TestServerOptions } from './tools/test-gateway/test-server.ts';

/** Options of {@link useGateway}: those of `startServer` that are plain data, and what fails a test. */
export interface UseGatewayOptions
  extends Omit<TestServerOptions, 'calls' | 'handlers' | 'onCall' | 'onReload' | 'onStateError' | 'watch'> {
  /** The file of your own calls, such as `'./calls.mjs'`. */
  readonly calls?: string | undefined;
}

/**
 * Gives each test of the file, or of the `describe` around it, a gateway of its own: a server on a free port of this machine,
 * which is closed when the test ends. A test fails if one of its requests matches no operation, if one of its faults is
 * never used, or if it takes the gateway and calls nothing: see the options. The server runs in a thread, so it works with
 * CommonJS and with ES modules. For `test.concurrent`, use {@link withGateway}.
 *
 * @param options Default: `{}`
 * @returns the gateway of the running test. Using it outside of a test throws
 * @example
 * const gateway = useGateway({ scenario: 'in-flight' });
 * test('the failed batch is shown', async () => {
 *   await gateway.records.batches.create({ status: 'failed' });
 *   const page = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
 * });
 */
export const useGateway = (options: UseGatewayOptions = {}): TestGateway => {
  let running: Awaited<ReturnType<typeof start>> | undefined;
  useThread();
  beforeEach(async () => {
    running?.close();
    running = undefined;
    running = await start(options, 'useGateway({ OPTION }).');
  });
  // Not closed yet: Jest calls the hooks below `useGateway` later, also those of `afterEach`.
  afterEach(() => running?.check({ hasFailed: hasFailedAssertion() }));
  afterAll(() => {
    running?.close();
    running = undefined;
  });
  const current = (): TestGateway => {
    const { currentTestName } = expect.getState();
    if (running !== undefined && running.test === currentTestName) return running.gateway;
    throw new Error(
      'Failed to use the gateway: no test is running. Use it in a test, or in a hook below useGateway(). Jest runs no beforeEach for test.concurrent: there, use withGateway().',
    );
  };
  // The tests of the file share this object: each property is that of the running test's gateway.
  return new Proxy({} as TestGateway, {
    get: (_, name) => Reflect.get(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  });
};

/** Jest does not say whether a test has failed, but how many of its assertions have passed. */
const hasFailedAssertion = (): boolean => {
  const { assertionCalls, numPassingAsserts, testFailing = false } = expect.getState();
  return assertionCalls > numPassingAsserts || testFailing;
};

/**
 * Makes a test function with a gateway of its own, for `test.concurrent`: Jest runs no hooks for its tests.
 *
 * @param options Default: `{}`
 * @example
 * test.concurrent('the failed batch is shown', withGateway(async (gateway) => {
 *   await gateway.records.batches.create({ status: 'failed' });
 *   const page = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
 * }));
 */
export const withGateway = <Args extends unknown[]>(
  run: (gateway: TestGateway, ...args: Args) => unknown,
  options: UseGatewayOptions = {},
): ((...args: Args) => Promise<void>) => {
  if (typeof run !== 'function')
    throw new Error(
      "Failed to make a test: withGateway takes the test's function first, then the options: withGateway(async (gateway) => {}, { scenario: 'empty' }).",
    );
  useThread();
  return async (...args) => {
    const { gateway, check, close } = await start(options, 'withGateway(…, { OPTION }).');
    try {
      await run(gateway, ...args);
    } catch (error) {
      await check({ hasFailed: true })
        .catch(() => {}) // the test's own error says more
        .finally(close);
      throw error;
    }
    await check({ hasFailed: false, isBody: true }).finally(close);
  };
};

/** The thread of this file's servers, from the first server until no part of the file needs it. */
let thread: Worker | undefined;
let users = 0;

const useThread = (): void => {
  users += 1;
  afterAll(async () => {
    users -= 1;
    if (users > 0) return;
    await thread?.terminate();
    thread = undefined;
  });
};

/** The gateway of a test that runs. */
const start = async (options: UseGatewayOptions, howToSet: string) => {
  // It is CommonJS in one build of this file, where `import.meta.url` is replaced.
  thread ??= new Worker(createRequire(import.meta.url).resolve('./tools/test-gateway/server-thread.js'));
  thread.unref(); // it must not keep the process alive if Jest skips the hook that ends it
  const { port1: port, port2 } = new MessageChannel();
  try {
    thread.postMessage({ options, howToSet, port: port2 } satisfies ThreadOrder, [port2]);
  } catch (error) {
    throw new Error(
      `Failed to start the gateway: its options are sent to a thread, so they must be plain data (${messageOf(error)}). Pass your own calls as a file: calls: './calls.mjs'.`,
    );
  }
  const { baseUrl = '', headers } = await receive(port);
  const session = (name: string): Control => connect(baseUrl, { session: name, token: options.adminToken });
  const control = connect(baseUrl, { token: options.adminToken });
  const { gateway, readUse } = withAddress(Object.assign(control, { session }), { baseUrl, headers });
  return {
    gateway: gateway as TestGateway, // the thread sent the headers together with the URL
    test: expect.getState().currentTestName,
    /** @throws Error with everything that the test did but must not do */
    check: async (ending: ServerEnd): Promise<void> => {
      port.postMessage({ ...ending, ...readUse() } satisfies ServerEnd);
      await receive(port);
    },
    close: () => port.close(),
  };
};

/** The thread's next reply. @throws Error if the reply contains an error, or if the thread has ended */
const receive = async (port: MessagePort): Promise<ThreadReply> => {
  const [reply]: ThreadReply[] = await Promise.race([once(port, 'message'), once(port, 'close')]);
  const { error } = reply ?? { error: 'Failed to use the gateway: its thread has ended.' };
  if (error === undefined) return reply ?? {};
  throw new Error(error);
};
