// A rebuild or `npm ci` beside a running server takes away what it loads at the first use.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '../support/transports.ts';
import { buildFolder, makeBuiltFolder } from '../support/write-built.ts';

const serveFrom = async (folder: string) => {
  const child = spawn(process.execPath, [join(folder, 'cli.js'), '--json', '--quiet', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const { url }: { url: string } = JSON.parse(String(line));
  return { url, child };
};

test('a server of the command line has loaded them soon after its start', async () => {
  // It does not say when it has: a slow machine gets more time, with a new server.
  for (const seconds of [1, 4, 16]) {
    const folder = makeBuiltFolder('loaded-ahead');
    for (const file of readdirSync(buildFolder))
      if (file.endsWith('.js')) copyFileSync(join(buildFolder, file), join(folder, file));
    const { url, child } = await serveFrom(folder);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
    const replies = await Promise.all(
      ['/__admin/', '/openapi.json', '/__admin/metrics'].map((path) => fetch(`${url}${path}`)),
    );
    child.kill();
    if (replies.every(({ ok }) => ok)) return;
  }
  throw new Error('The page and the document were not loaded.');
});

test('a server whose page, documents and metrics cannot be loaded answers 500 in JSON, and goes on', async () => {
  const folder = makeBuiltFolder('lost-chunks');
  for (const file of readdirSync(buildFolder))
    if (file.endsWith('.js')) copyFileSync(join(buildFolder, file), join(folder, file));
  const { startServer } = await import(join(folder, 'server.js'));
  const server = await startServer();
  for (const file of readdirSync(folder))
    if (/^(virtual|document|docs|prometheus)/.test(file)) rmSync(join(folder, file));
  try {
    for (const path of ['/__admin/', '/openapi.json', '/openapi.json', '/__admin/metrics']) {
      const reply = await fetch(`${server.url}${path}`);
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([
        path,
        500,
        'application/json',
      ]);
      expect((await reply.json()).error.message).toMatch(/^Failed to /);
    }
    expect((await fetch(`${server.baseUrl}/batches`, { headers: keys })).status).toBe(200);
  } finally {
    await server.close();
  }
});
