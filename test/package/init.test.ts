// `gateway-mock init` in new projects of users, each with its runner from npm: the commands that it prints are green.
import { exec, execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../support/package-file.ts';

const [run, runShell] = [promisify(execFile), promisify(exec)];
const home = mkdtempSync(join(tmpdir(), 'gateway-mock-init-'));
let tarball = '';

beforeAll(async () => {
  tarball = await pack(home);
});
afterAll(() => rmSync(home, { recursive: true, force: true }), 600_000);

const tsJest = { jest: { preset: 'ts-jest' } };

test.each([
  { name: 'vitest', packages: ['vitest', 'msw'], manifest: {} },
  { name: 'vitest-ts', packages: ['vitest', 'msw', 'typescript'], manifest: { type: 'module' } },
  { name: 'jest', packages: ['jest'], manifest: {} },
  { name: 'jest-esm', packages: ['jest'], manifest: { type: 'module' } },
  { name: 'jest-ts', packages: ['jest', 'ts-jest', 'typescript@5', '@types/node'], manifest: tsJest },
  { name: 'playwright', packages: ['@playwright/test'], manifest: {} },
  { name: 'playwright-ts', packages: ['@playwright/test', 'typescript'], manifest: { type: 'module' } },
  { name: 'node-test', packages: [], manifest: {} },
  { name: 'node-test-esm', packages: [], manifest: { type: 'module' } },
])('$name', async ({ name, packages, manifest }) => {
  const folder = join(home, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, ...manifest }));
  const compilerOptions = { target: 'es2022', module: 'node16', moduleResolution: 'node16', strict: true };
  if (name.endsWith('-ts')) writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const install = ['install', '--no-audit', '--no-fund', '--save-dev', '--legacy-peer-deps'];
  await run('npm', [...install, tarball, ...packages], { cwd: folder });
  const { stdout } = await runShell('npx gateway-mock init', { cwd: folder });
  const [, command = '', ...others] = stdout.split(/^Next:\n|\n$/m);
  expect(others.join('')).toBe('');
  const { stdout: printed, stderr } = await runShell(command, { cwd: folder });
  expect(stripVTControlCharacters(printed + stderr)).toMatch(/\b1 passed|^# pass 1$|^ℹ pass 1$/m);
});
