// What the journal owes to its transport.

import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { setupGateway } from '../../src/node.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const scenario = { batches: 3, threads: { thread_a: { runs: 2 } } };

describe('in process, below any base URL', () => {
  test('what is left to others is kept as unmatched, where its path has the version segment', async () => {
    const others = createServer((_request, response) => response.end('theirs')).listen(0, '127.0.0.1');
    await new Promise((resolve) => others.once('listening', resolve));
    const address = others.address();
    const root = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const gateway = setupGateway({ scenario });
    gateway.listen({ onUnhandledRequest: 'bypass' });
    onTestFinished(() => {
      gateway.close();
      others.close();
      others.closeAllConnections();
    });

    const key = 'sk-left-to-others-0123456789';
    const init = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: 'theirs to read' };
    for (const path of ['/v1/chat/completions', '/v1/batches/', '/health', '/v1', '/v2/batches', '/'])
      expect(await (await fetch(root + path, init)).text()).toBe('theirs');
    expect(await (await fetch(`${root}/sessions/mine/v1/nothing?key=${key}`, init)).text()).toBe('theirs');
    const inSession = { ...init, headers: { ...init.headers, 'x-mock-session': 'mine' } };
    await fetch(`${root}/eu/v1/nothing`, inSession);

    const all = await gateway.requests.list();
    expect(all.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/batches/']);
    for (const each of all)
      expect(each).toMatchObject({ operation: null, status: null, reply: null, id: '', duration: null });
    expect(all[0]?.nearest).toContain(
      'No operation has the path /v1/chat/completions. The contract does not have this call',
    );
    const mine = await gateway.session('mine').requests.list({ unmatched: true });
    expect(mine.map(({ path }) => path)).toEqual(['/v1/nothing', '/v1/nothing']);
    expect(JSON.stringify([all, mine])).not.toContain(key);
  });
});

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
