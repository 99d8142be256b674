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
  const compilers = ['ts-jest', '@swc/jest', '@swc/core', 'typescript@5.9', 'typescript6@npm:typescript@6'];
  const types = ['@types/jest', '@types/node'];
  const packages = [await pack(home), 'jest', specifier, ...compilers, ...types]; // without msw
  await runNpm(['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...packages], { cwd: home });
});
afterAll(() => rmSync(home, { recursive: true, force: true }), 600_000);

const suite = `
const { connect } = require('gateway-mock/client');
const { useGateway, withGateway } = require('gateway-mock/jest');

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
test('can be spread', async () => {
  const { baseUrl, headers, records } = { ...gateway };
  await records.batches.create({});
  expect((await fetch(baseUrl + '/batches', { headers })).status).toBe(200);
});
test('fails: an expectation that it did not await', async () => {
  await ask('/batches');
  gateway.requests.expect({ operation: 'listRuns' });
});
describe('with hooks below it', () => {
  const own = useGateway();
  const counts = [];
  afterEach(async () => { counts.push(await own.requests.count()); });
  test('is asked by hooks', async () => { await fetch(own.baseUrl + '/batches', { headers: own.headers }); });
  test('is asked by hooks again', () => { expect(counts).toEqual([1]); });
});
describe('with hooks above it', () => {
  let own;
  beforeEach(() => own.requests.count());
  own = useGateway();
  test('fails: a hook that uses the gateway too early', () => {});
  test('fails: a hook that must not get the gateway of an earlier test', () => {});
});
test('fails: a call that matched no operation', () => ask('/batchez'));
test('fails: a fault that was never used', () => gateway.faults.add('listRuns#3: reset'));

test('fails: a gateway that it took, and did not call', () => { gateway.baseUrl; });
test('asks whether there were calls', async () => { gateway.baseUrl; expect(await gateway.requests.count()).toBe(0); });
test('writes alone, as a hook may', () => gateway.records.batches.create({}));
test('calls without waiting', () => { void ask('/batches').catch(() => {}); });
test.failing('fails: one that should have failed', () => { expect(gateway.baseUrl).toContain('http'); });
test.failing('is expected to fail', () => { expect(gateway.baseUrl).toBe(''); });
test.concurrent('fails: a gateway of withGateway that it wrote to, and did not call', withGateway(async (own) => {
  await own.records.batches.create({});
}));
test.concurrent('fails: the gateway of useGateway in test.concurrent', async () => gateway.records.batches.create({}));
test.concurrent.each([1, 2, 3, 4, 5, 6, 7])('concurrently, %i', withGateway(async (own, count) => {
  for (let call = 0; call < count; call += 1) await fetch(own.baseUrl + '/batches', { headers: own.headers });
  expect(await own.requests.count()).toBe(count);
}));
test.concurrent('fails: a call of withGateway that matched no operation', withGateway(async (own) => {
  await fetch(own.baseUrl + '/batchez');
}));
test.concurrent('fails: by itself', withGateway(async (own) => {
  await own.faults.add('listRuns: 503');
  await fetch(own.baseUrl + '/batchez');
  expect(1).toBe(2);
}));
test('fails: a wrong fault', async () => {
  await gateway.faults.add('listRunz: 503');
});
test('fails: options before the function', () => {
  withGateway({ scenario: 'empty' }, async () => {});
});
describe('with an option that is no data', () => {
  useGateway({ calls: [() => {}] });
  test('fails: a function', () => {});
});
describe('with a wrong option', () => {
  useGateway({ scenarioo: 'empty' });
  test('fails: its option', () => {});
});
`;

const toModule = (text: string): string =>
  text.replace(/const (\{ \w+(?:, \w+)* \}) = require\(('.*?')\);/g, 'import $1 from $2;');

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
      'has the control in this process, and by a client': [],
      'has a gateway of its own': [],
      'can be spread': [],
      'is asked by hooks': [],
      'is asked by hooks again': [],
      'a created batch is listed': [],
      'asks whether there were calls': [],
      'writes alone, as a hook may': [],
      'calls without waiting': [],
      'is expected to fail': [],
      'concurrently, 1': [],
      'concurrently, 7': [],
    });
  });

  test.each([
    ['a call that matched no operation', "To allow this: useGateway({ unmatched: 'allow' })."],
    ['a fault that was never used', 'listRuns#3: reset (no call matched)'],
    ['a gateway that it took, and did not call', "useGateway({ noCalls: 'allow' })"],
    ['a gateway of withGateway that it wrote to, and did not call', 'no request arrived there'],
    ['one that should have failed', 'supposed to fail'],
    ['an expectation that it did not await', 'did not await requests.expect'],
    ['a hook that uses the gateway too early', 'no test is running'],
    ['a hook that must not get the gateway of an earlier test', 'no test is running'],
    ['its option', 'Did you mean "scenario"?'],
    ['options before the function', "withGateway takes the test's function first, then the options"],
    ['a function', "Pass your own calls as a file: calls: './calls.mjs'."],
    ['the gateway of useGateway in test.concurrent', 'there, use withGateway().'],
    [
      'a call of withGateway that matched no operation',
      "To allow this: withGateway(…, { unmatched: 'allow' }).",
    ],
    ['by itself', 'Expected: 2'],
  ])('fails a test for %s', (what, words) => {
    expect(failures[`fails: ${what}`]?.[0]).toContain(words);
  });

  test('shows the line of the test that added a wrong fault', () => {
    const [message = ''] = failures['fails: a wrong fault'] ?? [];
    expect(message).toMatch(
      /^Error: Failed to read the fault "listRunz: 503": .*\n {4}at .*\b2\.test\.m?js:\d+:/,
    );
  });
});

const [, printedInTypeScript = ''] =
  /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs/jest.md'), 'utf8')) ?? [];

const typedSuite = `${printedInTypeScript}
import { connect } from 'gateway-mock/client';
import { withGateway } from 'gateway-mock/jest';

test.concurrent('a concurrent one', withGateway(async (own) => {
  const status: number = (await fetch(own.baseUrl + '/batches', { headers: own.headers })).status;
  expect([status, await connect(own.baseUrl).requests.count()]).toEqual([200, 1]);
}));
// @ts-expect-error There is no such status.
void (() => gateway.records.batches.create({ status: 'fialed' }));
`;

test.each([
  ['ts-jest, TypeScript 5.9, node10', ['ts-jest', {}], { module: 'commonjs', moduleResolution: 'node10' }],
  ['ts-jest, TypeScript 5.9, node16', ['ts-jest', {}], { module: 'node16', isolatedModules: true }],
  ['ts-jest, TypeScript 6', ['ts-jest', { compiler: 'typescript6' }], {}],
  ['@swc/jest', '@swc/jest', {}],
])('Jest with %s', async (name, transform, options) => {
  const folder = join(home, name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  const write = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), typeof value === 'string' ? value : JSON.stringify(value));
  write('a.test.ts', typedSuite);
  write('jest.config.json', { transform: { '\\.ts$': transform } });
  const types = ['jest', 'node'];
  write('tsconfig.json', {
    compilerOptions: { target: 'es2022', strict: true, esModuleInterop: true, types, ...options },
  });
  const jest = join(home, 'node_modules/jest/bin/jest.js');
  const { stderr } = await run(join(home, program), [jest], { cwd: folder });
  expect(stderr).toMatch(/^Tests: +2 passed, 2 total$/m);
});
