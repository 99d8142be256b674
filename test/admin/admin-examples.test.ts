// The examples of the admin API's document: a server accepts each of them.
import { admin } from 'virtual:openapi';
import { expect, test } from 'vitest';
import type { Scenario } from '../../src/index.ts';
import { openServer } from '../support/open-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as its readers do, who have JSON
const document: any = JSON.parse(admin);

/** Records by the ids of the examples, a fault, a saved state and two calls of a list. */
const scenario: Scenario = {
  extends: 'default',
  threads: { thread_demo: { runs: 3, records: [{ id: 'run_1' }] } },
  batches: { seeded: 1, records: [{ id: 'batch_1' }] },
  jobs: { ftjob_demo: { checkpoints: 3, records: [{ id: 'checkpoint_1' }] } },
};

test('each example is accepted', async () => {
  const server = await openServer({ scenario });
  const headers = { 'content-type': 'application/json' };
  const refused: string[] = [];
  for (const [index, [path, { post }]] of Object.entries<typeof document>(document.paths).entries()) {
    const example = post?.requestBody.content['application/json']?.example;
    if (example === undefined) continue;
    const session = `${server.url}/sessions/s${index}`;
    const send = (to: string, body: unknown) =>
      fetch(`${session}/__admin${to}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await send('/faults/add', ['listBatches: 503']);
    await send('/state/save', {});
    const keys = { 'x-gateway-api-key': 'a', 'x-gateway-virtual-key': 'b' };
    for (let call = 0; call < 2; call += 1)
      await (await fetch(`${session}/v1/threads/thread_demo/runs`, { headers: keys })).text();
    const reply = await send(path, example);
    if (reply.status !== 200) refused.push(`${path} ${reply.status} ${await reply.text()}`);
  }
  expect(refused).toEqual([]);
});
