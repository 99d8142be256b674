// What the journal owes to its transport.

import { expect, onTestFinished, test, vi } from 'vitest';
import { setupGateway } from '../../src/node.ts';
import { openListener } from '../support/listen.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const scenario = { batches: 3, threads: { thread_a: { runs: 2 } } };

test('in process, what is left to others is kept as unmatched if its path has the version segment', async () => {
  const root = await openListener((_request, response) => response.end('theirs'));
  const gateway = setupGateway({ scenario });
  gateway.listen({ onUnhandledRequest: 'bypass' });
  onTestFinished(() => gateway.close());

  const key = 'sk-left-to-others-0123456789';
  const init = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: 'theirs to read' };
  for (const path of ['/v1/chat/completions', '/health', '/v1', '/v2/batches', '/'])
    expect(await (await fetch(root + path, init)).text()).toBe('theirs');
  await fetch(`${root}/sessions/mine/v1/nothing?key=${key}`, init);
  await fetch(`${root}/eu/v1/nothing`, { headers: { ...init.headers, 'x-mock-session': 'mine' } });

  const all = await gateway.requests.list();
  const path = '/v1/chat/completions';
  expect(all).toMatchObject([{ path, operation: null, status: null, reply: null, id: '', duration: null }]);
  expect(all[0]?.nearest).toContain(
    `No operation has the path ${path}. The contract does not have this call`,
  );
  const mine = await gateway.session('mine').requests.list({ unmatched: true });
  expect(mine.map((request) => request.path)).toEqual(['/v1/nothing', '/v1/nothing']);
  expect(JSON.stringify([all, mine])).not.toContain(key);
});

test('in process, a call at another base URL is kept and printed with the base URL that the gateway has', async () => {
  const root = await openListener((_request, response) => response.end('theirs'));
  const { host } = new URL(root);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const gateway = setupGateway({ scenario, baseUrl: 'http://gateway.test/v1' });
  gateway.listen();
  onTestFinished(() => gateway.close());
  await fetch(`${root}/api/v1/batches?limit=1`);
  await fetch(`${root}/v1/batches`, { method: 'DELETE' });
  await fetch(`${root}/v1/batch`);
  const reasons = [
    `listBatches was called at another base URL, http://${host}/api/v1: this gateway answers only http://gateway.test/v1 (the option baseUrl).`,
    'listBatches does not support DELETE, only GET, HEAD, OPTIONS.',
    'No operation has the path /v1/batch. The nearest is listBatches, GET /batches',
  ];
  const requests = await gateway.requests.list({ unmatched: true });
  expect(requests.map(({ nearest }) => nearest)).toEqual(
    reasons.map((reason) => expect.stringContaining(reason)),
  );
  for (const reason of reasons) expect(warn).toHaveBeenCalledWith(expect.stringContaining(reason));
});

test('where a second gateway took the interception over, a call for the first one names the base URL of the second', async () => {
  const root = await openListener((_request, response) => response.end('theirs'));
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const bases = [`${root}/v1`, 'http://second.test/v1'];
  for (const baseUrl of bases) {
    const gateway = setupGateway({ scenario, baseUrl });
    gateway.listen();
    onTestFinished(() => gateway.close());
  }
  expect(await (await fetch(`${root}/v1/batches`)).text()).toBe('theirs');
  expect(warn).toHaveBeenCalledWith(expect.stringContaining(`this gateway answers only ${bases[1]}`));
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
