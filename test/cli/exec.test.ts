// `gateway-mock exec -- COMMAND`, as a user starts it: what the command is told, and how it all ends.
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runCommand, withoutProxy } from '../../src/cli/exec.ts';
import { makeFolder } from '../support/make-folder.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { runCli } from '../support/run-cli.ts';
import { type Ending, serveCli, spawnCli } from '../support/spawn-cli.ts';
import { buildFolder } from '../support/write-built.ts';

const node = process.execPath;
const exec = (...args: string[]): Promise<Ending> => spawnCli('exec', ...args).ended;
const execScript = (script: string, ...options: string[]): Promise<Ending> =>
  exec(...options, '--', node, '--input-type=module', '--eval', script);

describe('the exit code', () => {
  const runScript = (script: string): Promise<number> => runCommand([node, '-e', script], process.env);

  test.each([0, 255])('is the command’s: %i', async (code) => {
    expect(await runScript(`process.exit(${code})`)).toBe(code);
  });

  test('is that of exec itself', async () => {
    expect(await execScript('process.exit(7)')).toEqual({ code: 7, signal: null, stdout: '', stderr: '' });
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGKILL', 137],
  ])('of a command that %s ended is %i', async (signal, code) => {
    expect(await runScript(`process.kill(process.pid, '${signal}')`)).toBe(code);
  });

  test.each([
    ['no-such-command-anywhere', 127, 'command not found: "no-such-command-anywhere"'],
    ['./no/such/file', 127, 'command not found: "./no/such/file"'],
    ['', 127, 'command not found: ""'],
    [fileURLToPath(new URL('../../package.json', import.meta.url)), 126, 'permission denied'],
    [`${fileURLToPath(import.meta.url)}/command`, 126, 'failed to run the command'],
  ])('and one clear line for the command "%s", which cannot be started', async (command, code, reason) => {
    const { stdout, stderr, ...ending } = await runCli('exec', '--', command);
    expect({ stdout, ...ending }).toEqual({ stdout: '', code, signal: null });
    expect(stderr).toMatch(/^gateway-mock: .+\n(?: {2}- .+\n)*$/); // a line, and one for each error of a scenario
    expect(stderr).toContain(reason);
  });

  test.each([
    [[], 'command to run is missing'],
    [['--'], 'command to run is missing'],
    [['--nope', '--', 'true'], "'--nope'"],
    [['--scenario', 'defualt', '--', 'true'], 'Did you mean "default"?'],
    [['--fault', 'listRuns', '--', 'true'], 'the colon is missing'],
    [['--port', 'x', '--', 'true'], '65535'],
    [['--host', '203.0.113.7', '--', 'true'], '203.0.113.7'],
    [['--admin-token', '', '--', 'true'], 'must be a text that is not empty'],
    [['--admin-token-file', '/no/such/token', '--', 'true'], 'cannot be read'],
    [['--admin-token-file', import.meta.filename, '--', 'true'], 'must contain one line'],
    [['--watch', '--', 'true'], '--watch'],
  ])('is 2 for the error of use in exec %j', async (args, reason) => {
    const { code, stdout, stderr } = await runCli('exec', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^gateway-mock: .+\n(?: {2}- .+\n)*$/); // a line, and one for each error of a scenario
    expect(stderr).toContain(reason);
  });
});

// Fakes stand in for Windows: it is the library that knows how batch files are started there.
test('on Windows, a command is started by what knows of npx.cmd and of escaping', async () => {
  const started = vi.fn(() => {
    const child = new EventEmitter();
    setImmediate(() => child.emit('exit', 5, null));
    return child;
  });
  vi.doMock('cross-spawn', () => ({ default: started }));
  const { platform } = process;
  onTestFinished(() => {
    vi.doUnmock('cross-spawn');
    Object.defineProperty(process, 'platform', { value: platform });
  });
  Object.defineProperty(process, 'platform', { value: 'win32' });
  const env = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1' };
  expect(await runCommand(['npx', 'jest', 'a & b'], env)).toBe(5);
  expect(started.mock.calls).toEqual([['npx', ['jest', 'a & b'], { stdio: 'inherit', env }]]);
});

const told = `const told = Object.entries(process.env).filter(([name]) => /^GATEWAY_(?!MOCK_)/.test(name));
process.stdout.write(JSON.stringify(Object.fromEntries(told)));`;

