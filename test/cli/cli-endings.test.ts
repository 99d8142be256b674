// How the built command line ends: by a signal, by an error of its caller, by itself.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { type Ending, serveCli, spawnCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

describe('it ends by itself within a second, with exit code 0', () => {
  const head =
    'POST /v1/prompts/prompt_welcome/render HTTP/1.1\r\nhost: localhost\r\nx-gateway-api-key: k\r\n';
  test.each([
    ['SIGINT', 'no connection', []],
    ['SIGTERM', 'a connection on which nothing was sent', ['']],
    ['SIGINT', 'an idle connection after an answer', ['GET /v1/batches HTTP/1.1\r\nhost: localhost\r\n\r\n']],
    ['SIGTERM', 'half of a head', [head]],
    ['SIGINT', 'half of a body', [`${head}content-length: 100\r\n\r\n{"variables":`]],
    [
      'SIGTERM',
      'all of these',
      ['', head, `${head}content-length: 100\r\n\r\n{`, 'GET /v1 HTTP/1.1\r\n\r\n', 'GE'],
    ],
  ] as const)('on %s, with %s', async (signal, _case, starts) => {
    const cli = await serveCli('--json');
    const { hostname, port } = new URL(cli.baseUrl);
    for (const start of starts) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write(start);
      if (start.startsWith('GET')) await once(socket, 'data');
    }
    // Answered on a connection of its own: by now the server has read what came before.
    await fetch(`${cli.baseUrl}/batches`, { headers: { ...keys, connection: 'close' } });
    const { code, signal: killedBy, duration, stderr } = await cli.stop(signal);
    expect({ code, killedBy, stderr }).toEqual({ code: 0, killedBy: null, stderr: '' });
    const margin = 10; // for a machine that is busy with other tests: what holds a server up does so for 30 s and more
    expect(duration).toBeLessThan(1000 * margin);
  });
});

test.each([
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
] as const)('after %s, %s ends it at once', { retry: 3 }, async (first, second) => {
  const cli = await serveCli('--json');
  const { hostname, port } = new URL(cli.baseUrl);
  const open = connect(Number(port), hostname).on('error', () => {});
  onTestFinished(() => void open.destroy());
  await once(open, 'connect');
  open.write('GET'); // an open call, for which it waits half a second: the second signal has to come by then
  await fetch(`${cli.baseUrl}/batches`, { headers: { ...keys, connection: 'close' } });
  cli.child.kill(first);
  const isClosed = () =>
    fetch(cli.baseUrl, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    );
  await expect.poll(isClosed, { interval: 5 }).toBe(true);
  expect(await cli.stop(second)).toMatchObject({ code: null, signal: second });
});

describe('an error of the caller ends it with one line on stderr and exit code 2', () => {
  const expectError = ({ code, stdout, stderr }: Ending, wanted: readonly string[]): void => {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^gateway-mock: [^\n]+\n$/);
    expect(stderr).not.toMatch(/\bat \S+:\d+:\d+|node:internal/); // no stack
    for (const text of wanted) expect(stderr).toContain(text);
  };

  test.each([
    [
      ['--port', 'abc'],
      ['--port', 'abc', '65535'],
    ],
    [
      ['--port', '70000'],
      ['--port', '70000', '65535'],
    ],
    [
      ['--port', '-1'],
      ['--port', '-1', '65535'],
    ],
    [
      ['--port', ''],
      ['--port', '65535'],
    ],
    [
      ['--port', '1e3'],
      ['--port', '1e3', '65535'],
    ],
    [['--port'], ['--port', 'missing']],
    [
      ['--max-sessions', '1'],
      ['--max-sessions', "'1'", 'It must be a whole number of at least 2.'],
    ],
    [
      ['--seed', 'abc'],
      ['--seed', 'abc'],
    ],
    [
      ['--seed', '1.5'],
      ['--seed', '1.5'],
    ],
    [
      ['--seed', '9007199254740993'],
      ['--seed', '9007199254740993'],
    ],
    [
      ['--scenario', 'defualt'],
      ['"defualt"', 'Did you mean "default"?'],
    ],
    [
      ['--scenario', '__proto__'],
      ['"__proto__"', 'default'],
    ],
    [['--nope'], ["'--nope'", '--help']],
    [
      ['--prot', '1'],
      ["'--prot'", 'Did you mean --port?'],
    ],
    [
      ['fly', '--port', '0'],
      ['fly', '--help'],
    ],
    [
      ['serv', '--port', '0'],
      ['"serv"', 'Did you mean "serve"?'],
    ],
    [
      ['help', 'fly'],
      ['unknown command "fly"', '--help'],
    ],
    [
      ['serve', 'fly', '--port', '0'],
      ['fly', '--help'],
    ],
    [
      ['--port', '0', '--host', '203.0.113.7'],
      ['203.0.113.7', '--host 127.0.0.1'],
    ],
    [
      ['--port', '0', '--host', 'no host'],
      ['no host', '--host 127.0.0.1'],
    ],
    [
      ['--port', '0', '--host', 'fe80::1'],
      ['fe80::1', '--host 127.0.0.1'],
    ],
    [['--port', '0', '--host', ''], ['--host']],
  ])('%j is refused', async (args, wanted) => {
    expectError(await runCli(...args), wanted);
  });

  test.each([
    [['--port', 'abc'], '65535'],
    [['--scenario', 'defualt'], 'Did you mean "default"?'],
  ])('%j is refused by a process of its own', async (args, wanted) => {
    const { child, ended } = spawnCli(...args);
    child.stdout.once('data', () => child.kill()); // it serves, and would never end
    expectError(await ended, [wanted]);
  });

  test('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo; // it listens on a port
    expectError(await runCli('--port', String(port)), [String(port), 'in use', '--port 0']);
  });
});

test('serve --help tells every option, and exits with 0', async () => {
  const { code, stdout, stderr } = await spawnCli('serve', '--help').ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const options = ['port', 'host', 'scenario', 'seed', 'json', 'quiet', 'api-key', 'virtual-key'];
  for (const option of options) expect(stdout).toContain(`--${option}`);
});
