// Processes with a state directory: how they end, and what the next one continues with. In process: test/transports/state-dir.test.ts.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { call, controlOf, serve, untilWritten } from '../support/state-dir-servers.ts';
import { buildFolder } from '../support/write-built.ts';

test('a walk continues across restarts, and is reported as one', async () => {
  const folder = makeFolder();
  let server = await serve(folder);
  await controlOf(server, 's').clock.run(60);
  const begun = await controlOf(server, 's').clock.now();
  let after = '';
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    // SIGINT: cli-endings.test.ts
    const { text }: { text: string } = await call(server, 's', `/batches?limit=10&after=${after}`);
    after = JSON.parse(text).last_id;
    expect(await server.stop(signal)).toMatchObject({ code: 0, stderr: '' });
    server = await serve(folder);
  }
  for (let hasMore = true; hasMore; ) {
    const { text }: { text: string } = await call(server, 's', `/batches?limit=100&after=${after}`);
    ({ last_id: after, has_more: hasMore } = JSON.parse(text));
  }
  expect(await controlOf(server, 's').requests.walk('listBatches')).toMatchObject({
    exactlyOnce: true,
    stopped: true,
  });
  // The clock runs from the time at which it was stored.
  const running = await controlOf(server, 's').clock.now();
  expect(running.speed).toBe(60);
  expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(begun.now));
});

test('a second server does not start; one that was killed has a successor, which knows what is lost', async () => {
  const folder = makeFolder();
  const first = await serve(folder);
  for (const name of ['written', 'changed']) await controlOf(first, name).clock.advance('1h');
  const before = await call(first, 'written');
  const second = spawnCli('--quiet', '--port', '0', '--state-dir', folder);
  const { code, stderr } = await second.ended;
  expect(code).toBe(2);
  expect(stderr).toContain('another server uses it. Stop that server, or choose another directory.');
  await untilWritten(folder);
  await controlOf(first, 'changed').clock.advance('1h');
  await controlOf(first, 'default').clock.advance('1h');
  await first.stop('SIGKILL');

  const next = await serve(folder);
  expect(await call(next, 'written')).toEqual(before);
  await expect(controlOf(next, 'written').requests.count()).rejects.toThrow('the server was killed');
  await controlOf(next, 'written').requests.clear();
  expect(await controlOf(next, 'written').requests.count()).toBe(0);
  expect(await call(next, 'changed')).toMatchObject({
    status: 410,
    text: expect.stringContaining('its server was killed before it wrote the last change'),
  });
  expect((await call(next, 'default')).isNew).toBe(true);
  expect((await next.stop()).stderr).toContain('The default session is lost and begins again');
  // What was lost stays lost, until it is made again.
  const last = await serve(folder);
  expect((await call(last, 'changed')).status).toBe(410);
  await controlOf(last, 'x').sessions.create('changed');
  expect((await call(last, 'changed')).status).toBe(200);
});

test('if the disk is full in the middle of a file, the file stays as it was', async () => {
  const folder = makeFolder();
  await (await serve(folder)).stop();
  const path = join(folder, 'sessions/default.json');
  const written = readFileSync(path, 'utf8');
  const code = `
    import { startServer } from ${JSON.stringify(pathToFileURL(join(buildFolder, 'server.js')).href)};
    process.on('SIGXFSZ', () => {}); // otherwise it ends the process
    const onStateError = ({ message }) => console.log(message);
    const server = await startServer({ stateDir: ${JSON.stringify(folder)}, onStateError });
    await server.records.batches.create({ id: 'large', metadata: { text: 'x'.repeat(100_000) } });
    await server.close();
  `;
  // A limit of the size of files, 20 or 40 kB: the system writes up to it, as on a full disk.
  const shell = 'ulimit -f 40; exec "$0" --input-type=module -e "$1"';
  const stdout = execFileSync('sh', ['-c', shell, process.execPath, code], { encoding: 'utf8' });
  expect(stdout).toContain('Failed to store the session "default": EFBIG');
  expect(readFileSync(path, 'utf8')).toBe(written);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a session that cannot be stored at the end gives the exit code 1, also if that was told before', async () => {
  const folder = makeFolder();
  const server = await serve(folder);
  rmSync(join(folder, 'sessions'), { recursive: true });
  writeFileSync(join(folder, 'sessions'), 'not a folder');
  await controlOf(server, 'default').clock.advance('1m'); // something to store, whatever was stored before
  const told = () => server.stderr().match(/Failed to store the session "default"/g);
  await expect.poll(told).toHaveLength(1);
  expect((await server.stop()).code).toBe(1);
  expect(told()).toHaveLength(2);
});
