// `gateway-mock init`: what it writes, and that it is green. With packages from npm: test/package/init.test.ts.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Files, init, makeInitProject, packageOf, using } from '../support/init-project.ts';
import { makeFolder } from '../support/make-folder.ts';
import { runCli } from '../support/run-cli.ts';

const run = promisify(execFile);

const typed = { 'tsconfig.json': '{}' };
const onlyMock = packageOf(using('gateway-mock'));
const pytest = 'npx gateway-mock exec --scenario scenarios/first.yaml -- pytest ';
const esmJest = 'node --experimental-vm-modules node_modules/jest/bin/jest.js ';

test.each<readonly [what: string, files: Files, test: string, command: string]>([
  ['Vitest', packageOf(using('jest', 'vitest')), 'test/gateway.test.js', 'npx vitest run '],
  ['TypeScript', { ...packageOf(using('vitest')), ...typed }, 'test/gateway.test.ts', 'npx vitest run '],
  ['Jest', { ...packageOf(using('jest')), ...typed }, 'test/gateway.test.js', 'npx jest '],
  ['ts-jest', { ...packageOf(using('jest', 'ts-jest')), ...typed }, 'test/gateway.test.ts', 'npx jest '],
  ['Jest, ESM', packageOf({ ...using('jest'), type: 'module' }), 'test/gateway.test.js', esmJest],
  [
    'Playwright with a folder',
    { ...packageOf(using('@playwright/test')), 'playwright.config.ts': "{ testDir: './specs' }", ...typed },
    'specs/gateway.spec.ts',
    'npx playwright test ',
  ],
  ['a byte order mark', { 'package.json': '\uFEFF{}' }, 'test/gateway.test.mjs', 'node --test '],
  ['an own folder', { ...packageOf({}), 'tests/a.txt': '' }, 'tests/gateway.test.mjs', 'node --test '],
  ['no project', {}, 'test/gateway.test.mjs', 'node --test '],
  ['pyproject.toml', { 'pyproject.toml': '' }, 'tests/test_gateway.py', pytest],
  ['its words', { ...onlyMock, 'pyproject.toml': '[tool.pytest]' }, 'tests/test_gateway.py', pytest],
  ['other tools', { ...onlyMock, 'pyproject.toml': '' }, 'test/gateway.test.mjs', 'node --test '],
  [
    'a script before a file',
    { ...packageOf({ scripts: { test: 'node --test' } }), 'pytest.ini': '' },
    'test/gateway.test.mjs',
    'node --test ',
  ],
  ['Bun', packageOf({ scripts: { test: 'bun  test --bail' } }), 'test/gateway.test.mjs', 'bun test ./'],
  ['Deno', { 'deno.json': '{}' }, 'test/gateway.test.mjs', 'deno test -A --no-check '],
])('the runner is found by %s: %o', async (_what, files, file, command) => {
  const folder = makeFolder(files);
  const { written, commands } = await init(folder);
  const fixtures = file.endsWith('.py') ? [file.replace('test_gateway', 'conftest')] : [];
  expect(written).toEqual(['scenarios/first.yaml', file, ...fixtures].map((path) => join(path)));
  for (const path of written) expect(existsSync(join(folder, path))).toBe(true);
  expect(commands.at(0)).toBe(`cd ${relative('', folder)}`);
  expect(commands.at(-1)).toBe(command + file);
});

test('the project is the nearest folder above that has a package.json', async () => {
  const folder = makeFolder({ 'pytest.ini': '', 'app/package.json': '{}', 'app/src/a.js': '' });
  await init(join(folder, 'app/src'));
  expect(existsSync(join(folder, 'app/test/gateway.test.mjs'))).toBe(true);
});

test.each([
  ['playwright', 'tests/gateway.spec.js'],
  ['node', 'test/gateway.test.mjs'],
  ['pytest', 'tests/test_gateway.py'],
])('--runner %s decides, whatever the project names', async (runner, file) => {
  const { written, commands } = await init(makeFolder(packageOf(using('vitest'))), '--runner', runner);
  expect(written[1]).toBe(join(file));
  expect(commands.at(-1)).toContain(file);
});

