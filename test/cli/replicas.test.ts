// Replicas behind HAProxy by docs/replicas.cfg: which of them gets a call, what happens while one is away, and that the proxy
// passes everything that one server does.
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { limits } from '../../src/core/util/limits.ts';
import { openListener } from '../support/listen.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { exchange, toBytes } from '../support/raw-http.ts';
import { noReplica, proxyConfig, startProxy } from '../support/start-proxy.ts';
import { keys } from '../support/transports.ts';

const hasProxy = hasCommand('haproxy', 'the tests of replicas');

/** So that calls of a replica that is away do not wait for 30 s. */
const impatient = proxyConfig.replace('retries 30', 'retries 1');

const callBatches = async (url: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${url}/v1/batches?limit=1`, { headers: { ...keys, ...headers } });
  return {
    status: reply.status,
    text: await reply.text(),
    by: reply.headers.get('x-served-by'),
    world: reply.headers.get('x-mock-world'),
    retryAfter: reply.headers.get('retry-after'),
  };
};

describe.skipIf(!hasProxy)('three replicas behind HAProxy', () => {
  test('a session stays with its replica; while that is away, its calls are refused, and others go elsewhere', async () => {
    const replicas = await Promise.all(Array.from({ length: 3 }, () => openServer()));
    const url = await startProxy(
      replicas.map((replica) => new URL(replica.url).host),
      impatient,
    );

    const reads = await Promise.all(Array.from({ length: 30 }, () => callBatches(url)));
    expect(new Set(reads.map(({ by }) => by))).toEqual(new Set(['replica-1', 'replica-2', 'replica-3']));
    expect(new Set(reads.map(({ text }) => text)).size).toBe(1);

    const names = Array.from({ length: 30 }, (_, index) => `session-${index}`);
    const look = (name: string) => callBatches(`${url}/sessions/${name}`);
    for (const name of names)
      await connect(url, { session: name }).records.batches.create({ id: `batch_of_${name}` });
    const before = await Promise.all(names.map(look));
    expect(new Set(before.map(({ by }) => by)).size).toBe(3);
    for (const [at, name] of names.entries()) {
      const { text, by, world } = before[at] ?? {};
      expect(text).toContain(`batch_of_${name}`);
      expect(await callBatches(url, { 'x-mock-session': name })).toMatchObject({ text, by, world });
      const other = { 'x-mock-session': 'session-0' }; // the path wins
      expect(await callBatches(`${url}/sessions/${name}`, other)).toMatchObject({ text, by, world });
    }

    await replicas[0]?.close();
    const isAway = expect.objectContaining({ status: 503, retryAfter: '1', world: null });
    expect(await Promise.all(names.map(look))).toEqual(
      before.map((seen) => (seen.by === 'replica-1' ? isAway : seen)),
    );
    const without = await Promise.all(Array.from({ length: 10 }, () => callBatches(url)));
    for (const { status, by } of without)
      expect([status, by]).toEqual([200, expect.stringMatching(/replica-[23]/)]);
  });

  test('answer in the form of the mock if none can be reached', async () => {
    const url = await startProxy([noReplica, noReplica, noReplica], impatient);
    for (const path of ['', '/sessions/a']) {
      const reply = await fetch(`${url}${path}/v1/batches`, { headers: keys });
      expect(reply.status).toBe(503);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'application/json',
        'retry-after': '1',
        'x-should-retry': 'true',
      });
      expect(await reply.json()).toMatchObject({
        status: 'failure',
        message: 'No replica can be reached.',
        error: { type: 'server_error' },
        data: { errorCode: 'AB00' },
      });
    }
  });
});

describe.skipIf(!hasProxy)('the proxy', () => {
  /** A proxy in front of one server, which it sends all calls. */
  const startFor = (url: string): Promise<string> => {
    const { host } = new URL(url);
    return startProxy([host, host, host]);
  };
  const startOne = async (): Promise<string> => startFor((await openServer()).url);

  test('passes a connection that is cut on to the client, and repeats no call', async () => {
    const url = await startOne();
    const control = connect(url, { session: 's0' });
    for (const fault of ['reset', 'hang-up']) {
      await control.faults.add(`listBatches: ${fault}`);
      const broken = callBatches(`${url}/sessions/s0`);
      await expect(broken, fault).rejects.toThrow(TypeError);
      expect(await control.faults.list()).toMatchObject([{ calls: 1, hits: 1 }]);
      await control.faults.clear();
    }
  });

  test('passes what is large, and the refusals of what is too large', async () => {
    const url = await startOne();
    const render = (name: string) =>
      fetch(`${url}/sessions/big/v1/prompts/prompt_welcome/render`, {
        method: 'POST',
        headers: { ...keys, 'content-type': 'application/json' },
        body: JSON.stringify({ variables: { name } }),
      });
    const large = await render('x'.repeat(9_900_000));
    expect([large.status, (await large.text()).length > 9_900_000]).toEqual([200, true]);
    const tooLarge = await render('x'.repeat(10_000_000));
    expect((await tooLarge.json()).error.type).toBe('invalid_request_error');
    for (const [size, status] of [
      [12_000, 200],
      [20_000, 431],
    ] as const) {
      const reply = await callBatches(url, { cookie: `a=${'x'.repeat(size)}` });
      expect([size, reply.status]).toEqual([size, status]);
      expect(JSON.parse(reply.text)).toBeTypeOf('object');
    }
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-a${index}`, 'b']));
    expect((await callBatches(url, many)).status).toBe(200);
  });

  test('passes the pieces of a slow reply and of an event stream as they are sent', async () => {
    const url = await startOne();
    const control = connect(url, { session: 'slow' });
    const stream = await fetch(`${url}/sessions/slow/__admin/events`);
    const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let begun = '';
    while (!begun.includes('event: open')) begun += (await events?.read())?.value ?? '';
    await control.faults.add('listBatches: drip 1s');
    expect((await events?.read())?.value).toContain('faults.add');
    const { body } = await fetch(`${url}/sessions/slow/v1/batches`, { headers: keys });
    let pieces = 0;
    for await (const _piece of body ?? []) pieces += 1;
    expect(pieces).toBeGreaterThan(5);
    await events?.cancel();
  });

  test('waits longer than any call takes, and closes idle connections before the replicas do', async () => {
    const longestDelay = 600_000;
    const timeoutOf = (name: string): number =>
      Number(new RegExp(`timeout ${name} (\\d+)`).exec(proxyConfig)?.[1]);
    for (const side of ['client', 'server'])
      expect(timeoutOf(side) * 86_400_000).toBeGreaterThan(limits.waitTimeout + 10 * longestDelay); // in days
    const { headers } = await fetch((await openServer()).url);
    const [, kept] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect(timeoutOf('http-keep-alive')).toBeLessThan(Number(kept));
  });

  test('passes paths and queries as they were sent', async () => {
    const url = await startOne();
    const paths = ['/v1/threads/a%2Fb%2e%C3%A9/runs?after=%31&x=%zz', '//v1//x', '/v1/threads/{a|b}/runs'];
    for (const path of paths)
      await exchange(url, toBytes(`GET ${path} HTTP/1.1`, { 'x-mock-session': 'paths' }));
    const calls = await connect(url, { session: 'paths' }).requests.list();
    expect(calls.map(({ path }) => path)).toEqual(paths.map((path) => path.split('?')[0]));
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
});
