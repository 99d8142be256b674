// The recipe of docs/replicas.md, as printed: three replicas behind nginx.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { freePort } from '../support/listen.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { type ServingCli, serveCli } from '../support/spawn-cli.ts';
import { root } from '../support/write-built.ts';

const hasNginx = hasCommand('nginx', 'the tests of replicas');

const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };

const portOf = ({ baseUrl }: ServingCli): string => new URL(baseUrl).port;

/**
 * Starts nginx by the printed configuration, on ports that are free here, and waits until it answers. Where another process
 * took the port meanwhile, nginx ends, and another port is tried.
 */
const startNginx = async (replicas: readonly ServingCli[]): Promise<string> => {
  for (let tries = 1; tries <= 5; tries += 1) {
    const url = await tryNginx(replicas, await freePort());
    if (url !== undefined) return url;
  }
  throw new Error('nginx did not start on any of five ports.');
};

const tryNginx = async (replicas: readonly ServingCli[], port: number): Promise<string | undefined> => {
  const ports = [port, ...replicas.map(portOf)];
  const text = ports.reduce<string>(
    (conf, own, index) => conf.replace(`127.0.0.1:${4010 + index}`, `127.0.0.1:${own}`),
    readFileSync(join(root, 'docs/replicas.conf'), 'utf8'),
  );
  const folder = mkdtempSync(join(tmpdir(), 'gateway-mock-nginx-'));
  const conf = join(folder, 'replicas.conf');
  // The test asks which replica answered.
  writeFileSync(
    conf,
    text.replace('location / {', 'location / {\n add_header x-served-by $upstream_addr always;'),
  );
  const nginx = spawn('nginx', ['-c', conf, '-p', folder, '-e', 'stderr'], { stdio: 'ignore' });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    nginx.once('close', () => {
      hasEnded = true;
      resolve();
    });
  });
  onTestFinished(async () => {
    nginx.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  while (!hasEnded) {
    const isUp = await fetch(`${url}/__admin/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return url;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
};

describe.skipIf(!hasNginx)('three replicas behind nginx', () => {
  test('answer reads alike, keep each session together, and lose only the sessions of one that is killed', async () => {
    const replicas = await Promise.all([serveCli('--quiet'), serveCli('--quiet'), serveCli('--quiet')]);
    const url = await startNginx(replicas);

    const batches = async (path: string) => {
      const reply = await fetch(`${url}${path}`, { headers });
      const text = await reply.text();
      return {
        status: reply.status,
        text,
        isNew: reply.headers.get('x-mock-world-new') === 'yes',
        by: reply.headers.get('x-served-by')?.split(', ').at(-1) ?? '',
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
    for (const name of names) {
      const { text, by, isNew } = await look(name);
      expect(text).toContain(`batch_of_${name}`);
      expect(isNew).toBe(false);
      homes.set(name, by);
      const byHeader = await fetch(`${url}/v1/batches?limit=1`, {
        headers: { ...headers, 'x-mock-session': name },
      });
      expect(await byHeader.text()).toBe(text);
    }
    expect(new Set(homes.values()).size).toBe(3);

    // One is killed while they are all under way: no call fails, and only its own sessions start anew.
    const [victim] = replicas;
    if (victim === undefined) throw new Error('There is no replica.');
    const dead = `127.0.0.1:${portOf(victim)}`;
    const anew = new Set<string>();
    let isOver = false;
    let calls = 0;
    const load = names.map(async (name) => {
      while (!isOver) {
        const { status, isNew, text } = await look(name);
        expect(status).toBe(200);
        calls += 1;
        if (isNew) anew.add(name);
        expect(text.includes(`batch_of_${name}`)).toBe(!anew.has(name));
      }
    });
    await expect.poll(() => calls).toBeGreaterThan(5 * names.length);
    await victim.stop('SIGKILL');
    await expect
      .poll(() => [...anew].sort(), { timeout: 60_000 })
      .toEqual(names.filter((name) => homes.get(name) === dead).sort());
    isOver = true;
    await Promise.all(load);
    for (const name of names) if (!anew.has(name)) expect((await look(name)).by).toBe(homes.get(name));

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
  });
});
