// `gateway-mock/jest`, in a project of a user's with Jest from npm: docs/jest.md as printed, and what fails a test.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodePackage, pack, runNpm } from '../support/package-file.ts';
import { root } from '../support/write-built.ts';

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'gateway-mock-jest-'));
const { specifier, program } = nodePackage('20.19.0');

beforeAll(async () => {
  writeFileSync(join(home, 'package.json'), '{}');
  const packages = [await pack(home), 'jest', specifier]; // without msw
  await runNpm(['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...packages], { cwd: home });
});
afterAll(() => rmSync(home, { recursive: true, force: true }), 600_000);

const suite = `
const { connect } = require('gateway-mock/client');
const { useGateway } = require('gateway-mock/jest');

const gateway = useGateway();
const ask = (path) => fetch(gateway.baseUrl + path, { headers: gateway.headers });

test('has the control in this process, and by a client', async () => {
  await gateway.faults.add('listBatches: 503');
  expect((await ask('/batches')).status).toBe(503);
  expect(await connect(gateway.baseUrl).requests.count({ status: 503 })).toBe(1);
  expect(await gateway.session('other').requests.list()).toEqual([]);
  await expect(gateway.clock.advance('soon')).rejects.toThrow('soon');
});
test('has a gateway of its own', async () => {
  expect(await gateway.requests.list()).toEqual([]);
});
test('fails: a call that matched no operation', () => ask('/batchez'));
test('fails: a fault that was never used', () => gateway.faults.add('listRuns#3: reset'));

describe('with a wrong option', () => {
  useGateway({ scenarioo: 'empty' });
  test('fails: its option', () => {});
});
`;

const toModule = (text: string): string =>
  text.replace(/const (\{ \w+ \}) = require\(('.*?')\);/g, 'import $1 from $2;');

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

describe.each([
  { modules: 'CommonJS', extension: 'js', flags: [] },
  { modules: 'ES modules', extension: 'mjs', flags: ['--experimental-vm-modules', '--no-warnings'] },
])('Jest with $modules', ({ extension, flags }) => {
  /** What each test failed with, by its title. */
  let failures: Readonly<Record<string, readonly string[]>>;
  beforeAll(async () => {
    const folder = join(home, extension);
    mkdirSync(folder);
    const printed = [...readFileSync(join(root, 'docs/jest.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)];
    expect(printed).toHaveLength(2);
    [...printed.map(([, text = '']) => text), suite].forEach((text, index) => {
      const written = extension === 'mjs' ? toModule(text) : text;
      writeFileSync(join(folder, `${index}.test.${extension}`), written);
    });
    const config = { testMatch: [`**/*.test.${extension}`], moduleFileExtensions: ['js', 'mjs'] };
    writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
    const jest = join(home, 'node_modules/jest/bin/jest.js');
    const args = [...flags, jest, '--json', '--outputFile', join(folder, 'report.json')];
    await run(join(home, program), args, { cwd: folder }).catch(() => {}); // some tests fail
    const { testResults }: Report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    failures = Object.fromEntries(
      testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ title, failureMessages }) => [title, failureMessages]),
      ),
    );
  });

  test('gives each test a gateway of its own', () => {
    expect(failures).toMatchObject({
      'a failed batch is listed': [],
      'has no batches': [],
      'has the control in this process, and by a client': [],
      'has a gateway of its own': [],
    });
  });

  test.each([
    ['a call that matched no operation', "To allow this: useGateway({ unmatched: 'allow' })."],
    ['a fault that was never used', 'listRuns#3: reset (no call matched)'],
    ['its option', 'Did you mean "scenario"?'],
  ])('fails a test for %s', (what, words) => {
    expect(failures[`fails: ${what}`]?.[0]).toContain(words);
  });
});
