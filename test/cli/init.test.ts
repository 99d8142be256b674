// `gateway-mock init`: what it writes, and that it is green. With packages from npm: test/package/init.test.ts.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { hasModule } from '../support/missing-tool.ts';
import { runCli } from '../support/run-cli.ts';
import { builtProject, runFolder } from '../support/suite-project.ts';
import { buildFolder, makeBuiltFolder, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);

type Files = Readonly<Record<string, string>>;

const packageOf = (manifest: object): Files => ({ 'package.json': JSON.stringify(manifest) });
const using = (...names: string[]) => ({
  devDependencies: Object.fromEntries(names.map((name) => [name, '*'])),
});

/** What `init` prints in a folder, by the lines of its commands and by the files it wrote. */
const init = async (folder: string) => {
  const { code, stdout, stderr } = await runCli('init', '--dir', folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [, files = '', commands = ''] = /^(.*)Next:\n(.*)$/s.exec(stdout) ?? [];
  return {
    written: [...files.matchAll(/^Wrote (.*?):/gm)].map(([, file = '']) => relative(folder, file)),
    commands: commands
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  };
};

describe('the runner is found', () => {
  const typed = { 'tsconfig.json': '{}' };
  test.each<readonly [what: string, files: Files, test: string, command: string]>([
    ['Vitest', packageOf(using('jest', 'vitest')), 'test/gateway.test.js', 'npx vitest run '],
    ['TypeScript', { ...packageOf(using('vitest')), ...typed }, 'test/gateway.test.ts', 'npx vitest run '],
    [
      'Vitest of a monorepo',
      packageOf({ scripts: { test: 'vitest run' } }),
      'test/gateway.test.js',
      'npx vitest run ',
    ],
    ['Jest', { ...packageOf(using('jest')), ...typed }, 'test/gateway.test.js', 'npx jest '],
    [
      'Jest with TypeScript',
      { ...packageOf(using('jest', 'ts-jest')), ...typed },
      'test/gateway.test.ts',
      'npx jest ',
    ],
    [
      'Jest with ES modules',
      packageOf({ ...using('jest'), type: 'module' }),
      'test/gateway.test.js',
      'node --experimental-vm-modules node_modules/jest/bin/jest.js ',
    ],
    ['Playwright', packageOf(using('@playwright/test')), 'tests/gateway.spec.js', 'npx playwright test '],
    [
      'Playwright with a folder',
      { ...packageOf(using('@playwright/test')), 'playwright.config.ts': "{ testDir: './specs' }", ...typed },
      'specs/gateway.spec.ts',
      'npx playwright test ',
    ],
    ['none', packageOf({}), 'test/gateway.test.mjs', 'node --test '],
    ['none, with ES modules', packageOf({ type: 'module' }), 'test/gateway.test.js', 'node --test '],
    ['an own folder', { ...packageOf({}), 'tests/a.txt': '' }, 'tests/gateway.test.mjs', 'node --test '],
    ['no project', {}, 'test/gateway.test.mjs', 'node --test '],
    [
      'pytest',
      { 'pyproject.toml': '' },
      'tests/test_gateway.py',
      'npx gateway-mock exec --scenario scenarios/first.yaml -- pytest ',
    ],
  ])('%s', async (_what, files, file, command) => {
    const folder = makeFolder(files);
    const { written, commands } = await init(folder);
    expect(written).toEqual(['scenarios/first.yaml', file].map((path) => join(path)));
    for (const path of written) expect(existsSync(join(folder, path))).toBe(true);
    expect(commands.at(0)).toBe(`cd ${relative('', folder)}`);
    expect(commands.at(-1)).toBe(command + file);
  });

  test('in the nearest folder above that has a package.json', async () => {
    const folder = makeFolder({ 'pytest.ini': '', 'app/package.json': '{}', 'app/src/a.js': '' });
    await init(join(folder, 'app/src'));
    expect(existsSync(join(folder, 'app/test/gateway.test.mjs'))).toBe(true);
  });
});

test('the scenario names the schema of the package, is valid, and the packages to install are named', async () => {
  const folder = makeFolder(packageOf(using('vitest')));
  const { commands } = await init(folder);
  const file = join(folder, 'scenarios/first.yaml');
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(
    '# yaml-language-server: $schema=../node_modules/gateway-mock/scenarios/scenario.schema.json',
  );
  expect(commands[1]).toBe('npm install --save-dev gateway-mock msw');
  expect(await runCli('validate', file)).toMatchObject({ code: 0 });
});

describe('it refuses', () => {
  const refusal = async (folder: string): Promise<string> => {
    const { code, stdout, stderr } = await runCli('init', '--dir', folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };

  test('to overwrite a file, and then writes none', async () => {
    const folder = makeFolder({ ...packageOf({}), 'test/gateway.test.mjs': '// mine' });
    expect(await refusal(folder)).toMatch(/exist already: \S+gateway\.test\.mjs\. Move .* --dir PATH/);
    expect(readFileSync(join(folder, 'test/gateway.test.mjs'), 'utf8')).toBe('// mine');
    expect(existsSync(join(folder, 'scenarios'))).toBe(false);
  });

  test('a folder that does not exist', async () => {
    expect(await refusal(join(makeFolder(), 'away'))).toContain('away" does not exist');
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

describe('the written test is green', () => {
  /** A project where the package is the built one. */
  const makeProject = async (name: string, files: Files) => {
    const folder = makeBuiltFolder(`gateway-mock-init-${name}`);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    const { written } = await init(folder);
    const [, file = ''] = written;
    writeBuilt(folder, file, readFileSync(join(folder, file), 'utf8'));
    return { folder, file };
  };

  test.each([{}, { 'tsconfig.json': '{}' }])('by Vitest, with %o', async (files) => {
    const { folder } = await makeProject('vitest', { ...packageOf(using('vitest')), ...files });
    expect(await runFolder(builtProject, folder)).toMatchObject({ failures: {}, passed: 1 });
  });

  test.each([{}, { type: 'module' }])('by node:test, with %o', async (manifest) => {
    const { folder, file } = await makeProject('node', packageOf(manifest));
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter', 'tap', file], {
      cwd: folder,
    });
    expect(stdout).toMatch(/^# pass 1$/m);
  });

  test('by Playwright', async () => {
    const manifest = { ...using('@playwright/test'), type: 'module' };
    const { folder, file } = await makeProject('playwright', packageOf(manifest));
    const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');
    const { stdout } = await run(process.execPath, [playwright, 'test', file], { cwd: folder });
    expect(stdout).toContain('1 passed');
  });

  const hasPytest = hasModule('pytest', 'the test of pytest by init', 'apt-get install python3-pytest');
  test.skipIf(!hasPytest)('by pytest, which says what is missing without a server', async () => {
    const folder = makeFolder({ 'pytest.ini': '' });
    const [scenario = '', file = ''] = (await init(folder)).written;
    const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file];
    const exec = [join(buildFolder, 'cli.js'), 'exec', '--scenario', scenario, '--', 'python3', ...pytest];
    expect((await run(process.execPath, exec, { cwd: folder })).stdout).toContain('1 passed');
    const alone = run('python3', pytest, { cwd: folder });
    await expect(alone).rejects.toMatchObject({ stdout: expect.stringContaining('There is no gateway.') });
  });
});
