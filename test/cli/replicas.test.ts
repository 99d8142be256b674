// Three replicas behind HAProxy by docs/replicas.cfg: which of them gets a call, and what happens while one is away.
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { makeFolder } from '../support/make-folder.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { type ServingCli, serveCli } from '../support/spawn-cli.ts';
import { noReplica, proxyConfig, startProxy } from '../support/start-proxy.ts';
import { keys } from '../support/transports.ts';

const hasProxy = hasCommand('haproxy', 'the tests of replicas');

/** So that calls of a replica that is away do not wait for 30 s. */
const impatient = proxyConfig.replace('retries 30', 'retries 1');

const addressOf = ({ baseUrl }: ServingCli): string => new URL(baseUrl).host;

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
  test('a session stays with its replica, and waits for it while it is away; other calls go to the others', async () => {
    const folder = makeFolder();
    const serve = (number: number, ...options: string[]) =>
      serveCli('--quiet', '--state-dir', `${folder}/${number}`, ...options);
    const [first, ...others] = await Promise.all([serve(1), serve(2), serve(3)]);
    const url = await startProxy([first, ...others].map(addressOf), impatient);

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
      expect(await callBatches(`${url}/sessions/${name}`, { 'x-mock-session': 'session-0' })).toMatchObject({
        text,
        by,
        world,
      });
    }

    await first.stop();
    const isAway = expect.objectContaining({ status: 503, retryAfter: '1', world: null });
    expect(await Promise.all(names.map(look))).toEqual(
      before.map((seen) => (seen.by === 'replica-1' ? isAway : seen)),
    );
    const without = await Promise.all(Array.from({ length: 10 }, () => callBatches(url)));
    for (const { status, by } of without)
      expect([status, by]).toEqual([200, expect.stringMatching(/replica-[23]/)]);

    await serve(1, '--port', new URL(first.baseUrl).port);
    expect(await Promise.all(names.map(look))).toEqual(before);
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

  test('the reason is reported if HAProxy does not start', async () => {
    await expect(startProxy([noReplica], `${proxyConfig}  nonsense\n`)).rejects.toThrow(
      /HAProxy did not start: .*unknown keyword 'nonsense'/s,
    );
  });
});
