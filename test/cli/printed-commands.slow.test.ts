// The command lines that README and docs print, run by a shell as they stand: the server's address and a few ids are
// replaced, and `gateway-mock` and `npx` are those of this run.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { makeCertificate } from '../support/certificate.ts';
import { hasCommand, hasShell } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { type Block, blocksOf, linesOf, printedCalls } from '../support/printed-blocks.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { buildFolder, makeBuiltFolder, root, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);

/** Lines that are run by other tests, or need what no test has. */
const elsewhere: readonly (readonly [line: RegExp, where: string])[] = [
  [/^npm ci && npm (?:start|test|pack)$/, 'test/package/start.test.ts starts it; CI runs the tests'],
  [/^npm install --save-dev /, 'test/package/projects.test.ts installs the tarball; its name: below'],
  [/^npx vitest run$/, 'test/cli/docs.test.ts runs the suites'],
  [/^docker /, 'test/package/container.test.ts runs the steps of the Dockerfile'],
  [/^haproxy /, 'test/cli/replicas.test.ts'],
];

const printed = blocksOf('sh')
  .filter(({ text }) => !text.includes('kubectl')) // test/cli/kubernetes.slow.test.ts
  .flatMap((block) => linesOf(block).map((line) => ({ line, block })));

/** Each once, wherever it is printed, and whatever its port is. */
const lines = [
  ...new Map(
    printed
      .filter(({ line }) => !elsewhere.some(([pattern]) => pattern.test(line)))
      .map((one) => [one.line.replace(/^npx |--port \d+ | &$/g, '').replace(/state-\d/, 'state'), one]),
  ).values(),
];

