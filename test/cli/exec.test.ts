// `gateway-mock exec -- COMMAND`: what the command is given, and how it all ends.
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runProcess, withoutProxy } from '../../src/tools/cli/exec.ts';
import { makeFolder } from '../support/make-folder.ts';
import { runCli } from '../support/run-cli.ts';
import { type Ending, spawnCli } from '../support/spawn-cli.ts';
import { buildFolder } from '../support/write-built.ts';

const node = process.execPath;
const exec = (...args: string[]): Promise<Ending> => spawnCli('exec', ...args).ended;

describe('the exit code', () => {
  const runScript = (script: string): Promise<number> => runProcess([node, '-e', script], process.env);

  test.each([
    ['process.exit(255)', 255],
    ['process.kill(process.pid, "SIGTERM")', 143],
    ['process.kill(process.pid, "SIGKILL")', 137],
  ])('of a command that runs %s is %i', async (script, code) => {
    expect(await runScript(script)).toBe(code);
  });

  test.each([
    ['no-such-command-anywhere', 127, 'command not found: "no-such-command-anywhere"'],
    ['', 127, 'command not found: ""'],
    [fileURLToPath(new URL('../../package.json', import.meta.url)), 126, 'permission denied'],
    [`${fileURLToPath(import.meta.url)}/command`, 126, 'failed to run the command'],
  ])('and one clear line for the command "%s", which cannot be started', async (command, code, reason) => {
    const { stdout, stderr, ...ending } = await runCli('exec', '--', command);
    expect({ stdout, ...ending }).toEqual({ stdout: '', code, signal: null });
    expect(stderr).toMatch(/^gateway-mock: [^\n]+\n$/);
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
  expect(await runProcess(['npx', 'jest', 'a & b'], env)).toBe(5);
  expect(started.mock.calls).toEqual([['npx', ['jest', 'a & b'], { stdio: 'inherit', env }]]);
});

describe('the command', () => {
  /** Runs `exec` in this process. Returns the environment and the arguments that its command is given. */
  const runHere = async (options: readonly string[], args: readonly string[] = [], end = ['--']) => {
    const file = join(makeFolder(), 'given.json');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(file)},
      JSON.stringify({ environment: process.env, args: process.argv.slice(1) }))`;
    const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`ended with ${code}`);
    });
    onTestFinished(() => exit.mockRestore());
    const command = [node, '-e', script, '--', ...args];
    await expect(runCli('exec', ...options, ...end, ...command)).rejects.toThrow('ended with 0');
    const given: { environment: Record<string, string>; args: string[] } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    return given;
  };
  const environmentOf = async (...options: string[]) => (await runHere(options)).environment;

  test('is given the address of the server and keys; a proxy is bypassed', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    const given = await environmentOf();
    const url = given.GATEWAY_BASE_URL?.replace(/\/v1$/, '');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(given).toMatchObject({ GATEWAY_API_KEY: 'any', GATEWAY_VIRTUAL_KEY: 'any' });
    expect(given).toMatchObject({ GATEWAY_ADMIN_URL: `${url}/__admin` });
    expect(given).not.toHaveProperty('GATEWAY_ADMIN_TOKEN');
    expect([given.NO_PROXY, given.no_proxy]).toEqual([
      expect.stringMatching(/127\.0\.0\.1$/),
      expect.stringMatching(/127\.0\.0\.1$/),
    ]);
  });

  test.each([
    [{}, undefined],
    [{ HTTP_PROXY: '' }, undefined],
    [{ https_proxy: 'http://proxy:3128', no_proxy: 'a.test' }, 'a.test,127.0.0.1'],
    [{ http_proxy: 'http://proxy:3128', NO_PROXY: 'a.test', no_proxy: 'b.test' }, 'a.test,b.test,127.0.0.1'],
    [{ all_proxy: 'socks5://proxy:1080' }, '127.0.0.1'],
    [{ ALL_PROXY: 'http://proxy:3128', NO_PROXY: '*' }, '*'],
  ])('reaches the server past the proxy of %j', (environment, expected) => {
    const given = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1' };
    expect(withoutProxy(environment, given)).toMatchObject({
      ...given,
      ...(expected && { NO_PROXY: expected }),
    });
    expect(withoutProxy(environment, given).NO_PROXY).toBe(expected);
    const v6 = withoutProxy(environment, { GATEWAY_BASE_URL: 'http://[::1]:9/v1', http_proxy: 'p' });
    expect(v6.NO_PROXY).toMatch(/::1$|^\*$/);
  });

  const files = { token: 'from-file\n', 'renewed.yaml': 'keys: { valid: [old, new], expired: [old] }' };
  test.each<[what: string, (file: (name: keyof typeof files) => string) => string[], object]>([
    ['the first key of each kind', () => ['--api-key', 'a', '--api-key', 'b'], { GATEWAY_API_KEY: 'a' }],
    [
      'the first key that has not expired',
      (file) => ['--scenario', file('renewed.yaml')],
      { GATEWAY_API_KEY: 'new' },
    ],
    [
      'the token of a file',
      (file) => ['--admin-token-file', file('token')],
      { GATEWAY_ADMIN_TOKEN: 'from-file' },
    ],
  ])('is given %s', async (_what, toOptions, expected) => {
    const folder = makeFolder(files);
    expect(await environmentOf(...toOptions((name) => join(folder, name)))).toMatchObject(expected);
  });

  test.each([
    { how: 'behind --', end: ['--'] },
    { how: 'without it, from its own name on', end: [] },
  ])('gets its arguments as they are, $how', async ({ end }) => {
    const awkward = ['a b', `it's "q"`, '$HOME', '', '*', '--port', '--', '-x', 'é€', 'a\nb', '\\'];
    expect((await runHere(['--seed', '7'], awkward, end)).args).toEqual(awkward);
  });

  test('has standard input and output to itself, a server that answers as the options say, and its exit code is that of exec', () => {
    const script = `process.stdin.pipe(process.stdout);
      const { GATEWAY_BASE_URL, GATEWAY_API_KEY, GATEWAY_VIRTUAL_KEY } = process.env;
      const headers = { 'x-gateway-api-key': GATEWAY_API_KEY, 'x-gateway-virtual-key': GATEWAY_VIRTUAL_KEY };
      const get = async (path) => (await fetch(GATEWAY_BASE_URL + path, { headers })).status;
      console.error(await get('/batches'), await get('/batches'), await get('/threads/thread_empty/runs'));
      process.exitCode = 7;`;
    const options = [
      '--fault',
      'listBatches#2: 503',
      '--api-key',
      'k',
      '--',
      node,
      '--input-type=module',
      '-e',
      script,
    ];
    const { stdout, stderr, status } = spawnSync(node, [join(buildFolder, 'cli.js'), 'exec', ...options], {
      input: '\x00 some bytes \xff',
      encoding: 'latin1',
    });
    expect({ stdout, stderr, status }).toEqual({
      stdout: '\x00 some bytes \xff',
      stderr: '200 503 200\n',
      status: 7,
    });
  });
});

