// What the journal owes to its transport.

import { expect, test } from 'vitest';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const scenario = { batches: 3, threads: { thread_a: { runs: 2 } } };

test('over HTTP a wait is over by the time that the client has its reply', async () => {
  const server = await openServer({ scenario });
  let seen: number | undefined;
  const waited = server.requests.wait({ operation: 'listBatches' }, { count: 2 }).then((all) => {
    seen = all.length;
  });
  await fetch(`${server.baseUrl}/batches`, { headers: keys });
  expect(seen).toBeUndefined();
  await fetch(`${server.baseUrl}/batches`, { headers: keys });
  expect(seen).toBe(2);
  await waited;
});