describe('the command', () => {
  test('is told where the server is, and keys that it takes', async () => {
    const { stdout, stderr } = await execScript(told);
    const [url = ''] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(stdout) ?? [];
    expect(JSON.parse(stdout)).toEqual({
      GATEWAY_BASE_URL: `${url}/v1`,
      GATEWAY_API_KEY: 'any',
      GATEWAY_VIRTUAL_KEY: 'any',
      GATEWAY_ADMIN_URL: `${url}/__admin`,
    });
    expect(stderr).toBe('');
  });

  test.each([
    [{}, undefined],
    [{ HTTP_PROXY: '' }, undefined],
    [{ HTTP_PROXY: 'http://proxy:3128' }, '127.0.0.1'],
    [{ https_proxy: 'http://proxy:3128', no_proxy: 'a.test' }, 'a.test,127.0.0.1'],
    [{ http_proxy: 'http://proxy:3128', NO_PROXY: 'a.test', no_proxy: 'b.test' }, 'a.test,b.test,127.0.0.1'],
    [{ ALL_PROXY: 'http://proxy:3128', NO_PROXY: '*' }, '*'],
  ])('reaches the server past the proxy of %j', (environment, expected) => {
    const told = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1' };
    expect(withoutProxy(environment, told)).toMatchObject(told);
    expect(withoutProxy(environment, told).NO_PROXY).toBe(expected);
    expect(
      withoutProxy(environment, { GATEWAY_BASE_URL: 'http://[::1]:9/v1', http_proxy: 'p' }).NO_PROXY,
    ).toMatch(/::1$|^\*$/);
  });

  test('is told of that', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout } = await execScript('process.stdout.write(process.env.NO_PROXY + process.env.no_proxy)');
    expect(stdout).toMatch(/127\.0\.0\.1.*127\.0\.0\.1$/);
  });

  test.each([
    [
      ['--api-key', 'a', '--api-key', 'b', '--virtual-key', 'v', '--admin-token', 't'],
      { GATEWAY_API_KEY: 'a', GATEWAY_VIRTUAL_KEY: 'v', GATEWAY_ADMIN_TOKEN: 't' },
    ],
    [['--scenario', 'locked-out'], { GATEWAY_API_KEY: 'key-valid', GATEWAY_VIRTUAL_KEY: expect.any(String) }],
  ])('gets the first of the listed keys that are accepted, with %j', async (options, expected) => {
    expect(JSON.parse((await execScript(told, ...options)).stdout)).toMatchObject(expected);
  });

  test('gets the first key that has not expired', async () => {
    const folder = makeFolder({ 'renewed.yaml': 'keys: { valid: [old, new], expired: [old] }' });
    const { stdout } = await execScript(told, '--scenario', join(folder, 'renewed.yaml'));
    expect(JSON.parse(stdout)).toMatchObject({ GATEWAY_API_KEY: 'new' });
  });

  test('is told the token of a file, or of the environment', async () => {
    const tokenFile = join(makeFolder({ token: 'from-file\n' }), 'token');
    const inFile = await execScript(told, '--admin-token-file', tokenFile);
    expect(JSON.parse(inFile.stdout)).toMatchObject({ GATEWAY_ADMIN_TOKEN: 'from-file' });
    vi.stubEnv('GATEWAY_MOCK_ADMIN_TOKEN', 'from-env');
    onTestFinished(() => void vi.unstubAllEnvs());
    const inEnvironment = await execScript(told);
    expect(JSON.parse(inEnvironment.stdout)).toMatchObject({ GATEWAY_ADMIN_TOKEN: 'from-env' });
    const both = await execScript(told, '--admin-token', 'given');
    expect(JSON.parse(both.stdout)).toMatchObject({ GATEWAY_ADMIN_TOKEN: 'given' });
    const twice = await runCli(
      'exec',
      '--admin-token',
      'given',
      '--admin-token-file',
      tokenFile,
      '--',
      'true',
    );
    expect(twice.stderr).toContain('cannot be used with');
    vi.stubEnv('GATEWAY_MOCK_ADMIN_TOKEN', '');
    expect((await runCli('exec', '--', 'true')).stderr).toContain('must be a text that is not empty');
  });

  test('is answered as the options say', async () => {
    const script = `const { GATEWAY_BASE_URL, GATEWAY_API_KEY, GATEWAY_VIRTUAL_KEY } = process.env;
      const headers = { 'x-gateway-api-key': GATEWAY_API_KEY, 'x-gateway-virtual-key': GATEWAY_VIRTUAL_KEY };
      const get = (path) => fetch(GATEWAY_BASE_URL + path, { headers });
      const runs = await (await get('/threads/thread_empty/runs')).json();
      console.log((await get('/batches')).status, (await get('/batches')).status, runs.data.length);`;
    const options = ['--seed', '7', '--fault', 'listBatches#2: 503', '--journal', '0', '--api-key', 'k'];
    expect(await execScript(script, ...options)).toMatchObject({ stdout: '200 503 0\n', stderr: '' });
  });

  const awkward = ['a b', `it's "q"`, '$HOME', '', '*', '--port', '--', '-x', 'é€', 'a\nb', '\\'];
  const printArgs = ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--'];

  test.each([
    { how: 'behind --', start: ['--seed', '7', '--'] },
    { how: 'without it, from its own name on', start: ['--seed', '7'] },
  ])('gets its arguments as they are, $how', async ({ start }) => {
    const { stdout } = await exec(...start, node, ...printArgs, ...awkward);
    expect(JSON.parse(stdout)).toEqual(awkward);
  });

  test('reads the standard input, and standard output is its alone', () => {
    const script = join(buildFolder, 'cli.js');
    const copy = 'process.stdin.pipe(process.stdout); console.error("to the side")';
    const { stdout, stderr, status } = spawnSync(node, [script, 'exec', '--', node, '-e', copy], {
      input: '\x00 some bytes \xff',
      encoding: 'latin1',
    });
    expect({ stdout, stderr, status }).toEqual({
      stdout: '\x00 some bytes \xff',
      stderr: 'to the side\n',
      status: 0,
    });
  });
});