/** A folder like a user's project, with the programs of this run ahead in the PATH. */
const makeProject = async (): Promise<{ folder: string; env: NodeJS.ProcessEnv }> => {
  const folder = makeBuiltFolder(`gateway-mock-printed-${projects++}`);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = (name: string, text: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program('gateway-mock', `exec '${process.execPath}' '${join(buildFolder, 'cli.js')}' "$@"`);
  program('npx', `[ "$1" = --yes ] && shift\nname=$1\nshift\nexec "$name" "$@"`);
  // The commands that `exec` is printed with: whether they get the server's address.
  for (const name of ['pytest', 'jest', 'go', 'next', 'vite', 'ng'])
    program(name, 'test -n "$GATEWAY_BASE_URL" && test -n "$GATEWAY_ADMIN_URL"');
  for (const name of ['docs', 'fixtures'])
    cpSync(join(root, name), join(folder, 'node_modules/gateway-mock', name), { recursive: true });
  mkdirSync(join(folder, 'scenarios'));
  const printedIn = (name: string): string => blocksOf('yaml').find(({ page }) => page === name)?.text ?? '';
  writeFileSync(join(folder, 'scenarios/bug-4711.yaml'), printedIn('docs/scenarios.md'));
  writeFileSync(join(folder, 'scenarios/prompts.yaml'), printedIn('docs/prompts.md'));
  writeFileSync(join(folder, 'package.json'), '{}');
  writeBuilt(folder, 'calls.mjs', printedCalls);
  const path = [bin, join(root, 'node_modules/.bin'), process.env.PATH].join(':');
  return {
    folder,
    env: { ...process.env, PATH: path, GATEWAY_API_KEY: 'any-key', GATEWAY_VIRTUAL_KEY: 'any-key' },
  };
};
let projects = 0;

/** The line for this server and its records. */
const fitted = (line: string, { url, baseUrl }: { readonly url: string; readonly baseUrl: string }): string =>
  line
    .replaceAll('http://127.0.0.1:4010', url)
    .replace(/https:\/\/gateway\.example(?:\.com)?\/v1/, baseUrl)
    .replace(' … ', ' ')
    .replace('thread_abc', 'thread_demo')
    .replace(/ftjob[-_]abc/, 'ftjob_demo')
    .replace('6f1c…-…', '11111111-1111-4111-8111-111111111111')
    .replace(/--prompt (?:pp-)?welcome/, '--prompt prompt_welcome');

const hasTools =
  hasShell('the tests of the printed commands') &&
  hasCommand('curl', 'the tests of the printed calls by curl');
const at = ({ page, line }: Block): string => `${page}:${line}`;

describe.skipIf(!hasTools)('the printed commands', () => {
  const serving = /^(?:npx )?gateway-mock(?: (--.*))?$|^npm start(?: -- (.*))?$/;
  const short = lines.filter(({ line }) => !serving.test(line) && !line.startsWith('export '));

  test.each(short.map(({ line, block }) => [line, at(block)]))('%s (%s)', async (line) => {
    const server = await openServer();
    const { folder, env } = await makeProject();
    const command = fitted(line, server);
    if (line.includes('/events')) {
      // A stream has no end of its own.
      const stream = spawn('sh', ['-c', `exec ${command}`], { stdio: ['ignore', 'pipe', 'ignore'], env });
      onTestFinished(() => void stream.kill());
      const [head] = await once(stream.stdout, 'data');
      expect(String(head)).toContain(': gateway-mock');
      return;
    }
    const { stdout } = await run('sh', ['-c', command], { cwd: folder, env });
    const [, written] = /-o (\S+)/.exec(line) ?? [];
    if (written !== undefined) expect(existsSync(join(folder, written))).toBe(true);
    if (line.includes('/metrics')) expect(stdout).toContain('gateway_mock_sessions 1\n');
    else if (line.startsWith('curl ') && written === undefined)
      expect(JSON.parse(stdout)).not.toHaveProperty('error');
  });

  const servers = lines.flatMap(({ line, block }) => {
    const match = serving.exec(line.replace(/ &$/, ''));
    return match === null ? [] : [[line, at(block), match[1] ?? match[2] ?? '']];
  });

  test.each(servers)('%s (%s)', async (_line, _at, args = '') => {
    const { folder } = await makeProject();
    writeFileSync(join(folder, 'scenarios/ours.yaml'), 'batches: 3\n'); // which `capture` writes
    const { certPath, keyPath } = makeCertificate();
    const given = args.split(' ').filter(Boolean);
    const own = given.map((arg, index) => {
      if (given[index - 1] === '--port') return '0';
      if (given[index - 1] === '--tls-cert') return certPath;
      if (given[index - 1] === '--tls-key') return keyPath;
      return arg.includes('/') && !arg.includes('://') ? join(folder, arg) : arg;
    });
    await (await serveCli(...own)).stop();
  });
});

/** A secret of a repository, as a workflow has it. */
const secret = (name: string): string => `$${`{{ secrets.${name} }}`}`;

test.skipIf(!hasTools || !hasCommand('jq', 'the test of the workflow in the docs'))(
  'the workflow of docs/verify.md lists what deviates, and passes while that is the same',
  async () => {
    const [workflow] = blocksOf('yaml').filter(({ page }) => page === 'docs/verify.md');
    const { on, permissions, jobs } = parse(workflow?.text ?? '');
    expect(on).toEqual({ schedule: [{ cron: '17 3 * * *' }], workflow_dispatch: null });
    expect(permissions).toEqual({ contents: 'read' });
    const steps: readonly { readonly run?: string; readonly env?: object }[] = jobs.verify.steps;
    const [install, check] = steps.filter(({ run: line }) => line !== undefined);
    expect(install?.run).toBe('npm ci');
    expect(check?.env).toEqual({
      GATEWAY_API_KEY: secret('GATEWAY_API_KEY'),
      GATEWAY_VIRTUAL_KEY: secret('GATEWAY_VIRTUAL_KEY'),
    });
    const server = await openServer({ scenario: 'lenient-answers' });
    const { folder, env } = await makeProject();
    const list = join(folder, 'deviations.txt');
    writeFileSync(list, 'nothing yet\n');
    await run('git', ['init', '-q'], { cwd: folder });
    const checkAgain = async () => {
      await run('git', ['add', 'deviations.txt'], { cwd: folder });
      return run('bash', ['-ec', fitted(check?.run ?? '', server)], { cwd: folder, env });
    };
    await expect(checkAgain()).rejects.toThrow();
    expect(readFileSync(list, 'utf8')).toContain('assumed:unknown-cursor differs empty-page\n');
    await checkAgain();
  },
);

test.each(elsewhere)('lines such as %s are still printed: %s', (pattern) => {
  expect(printed.some(({ line }) => pattern.test(line))).toBe(true);
});

test('the tarball that the docs install has the name that npm gives it', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = printed.flatMap(({ line }) => line.match(/gateway-mock-[\d.]+\.tgz/g) ?? []);
  expect(new Set(files)).toEqual(new Set([`gateway-mock-${version}.tgz`]));
});
