// A rebuild or `npm ci` beside a running server takes away what it loads at the first use.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '../support/transports.ts';
import { buildFolder, makeBuiltFolder } from '../support/write-built.ts';

const paths = ['/__admin/', '/__admin/metrics', '/__admin/state/file'];

/** As a browser does, which gets the page. */
const ask = (url: string, path: string): Promise<Response> =>
  fetch(url + path, { headers: { accept: 'text/html' } });

/** A copy of the build, whose files a test may remove. */
const copyBuild = (name: string): string => {
  const folder = makeBuiltFolder(name);
  for (const file of readdirSync(buildFolder))
    if (file.endsWith('.js')) copyFileSync(join(buildFolder, file), join(folder, file));
  return folder;
};

const serveFrom = async (folder: string) => {
  const child = spawn(process.execPath, [join(folder, 'cli.js'), '--json', '--quiet', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const { url }: { url: string } = JSON.parse(String(line));
  return { url };
};

test('a server of the command line has loaded them before it is ready', async () => {
  const folder = copyBuild('loaded-ahead');
  const { url } = await serveFrom(folder);
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  for (const path of paths) expect([path, (await ask(url, path)).status]).toEqual([path, 200]);
});

test('a server that cannot load them answers 500 in JSON without paths of its files, until they are back', async () => {
  const folder = copyBuild('lost-chunks');
  const { startServer } = await import(join(folder, 'server.js'));
  const server = await startServer();
  const lost = readdirSync(folder).filter((file) =>
    /^(virtual|document|docs|process-metrics|file)/.test(file),
  );
  for (const file of lost) rmSync(join(folder, file));
  try {
    for (const path of [...paths, ...paths]) {
      const reply = await ask(server.url, path);
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([
        path,
        500,
        'application/json',
      ]);
      const { message } = (await reply.json()).error;
      expect(message).toMatch(/^(?:Failed to |Internal error of gateway-mock: )/);
      expect(message).not.toContain(folder);
    }
    expect((await fetch(`${server.baseUrl}/batches`, { headers: keys })).status).toBe(200);
    for (const file of lost) copyFileSync(join(buildFolder, file), join(folder, file));
    for (const path of paths) expect([path, (await ask(server.url, path)).status]).toEqual([path, 200]);
  } finally {
    await server.close();
  }
});
