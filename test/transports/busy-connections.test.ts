import { Agent, createServer, get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { close, listen } from '../../src/server/listen.ts';
import { shareTime } from '../../src/server/share-time.ts';
import type { NodeListener } from '../../src/transports/node-http.ts';
import { readStopwatch } from '../../src/util/stopwatch.ts';

const serve = async (listener: NodeListener): Promise<(agent: Agent | false) => Promise<void>> => {
  const server = createServer(shareTime(listener));
  const { port } = await listen(server, 0, '127.0.0.1');
  const endAll = () => server.closeAllConnections();
  onTestFinished(() => close({ server, endIdle: endAll, endAll }));
  return (agent) =>
    new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', agent };
      get(options, (reply) => reply.resume().once('end', resolve)).on('error', reject);
    });
};

test('a new connection is answered soon, however many others are busy', async () => {
  let answered = 0;
  const call = await serve((_request, response) => {
    const start = readStopwatch();
    while (readStopwatch() - start < 2);
    answered += 1;
    response.end();
  });
  const [busy, newOnes] = [50, 10];
  let isOver = false;
  const load = Array.from({ length: busy }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    while (!isOver) await call(agent);
  });
  await expect.poll(() => answered).toBeGreaterThan(3 * busy);
  const before = answered;
  await Promise.all(Array.from({ length: newOnes }, () => call(false)));
  const meanwhile = answered - before;
  isOver = true;
  await Promise.all(load);
  expect(meanwhile).toBeLessThan((busy * newOnes) / 2); // all of them for each new one without a limit
});