test('for another runner, it keeps the scenario that it wrote, and says how to choose if the project names none', async () => {
  const folder = makeFolder(packageOf({}));
  const first = await runCli('init', '--dir', folder);
  expect(first.stdout).toContain('The project names no test runner. For another runner, use --runner NAME.');
  const second = await runCli('init', '--dir', folder, '--runner', 'jest');
  expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Kept \S+first\.yaml: /) });
  expect(second.stdout).not.toContain('names no test runner');
  writeFileSync(join(folder, 'scenarios/first.yaml'), 'batches: 3');
  const third = await runCli('init', '--dir', folder, '--runner', 'pytest');
  expect(third.stderr).toMatch(/already exist: \S+first\.yaml\. Move/);
});

test.each([
  ["include: ['src/**/*.spec.ts']", 'src/gateway.spec.ts'],
  [
    "coverage: { include: ['src/**'] }, include: ['./tests/unit/**/*.{test,spec}.{js,ts}']",
    'tests/unit/gateway.test.ts',
  ],
  ['include: ["**/*.{test,spec}.?(c|m)[jt]s?(x)"]', 'test/gateway.test.ts'],
  ["include: ['specs/**']", 'specs/gateway.test.ts'],
  ["// include: ['away/*.ts']\n globals: true", 'test/gateway.test.ts'],
])('the first test is where Vitest looks: %s', async (options, file) => {
  const config = { 'tsconfig.json': '{}', 'vite.config.ts': `export default { test: {\n ${options} } };` };
  const { written } = await init(makeFolder({ ...packageOf(using('vitest')), ...config }));
  expect(written[1]).toBe(join(file));
});

test('for pytest, the package is to be installed unless it is there, or in a folder above', async () => {
  const folder = makeFolder({ 'a/pytest.ini': '', 'b/pytest.ini': '' });
  expect((await init(join(folder, 'a'))).commands[1]).toBe('npm install --save-dev gateway-mock');
  mkdirSync(join(folder, 'node_modules/gateway-mock'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/gateway-mock/package.json'), '{}');
  expect((await init(join(folder, 'b'))).commands).toHaveLength(2);
});

test('the scenario names the schema of the package, is valid, and the packages to install are named', async () => {
  const folder = makeFolder(packageOf(using('vitest')));
  const { commands } = await init(folder);
  const file = join(folder, 'scenarios/first.yaml');
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(
    '# yaml-language-server: $schema=../node_modules/gateway-mock/scenarios/scenario.schema.json',
  );
  expect(commands[1]).toBe('npm install --save-dev gateway-mock msw');
  expect(await runCli('validate', file)).toMatchObject({ code: 0, stdout: '1 checked, 0 errors\n' });
});

describe('it refuses', () => {
  const refusal = async (folder: string): Promise<string> => {
    const { code, stdout, stderr } = await runCli('init', '--dir', folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };

  test('to overwrite a file, and then writes none', async () => {
    const folder = makeFolder({ ...packageOf({}), 'test/gateway.test.mjs': '// mine' });
    expect(await refusal(folder)).toMatch(/already exist: \S+gateway\.test\.mjs\. Move .* --dir PATH/);
    expect(readFileSync(join(folder, 'test/gateway.test.mjs'), 'utf8')).toBe('// mine');
    expect(existsSync(join(folder, 'scenarios'))).toBe(false);
  });

  test('a package.json that cannot be read', async () => {
    const folder = makeFolder({ 'package.json': '{ mine }' });
    expect(await refusal(folder)).toContain(`${join(folder, 'package.json')}" cannot be read: `);
  });

  test('a folder in which it cannot write', async () => {
    const folder = makeFolder({ ...packageOf({}), scenarios: '' });
    expect(await refusal(folder)).toMatch(/failed to write the file ".*first\.yaml": .*scenarios/);
  });
});

test('the written test is green by node:test', async () => {
  const { folder, file } = await makeInitProject('node-green', packageOf({}));
  const { stdout } = await run(process.execPath, ['--test-reporter', 'tap', file], { cwd: folder });
  expect(stdout).toMatch(/^# pass 1\n# fail 0$/m);
});
