// The thread of `gateway-mock/jest`: it runs the servers of a file's tests, outside of Jest's own module system.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { messageOf } from '../../core/util/message-of.ts';
import type { TestGateway } from './test-gateway.ts';
import { type ServerEnd, startTestServer, type TestServerOptions } from './test-server.ts';

/** Starts the server of a test. The port gets a reply to the order, and to a {@link ServerEnd}. When the port is closed, the server stops. */
export interface ThreadOrder {
  readonly options: TestServerOptions;
  /** How the user sets options: `useGateway({ OPTION }).` */
  readonly howToSet: string;
  readonly port: MessagePort;
}

/** The result of an order: the server, or why it failed. */
export type ThreadReply = Partial<Pick<TestGateway, 'baseUrl' | 'headers'>> & { readonly error?: string };

const start = async ({ options, howToSet, port }: ThreadOrder): Promise<void> => {
  try {
    const { baseUrl, headers, check, close } = await startTestServer(options, (option) =>
      howToSet.replace('OPTION', option),
    );
    port.once('message', (ending: ServerEnd) => {
      const checked = check(ending).then(() => ({}), toReply);
      void checked.then((reply: ThreadReply) => port.postMessage(reply));
    });
    port.once('close', () => void close());
    port.postMessage({ baseUrl, headers } satisfies ThreadReply);
  } catch (error) {
    port.postMessage(toReply(error));
  }
};

const toReply = (error: unknown): ThreadReply => ({ error: messageOf(error) });

parentPort?.on('message', (order: ThreadOrder) => void start(order));
