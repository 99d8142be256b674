// The thread of `gateway-mock/jest`: it runs the server of each test, outside of Jest's own module system.
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../util/message-of.ts';
import type { TestGateway } from './test-gateway.ts';
import { startTestServer, type TestServerOptions } from './test-server.ts';

/** Starts the server of a test, or ends it. */
export type ThreadOrder = { readonly start: TestServerOptions } | 'end';

/** What became of an order: the server, or why it failed. */
export type ThreadReply = Partial<Pick<TestGateway, 'baseUrl' | 'headers'>> & { readonly error?: string };

let running: Awaited<ReturnType<typeof startTestServer>> | undefined;

const obey = async (order: ThreadOrder): Promise<ThreadReply> => {
  try {
    if (order === 'end') {
      await running?.end(false); // Jest does not say whether the test has failed
      return {};
    }
    running = await startTestServer(order.start, (option) => `useGateway({ ${option} }).`);
    const { baseUrl, headers } = running.gateway;
    return { baseUrl, headers };
  } catch (error) {
    return { error: messageOf(error) };
  }
};

parentPort?.on(
  'message',
  (order: ThreadOrder) => void obey(order).then((reply) => parentPort?.postMessage(reply)),
);
