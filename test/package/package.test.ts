// The package as npm would publish it. `npm run check:package` builds it first: that takes its time. On each Node: projects.test.ts.
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, runNpm } from '../support/package-file.ts';
import { root } from '../support/write-built.ts';

const run = promisify(execFile);

const manifest: {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entryPoints = Object.keys(manifest.exports).filter((entryPoint) => entryPoint !== './package.json');
const specifierOf = (entryPoint: string): string => entryPoint.replace(/^\./, 'gateway-mock');

/** The folder of a user who has installed the tarball, with the packages that it asks for and no others. */
let project = '';
let tarball = '';

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'gateway-mock-package-'));
  tarball = await pack(project);
  const installed = join(project, 'node_modules/gateway-mock');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const name of [
    ...Object.keys(manifest.peerDependencies).filter((name) => name !== 'jest'),
    '@types/node', // which TypeScript needs for node:http
    ...['playwright', 'playwright-core'], // which @playwright/test is made of
  ]) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the package', () => {
  test('is sound by publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: root, pack: 'npm', strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has types that resolve, by are-the-types-wrong', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    // The others are ES modules alone, which Node 20.19 and newer can require.
    await run(process.execPath, [attw, '--ignore-rules', 'cjs-resolves-to-esm', '--', tarball]);
    const both = ['--entrypoints', './client', './jest'];
    await run(process.execPath, [attw, tarball, ...both]);
  });

  test('is small, and has what it is to have', async () => {
    const { stdout } = await run('tar', ['tzf', tarball]);
    const files = stdout
      .trim()
      .split('\n')
      .map((file) => file.replace('package/', ''));
    const folders = new Set(files.map((file) => file.split('/')[0]));
    expect([...folders].sort()).toEqual([
      'AGENTS.md',
      'LICENSE',
      'README.md',
      'dist',
      'docs',
      'fixtures',
      'llms.txt',
      'package.json',
      'scenarios',
    ]);
    expect(files.filter((file) => /\.test\.|^(?:src|test)\//.test(file))).toEqual([]);
    expect(statSync(tarball).size).toBeLessThan(1_750_000); // a third of it is the control room with its fonts, a third its pictures in the docs
  });

  test('installs one package of less than 5 MB', () => {
    expect(manifest.dependencies).toBeUndefined();
    const installed = join(project, 'node_modules/gateway-mock');
    const sizes = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(installed, name)))
      .map((file) => (file.isFile() ? file.size : 0));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
  });

  test('has type declarations that say what a type holds, with the words of its fields', () => {
    const installed = join(project, 'node_modules/gateway-mock/dist');
    const declarations = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.d\.c?ts$/.test(name))
      .map((name) => readFileSync(join(installed, name), 'utf8'))
      .join('\n');
    expect(declarations).toContain('    /** Path parameters. */\n    params?: Record<string, string>;');
    expect(declarations).toContain('         * Freezes the clock at its current time.');
    const imports = [...declarations.matchAll(/(?:from |import |import\()["']([^."'][^"']*)/g)];
    expect([...new Set(imports.map(([, specifier]) => specifier))].sort()).toEqual([
      '@playwright/test',
      'msw',
      'msw/browser',
      'msw/node',
      'node:http',
      'vitest',
    ]);
  });

  test.each([
    ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext, true],
    ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler, false],
  ])('has types that hold under %s, in every declaration', (_name, module, moduleResolution, isExact) => {
    const file = join(project, 'consumer.ts');
    const imports = entryPoints
      .map((entryPoint, at) => `import * as entryPoint${at} from '${specifierOf(entryPoint)}';`)
      .join('\n');
    writeFileSync(
      file,
      `${imports}
import { setupGateway, readScenario } from 'gateway-mock/node';
import { type Batch, type Control, createGateway, defineCall, type OperationId, type Run, type ShippedScenario } from 'gateway-mock';
import { startServer } from 'gateway-mock/server';
import { connect } from 'gateway-mock/client';
const gateway = setupGateway({ scenario: await readScenario('./mine.yaml'), seed: 7 });
const control: Control = connect('http://127.0.0.1:4010');
const batch: Batch = await gateway.records.batches.create({ status: 'failed' });
// @ts-expect-error The clock is set to a time.
await control.clock.set({});
// @ts-expect-error There is no such status.
await control.records.runs.create({ thread_id: 'thread_a', status: 'fialed' });
// @ts-expect-error The path has no such parameter.
defineCall({ id: 'a', method: 'GET', path: '/a/{b}', handle: ({ params }) => ({ of: params.c }) });
// @ts-expect-error In process, the shipped scenarios alone have names.
createGateway({ scenario: 'in-fligt' });
// @ts-expect-error A run has a status.
const run: Run | undefined = (await gateway.records.runs.get('run_a')) satisfies { readonly status: number } | undefined;
const fields: Record<string, unknown> = { ...run };
const operation: OperationId = 'listRuns';
const scenario: ShippedScenario = 'in-flight';
await control.requests.count({ operation });
await control.requests.count({ operation: 'list*' });
await control.faults.add('retrieveBatch#2: 503', batch.id as string);
createGateway({ scenario });
await startServer({ scenario: 'mine' });
type Completed<Text> = Text extends string ? (string extends Text ? never : Text) : never; // in editors
const line: Completed<Parameters<Control['faults']['add']>[number]> = 'listRuns: cursor-loop';
const value: Completed<Parameters<Control['assumptions']['set']>[1]> = 'empty-page';
const time: Completed<Parameters<Control['clock']['advance']>[0]> = '10m';
console.log(batch.id, fields, line, value, time, ${entryPoints.map((_, at) => `entryPoint${at}`).join(', ')});
`,
    );
    const program = ts.createProgram([file], {
      module,
      moduleResolution,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: isExact,
      noEmit: true,
      preserveSymlinks: true,
    });
    const own = ts
      .getPreEmitDiagnostics(program)
      // What other packages declare is their affair.
      .filter((one) => /consumer\.ts|node_modules\/gateway-mock\//.test(one.file?.fileName ?? 'consumer.ts'));
    expect(
      own.map((one) => `${one.file?.fileName}: ${ts.flattenDiagnosticMessageText(one.messageText, '\n')}`),
    ).toEqual([]);
  });

  test('is run by npx in an empty folder', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'gateway-mock-empty-'));
    try {
      const npx = (...args: string[]) =>
        runNpm(
          ['--yes', '--prefer-offline', '--package', tarball, 'gateway-mock', ...args],
          { cwd: empty },
          'npx',
        );
      expect((await npx('scenarios')).stdout).toContain('in-flight');
      const call = `
        const reply = await fetch(process.env.GATEWAY_BASE_URL + '/batches', {
          headers: {
            'x-gateway-api-key': process.env.GATEWAY_API_KEY,
            'x-gateway-virtual-key': process.env.GATEWAY_VIRTUAL_KEY,
          },
        });
        console.log(reply.status);
      `;
      writeFileSync(join(empty, 'call.mjs'), call);
      const { stdout } = await npx('exec', '--', 'node', 'call.mjs');
      expect(stdout.trim().split('\n').at(-1)).toBe('200');
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });
});
