// How a process of the built command line ends. By an error of its caller: refusals.test.ts.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { read } from '../support/printed-blocks.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';
import { buildFolder } from '../support/write-built.ts';

const head = 'POST /v1/prompts/prompt_welcome/render HTTP/1.1\r\nhost: localhost\r\nx-gateway-api-key: k\r\n';
const halfBody = `${head}content-length: 100\r\n\r\n{"variables":`;
const answered = 'GET /v1/batches HTTP/1.1\r\nhost: localhost\r\n\r\n';

test.each<[NodeJS.Signals, string, string[]]>([
  ['SIGINT', 'no connection', []],
  ['SIGTERM', 'connections in any state', ['', head, halfBody, answered, 'GE']],
])('on %s, with %s, it ends by itself within a second, with exit code 0', async (signal, _case, starts) => {
  const cli = await serveCli('--json');
  const { hostname, port } = new URL(cli.baseUrl);
  for (const start of starts) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(start);
    if (start === answered) await once(socket, 'data');
  }
  // Answered on a connection of its own: by now the server has read what came before.
  await fetch(`${cli.baseUrl}/batches`, { headers: { ...keys, connection: 'close' } });
  const { code, signal: killedBy, duration, stderr } = await cli.stop(signal);
  expect({ code, killedBy, stderr }).toEqual({ code: 0, killedBy: null, stderr: '' });
  const margin = 10; // for a machine that is busy with other tests: what holds a server up does so for 30 s and more
  expect(duration).toBeLessThan(1000 * margin);
});

test('after SIGINT, SIGTERM ends it at once', { retry: 20 }, async () => {
  const cli = await serveCli('--json');
  const { hostname, port } = new URL(cli.baseUrl);
  const open = connect(Number(port), hostname).on('error', () => {});
  onTestFinished(() => void open.destroy());
  await once(open, 'connect');
  open.write('GET'); // an open call, for which it waits half a second: the second signal has to come by then
  await fetch(`${cli.baseUrl}/batches`, { headers: { ...keys, connection: 'close' } });
  cli.child.kill('SIGINT');
  const isClosed = () =>
    fetch(cli.baseUrl, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    );
  await expect.poll(isClosed, { interval: 5 }).toBe(true);
  expect(await cli.stop('SIGTERM')).toMatchObject({ code: null, signal: 'SIGTERM' });
});

test('it continues to serve after the reader of its log has ended', async () => {
  const cli = await serveCli();
  cli.child.stdout.destroy();
  for (let count = 0; count < 5; count += 1)
    expect((await fetch(`${cli.baseUrl}/batches`, { headers: keys })).status).toBe(200);
  expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' });
});

test('under a Node that is too old it says which is needed, in one sentence', async () => {
  const { engines } = JSON.parse(read('package.json'));
  const folder = makeFolder({
    'old.cjs': `Object.defineProperty(process.versions, 'node', { value: '20.18.9' });`,
  });
  const args = ['--require', `${folder}/old.cjs`, join(buildFolder, 'cli.js'), '--help'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe('gateway-mock: Node 20.19 or newer is needed, but this is Node 20.18.9.\n');
  expect(engines.node).toBe('>=20.19');
});