describe('a signal', () => {
  const wait = 'console.log("ready"); setInterval(() => {}, 1000);';
  const execAndSend = async (signal: NodeJS.Signals, script: string) => {
    const cli = spawnCli('exec', '--', node, '--eval', script);
    await expect.poll(cli.stdout).toContain('ready');
    cli.child.kill(signal);
    return cli;
  };

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a command that does not take it', async (signal, code) => {
    expect(await (await execAndSend(signal, wait)).ended).toMatchObject({ code, signal: null });
  });

  test('is handed on to a command that takes it, and ends when it likes', async () => {
    const script = `process.once('SIGTERM', () => { console.log('taken'); setTimeout(() => process.exit(5), 100); }); ${wait}`;
    expect(await (await execAndSend('SIGTERM', script)).ended).toEqual({
      code: 5,
      signal: null,
      stdout: 'ready\ntaken\n',
      stderr: '',
    });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends exec itself the second time, while the command goes on',
    async (signal) => {
      const script = `let count = 0; process.on('${signal}', () => { console.log('taken'); if (++count === 2) process.exit(5); }); ${wait}`;
      const cli = await execAndSend(signal, script);
      await expect.poll(cli.stdout).toContain('taken');
      cli.child.kill(signal);
      expect(await cli.ended).toMatchObject({ code: null, signal, stdout: 'ready\ntaken\ntaken\n' });
    },
  );
});

test('the server is gone with the command, whatever that leaves behind and keeps connected', async () => {
  const stay = `const { hostname, port } = new URL(process.env.GATEWAY_BASE_URL);
    const socket = require('node:net').connect(port, hostname, () => process.send('connected'));
    socket.on('error', () => {});
    setTimeout(() => {}, 60_000);`;
  const script = `import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('message', () => {
      console.log(JSON.stringify({ pid: child.pid, url: process.env.GATEWAY_BASE_URL }));
      process.exit(3);
    });`;
  const { code, stdout } = await execScript(script);
  const { pid, url }: { pid: number; url: string } = JSON.parse(stdout);
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  expect(code).toBe(3);
  expect(() => process.kill(pid, 0)).not.toThrow(); // it is still there
  await expect(fetch(`${url}/batches`)).rejects.toThrow('fetch failed');
});

const hasPython = hasCommand('python3', 'the tests of a Python script');

test.skipIf(!hasPython)('a Python script needs nothing but the environment', async () => {
  const script = `
import json, os, urllib.request
keys = {'x-gateway-api-key': os.environ['GATEWAY_API_KEY'], 'x-gateway-virtual-key': os.environ['GATEWAY_VIRTUAL_KEY']}
request = urllib.request.Request(os.environ['GATEWAY_BASE_URL'] + '/batches?limit=3', headers=keys)
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
print([batch['object'] for batch in json.load(opener.open(request))['data']])
raise SystemExit(4)`;
  expect(await exec('--', 'python3', '-c', script)).toEqual({
    code: 4,
    signal: null,
    stdout: "['batch', 'batch', 'batch']\n",
    stderr: '',
  });
});

test('serve takes the options of the admin API, too', async () => {
  const cli = await serveCli(
    '--json',
    '--admin-host',
    'mock.test',
    '--admin-host',
    'b',
    '--admin-token',
    't',
  );
  expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' });
});
