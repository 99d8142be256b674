// What the configuration of docs/replicas.cfg lets through: everything that one server does.

import { Agent, get } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { limits } from '../../src/util/limits.ts';
import { openListener } from '../support/listen.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { exchange, toBytes } from '../support/raw-http.ts';
import { noReplica, proxyConfig, startProxy } from '../support/start-proxy.ts';
import { keys } from '../support/transports.ts';

const hasProxy = hasCommand('haproxy', 'the tests of what a proxy lets through');

/** A proxy in front of one server, which it sends all calls. */
const startFor = (url: string): Promise<string> => {
  const { host } = new URL(url);
  return startProxy([host, host, host]);
};
const startOne = async (): Promise<string> => startFor((await openServer()).url);

const render = (url: string, name: string) =>
  fetch(`${url}/sessions/big/v1/prompts/prompt_welcome/render`, {
    method: 'POST',
    headers: { ...keys, 'content-type': 'application/json' },
    body: JSON.stringify({ variables: { name } }),
  });

describe.skipIf(!hasProxy)('the proxy of docs/replicas.md', () => {
  test('passes a connection that is cut on to the client, and repeats no call', async () => {
    const url = await startOne();
    const control = connect(url, { session: 's0' });
    for (const fault of ['reset', 'hang-up']) {
      await control.faults.add(`listBatches: ${fault}`);
      for (let call = 0; call < 3; call += 1)
        await expect(
          fetch(`${url}/sessions/s0/v1/batches`, { headers: keys }).then((reply) => reply.text()),
          fault,
        ).rejects.toThrow(TypeError);
      expect(await control.faults.list()).toMatchObject([{ calls: 3, hits: 3 }]);
      await control.faults.clear();
    }
  });

  test('passes what is large, and the refusals of what is too large', async () => {
    const url = await startOne();
    const large = await render(url, 'x'.repeat(9_900_000));
    expect([large.status, (await large.text()).length > 9_900_000]).toEqual([200, true]);
    const tooLarge = await render(url, 'x'.repeat(10_000_000));
    expect((await tooLarge.json()).error.type).toBe('invalid_request_error');
    for (const [size, status] of [
      [12_000, 200],
      [20_000, 431],
      [60_000, 431],
    ] as const) {
      const cookie = `a=${'x'.repeat(size)}`;
      const reply = await fetch(`${url}/v1/batches`, { headers: { ...keys, cookie } });
      expect([size, reply.status]).toEqual([size, status]);
      expect(await reply.json()).toBeTypeOf('object');
    }
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-a${index}`, 'b']));
    expect((await fetch(`${url}/v1/batches`, { headers: { ...keys, ...many } })).status).toBe(200);
  });

  test('passes the pieces of a slow reply and of an event stream as they are sent', async () => {
    const url = await startOne();
    const control = connect(url, { session: 'slow' });
    const stream = await fetch(`${url}/sessions/slow/__admin/events`);
    const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let begun = '';
    while (!begun.includes('event: open')) begun += (await events?.read())?.value ?? '';
    expect(begun).toMatch(/^: gateway-mock\n\nevent: open\n/);
    await control.faults.add('listBatches: drip 1s');
    expect((await events?.read())?.value).toContain('faults.add');
    const { body } = await fetch(`${url}/sessions/slow/v1/batches`, { headers: keys });
    let pieces = 0;
    for await (const _piece of body ?? []) pieces += 1;
    expect(pieces).toBeGreaterThan(5);
    await events?.cancel();
  });

  test('waits longer than any call takes', () => {
    const longestDelay = 600_000;
    for (const side of ['client', 'server']) {
      const [, days] = new RegExp(`timeout ${side} (\\d+)d`).exec(proxyConfig) ?? [];
      expect(Number(days) * 86_400_000).toBeGreaterThan(limits.waitTimeout + 10 * longestDelay);
    }
  });

  test('passes paths and queries as they were sent', async () => {
    const url = await startOne();
    const control = connect(url, { session: 'paths' });
    for (const target of [
      '/v1/threads/a%2Fb%2e%C3%A9/runs?after=%31&x=%zz',
      '//v1//x',
      '/v1/threads/{a|b}/runs',
    ])
      await exchange(url, toBytes(`GET ${target} HTTP/1.1`, { 'x-mock-session': 'paths' }));
    expect(await control.requests.list()).toMatchObject([
      { path: '/v1/threads/a%2Fb%2e%C3%A9/runs' },
      { path: '//v1//x' },
      { path: '/v1/threads/{a|b}/runs' },
    ]);
  });

  test('ends a call at the replica when its client goes away', async () => {
    let isEnded = false;
    const gone = new AbortController();
    const stub = await openListener((request, response) => {
      if (request.url !== '/wait') return void response.end();
      response.once('close', () => {
        isEnded = true;
      });
      gone.abort();
    });
    const url = await startFor(stub);
    await expect(fetch(`${url}/wait`, { signal: gone.signal })).rejects.toThrow('aborted');
    await expect.poll(() => isEnded).toBe(true);
  });

  test('ends a call whose replica is away when its client goes away', async () => {
    const url = await startProxy([noReplica, noReplica, noReplica]);
    const signal = AbortSignal.timeout(100);
    await expect(fetch(`${url}/sessions/a/v1/batches`, { signal })).rejects.toThrow('timeout');
  });

  test('closes idle connections before the replicas do, and promises clients no more than it keeps', async () => {
    const { url } = await openServer();
    const [, kept] = /timeout=(\d+)/.exec((await fetch(url)).headers.get('keep-alive') ?? '') ?? [];
    const [, seconds] = /timeout http-keep-alive (\d+)s/.exec(proxyConfig) ?? [];
    expect(Number(seconds)).toBeLessThan(Number(kept));
    expect((await fetch(await startFor(url))).headers.get('keep-alive')).toBeNull();
  });

  test('keeps connections to clients and replicas for the next calls', async () => {
    const ofReplica = new Set<number | undefined>();
    const stub = await openListener(({ url, socket }, response) => {
      if (url !== '/readyz') ofReplica.add(socket.remotePort);
      response.end('fine');
    });
    const url = await startFor(stub);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ofClient = new Set<number | undefined>();
    for (let call = 0; call < 50; call += 1) {
      const status = await new Promise((resolve, reject) => {
        get(`${url}/sessions/a/`, { agent }, (reply) => {
          ofClient.add(reply.socket.localPort);
          reply.resume().on('end', () => resolve(reply.statusCode));
        }).on('error', reject);
      });
      expect(status).toBe(200);
    }
    // On a busy machine an idle one may be closed in between.
    expect(Math.max(ofClient.size, ofReplica.size)).toBeLessThan(10);
  });
});
