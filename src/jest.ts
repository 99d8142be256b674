import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { connect } from './client.ts';
import type { Control } from './control/types.ts';
import type { ThreadOrder, ThreadReply } from './test-gateway/server-thread.ts';
import type { TestGateway } from './test-gateway/test-gateway.ts';
import type { TestServerOptions } from './test-gateway/test-server.ts';

export type { TestGateway } from './test-gateway/test-gateway.ts';
export type { TestServerOptions } from './test-gateway/test-server.ts';

/** Options of {@link useGateway}: those of `startServer` that are plain data, and what fails a test. */
export interface UseGatewayOptions
  extends Omit<TestServerOptions, 'handlers' | 'onCall' | 'onReload' | 'onStateError' | 'watch'> {}

/**
 * Gives each test of the file, or of the `describe` around it, a gateway of its own: a server on a free port of this machine,
 * which is closed when the test ends. A test fails if one of its requests matches no operation, or if one of its faults is
 * never used: see the options. The server runs in a thread, so it works with CommonJS and with ES modules.
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
  let thread: Worker | undefined;
  let running: TestGateway | undefined;
  const send = async (order: ThreadOrder): Promise<ThreadReply> => {
    if (thread === undefined) throw new Error('Failed to use the gateway: its thread does not run.');
    thread.postMessage(order);
    const [reply]: ThreadReply[] = await once(thread, 'message');
    if (reply?.error !== undefined) throw new Error(reply.error);
    return reply ?? {};
  };
  beforeAll(() => {
    // It is CommonJS in one build of this file, where `import.meta.url` is replaced.
    thread = new Worker(createRequire(import.meta.url).resolve('./test-gateway/server-thread.js'));
  });
  beforeEach(async () => {
    const { baseUrl, headers } = await send({ start: options });
    if (baseUrl === undefined || headers === undefined) return;
    const session = (name: string) => connect(baseUrl, { session: name, token: options.adminToken });
    const control: Control = Object.create(connect(baseUrl, { token: options.adminToken })); // it has every method
    running = Object.assign(control, { session, baseUrl, headers });
  });
  afterEach(async () => {
    if (running === undefined) return; // it was not started
    running = undefined;
    await send('end');
  });
  afterAll(async () => {
    await thread?.terminate();
  });
  const current = (): TestGateway => {
    if (running !== undefined) return running;
    throw new Error('Failed to use the gateway: no test is running. Use it in a test or in beforeEach.');
  };
  // The tests of the file share this object: each property is that of the running test's gateway.
  return new Proxy({} as TestGateway, { get: (_, name) => Reflect.get(current(), name) });
};
