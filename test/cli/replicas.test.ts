// The recipe of docs/replicas.md, as printed: three replicas behind HAProxy, one of which is killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { type ServingCli, serveCli } from '../support/spawn-cli.ts';
import { noReplica, startProxy } from '../support/start-proxy.ts';
import { keys } from '../support/transports.ts';

const hasProxy = hasCommand('haproxy', 'the tests of replicas');

const portOf = ({ baseUrl }: ServingCli): string => new URL(baseUrl).port;

describe.skipIf(!hasProxy)('three replicas behind HAProxy', () => {
  test('answer reads alike, keep each session together, and lose only the sessions of one that is killed', async () => {
    const replicas = await Promise.all([serveCli('--quiet'), serveCli('--quiet'), serveCli('--quiet')]);
    const url = await startProxy(replicas.map(portOf));

    const batches = async (path: string, headers: Record<string, string> = {}) => {
      const reply = await fetch(`${url}${path}`, { headers: { ...keys, ...headers } });
      const text = await reply.text();
      return {
        status: reply.status,
        text,
        isNew: reply.headers.get('x-mock-world-new') === 'yes',
        world: reply.headers.get('x-mock-world'),
        by: reply.headers.get('x-served-by') ?? '',
      };
    };

    // Reads of no session: from every replica, to the same bytes.
    const reads = await Promise.all(Array.from({ length: 60 }, () => batches('/v1/batches?limit=5')));
    expect(new Set(reads.map(({ by }) => by)).size).toBe(3);
    expect(new Set(reads.map(({ text }) => text)).size).toBe(1);

    // Each session's writes are seen by the session, whoever asks, by its path or by its header.
    const names = Array.from({ length: 30 }, (_, index) => `session-${index}`);
    const controls = new Map(names.map((name) => [name, connect(url, { session: name })]));
    await Promise.all(
      [...controls].map(([name, { records }]) => records.batches.create({ id: `batch_of_${name}` })),
    );
    const look = (name: string) => batches(`/sessions/${name}/v1/batches?limit=1`);
    const homes = new Map<string, string>();
    const worlds = new Map<string, string | null>();
    for (const name of names) {
      const { text, by, isNew, world } = await look(name);
      expect(text).toContain(`batch_of_${name}`);
      expect(isNew).toBe(false);
      homes.set(name, by);
      worlds.set(name, world);
      const byHeader = await batches('/v1/batches?limit=1', { 'x-mock-session': name });
      expect(byHeader).toMatchObject({ text, by, world });
      const byPath = await batches(`/sessions/${name}/v1/batches?limit=1`, { 'x-mock-session': 'session-0' });
      expect(byPath).toMatchObject({ text, by, world });
    }
    expect(new Set(homes.values()).size).toBe(3);

    // One is killed while they are all under way: only its own sessions start anew, and only a call that it had got may fail.
    const [victim] = replicas;
    if (victim === undefined) throw new Error('There is no replica.');
    const ofVictim = names.filter((name) => homes.get(name) === 'replica-1').sort();
    const anew = new Set<string>();
    let isOver = false;
    let calls = 0;
    const load = names.map(async (name) => {
      let failures = 0;
      while (!isOver) {
        const reply = await look(name).catch(() => undefined);
        calls += 1;
        if (reply === undefined) {
          failures += 1;
          continue;
        }
        expect(reply.status).toBe(200);
        if (reply.isNew) anew.add(name);
        expect(reply.text.includes(`batch_of_${name}`)).toBe(!anew.has(name));
      }
      return [name, failures] as const;
    });
    await expect.poll(() => calls).toBeGreaterThan(5 * names.length);
    await victim.stop('SIGKILL');
    await expect.poll(() => [...anew].sort(), { timeout: 60_000 }).toEqual(ofVictim);
    isOver = true;
    for (const [name, failures] of await Promise.all(load))
      expect([name, failures]).toEqual([name, anew.has(name) ? expect.toBeOneOf([0, 1]) : 0]);
    for (const name of names)
      if (!anew.has(name))
        expect(await look(name)).toMatchObject({ by: homes.get(name), world: worlds.get(name) });

    // Whoever steers a session that was lost hears of it.
    const heard = await Promise.all(
      [...controls].map(([name, { requests }]) =>
        requests.count().then(
          () => `${name} goes on`,
          ({ message }: Error) => message.replace(/(is lost).*/s, '$1'),
        ),
      ),
    );
    expect(heard).toEqual(
      names.map((name) =>
        anew.has(name) ? `The world of the session "${name}" is lost` : `${name} goes on`,
      ),
    );

    // A replica that returns gets its own sessions again, in new worlds, and no others.
    await serveCli('--quiet', '--port', portOf(victim));
    await expect
      .poll(
        async () => {
          const all = await Promise.all(names.map(async (name) => ({ name, by: (await look(name)).by })));
          return all.filter(({ by }) => by === 'replica-1').map(({ name }) => name);
        },
        { timeout: 60_000 },
      )
      .toEqual(names.filter((name) => ofVictim.includes(name)));
    for (const name of names)
      expect((await look(name)).world === worlds.get(name)).toBe(!ofVictim.includes(name));
  });

  // Again where the machine was too busy to let the replica go on within ten seconds.
  test('keep the sessions of one that stalls, and hand on those of one that ends', { retry: 3 }, async () => {
    const shared = mkdtempSync(join(tmpdir(), 'gateway-mock-replicas-'));
    onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
    const serve = () => serveCli('--quiet', '--state-dir', shared);
    const [first, ...others] = await Promise.all([serve(), serve(), serve()]);
    const url = await startProxy([first, ...others].map(portOf));
    const look = async (name: string) => {
      const { headers, status } = await fetch(`${url}/sessions/${name}/v1/batches`, { headers: keys });
      return { status, by: headers.get('x-served-by'), world: headers.get('x-mock-world') };
    };
    const all = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => ({ name: `s${index}`, ...(await look(`s${index}`)) })),
    );
    const [session] = all.filter(({ by }) => by === 'replica-1');
    if (session === undefined) throw new Error('The first replica has no session.');
    const { name, ...before } = session;

    first.child.kill('SIGSTOP');
    const during = look(name);
    await new Promise((resolve) => setTimeout(resolve, 8000));
    first.child.kill('SIGCONT');
    expect(await during).toEqual(before);
    expect(await look(name)).toEqual(before);

    await first.stop();
    const after = await look(name);
    expect(after).toEqual({ ...before, by: expect.stringMatching(/replica-[23]/) });
  });

  test('that are all gone are an error in the form of the others', async () => {
    const url = await startProxy([noReplica, noReplica, noReplica]);
    const reply = await fetch(`${url}/sessions/a/v1/batches`, { headers: keys });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'application/json']);
    expect(await reply.json()).toMatchObject({
      status: 'failure',
      message: 'No replica can be reached.',
      error: { type: 'server_error' },
      data: { errorCode: 'AB00' },
    });
  });
});