describe('a signal', () => {
  const wait = 'console.log("ready"); setInterval(() => {}, 1000);';
  const execAndSend = async (signal: NodeJS.Signals, script: string) => {
    const cli = spawnCli('exec', '--', node, '--eval', script);
    await expect.poll(cli.stdout, { interval: 10 }).toContain('ready');
    cli.child.kill(signal);
    return cli;
  };

  test('ends a command that does not take it', async () => {
    expect(await (await execAndSend('SIGHUP', wait)).ended).toMatchObject({ code: 129, signal: null });
  });

  test('is forwarded to a command that takes it, and ends when it likes', async () => {
    const script = `process.once('SIGTERM', () => { console.log('taken'); setTimeout(() => process.exit(5), 100); }); ${wait}`;
    expect(await (await execAndSend('SIGTERM', script)).ended).toEqual({
      code: 5,
      signal: null,
      stdout: 'ready\ntaken\n',
      stderr: '',
    });
  });

  test('ends exec itself the second time, while the command continues', async () => {
    const script = `let count = 0; process.on('SIGINT', () => { console.log('taken'); if (++count === 2) process.exit(5); }); ${wait}`;
    const cli = await execAndSend('SIGINT', script);
    await expect.poll(cli.stdout, { interval: 10 }).toContain('taken');
    cli.child.kill('SIGINT');
    expect(await cli.ended).toMatchObject({ code: null, signal: 'SIGINT', stdout: 'ready\ntaken\ntaken\n' });
  });
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
  const { code, stdout } = await exec('--', node, '--input-type=module', '--eval', script);
  const { pid, url }: { pid: number; url: string } = JSON.parse(stdout);
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  expect(code).toBe(3);
  expect(() => process.kill(pid, 0)).not.toThrow(); // it is still there
  await expect(fetch(`${url}/batches`)).rejects.toThrow('fetch failed');
});
