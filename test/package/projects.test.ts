// Projects of users, each with packages from npm and a Node of its own: what the docs say holds in all of them.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeFixture } from '../support/fixture-suites.ts';
import { nodePackage, pack, runNpm } from '../support/package-file.ts';
import { scripts, suites } from '../support/printed-blocks.ts';
import { type Project, runFolder } from '../support/suite-project.ts';
import { root } from '../support/write-built.ts';

const run = promisify(execFile);

const home = mkdtempSync(join(tmpdir(), 'gateway-mock-projects-'));
const projects = [
  { node: '20.19.0', msw: '2', vitest: '4', openai: '6' },
  { node: '22', msw: 'latest', vitest: 'latest', openai: 'latest' },
  { node: '24', msw: '3', vitest: '4', openai: 'latest' },
];

const folderOf = (node: string): string => join(home, `node-${node}`);

beforeAll(async () => {
  const tarball = await pack(home);
  const install = async ({ node, ...packages }: (typeof projects)[number]): Promise<void> => {
    const folder = folderOf(node);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const wanted = Object.entries(packages).map(([name, tag]) => `${name}@${tag}`);
    const others = ['happy-dom', 'jsdom', '@playwright/test', 'zod', nodePackage(node).specifier];
    await runNpm(['install', '--no-audit', '--no-fund', tarball, ...wanted, ...others], { cwd: folder });
  };
  await Promise.all(projects.map(install)); // most of it is waiting for the registry
});
afterAll(() => rmSync(home, { recursive: true, force: true }), 600_000); // very many files

const { exports: exportsOfPackage }: { exports: object } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** What a module says for this project's own entry points. */
const toPackage = (text: string): string =>
  text.replace(/'\.\.\/\.\.\/src\/(\w+)\.ts'/g, (_, name: string) =>
    name === 'index' ? "'gateway-mock'" : `'gateway-mock/${name}'`,
  );

/** The tests of this repository that depend on MSW. */
const filesOnMsw = [
  'test/transports/msw-handlers.test.ts',
  'test/transports/in-process.test.ts',
  'test/transports/faults-in-process.test.ts',
  'test/clients/faults-openai.test.ts',
  'test/transports/equal-bytes.test.ts',
  'test/browser/browser-entry.test.ts',
];

test('MSW 3 under Node 20 is named, before a request fails', async () => {
  const script = `
    import { createGateway } from 'gateway-mock';
    import { setupGateway } from 'gateway-mock/node';
    for (const start of [() => setupGateway(), () => createGateway().handlers])
      try { start(); } catch (error) { console.log(error.message); }
    console.log((await createGateway().fetch('http://a.test/v1/batches')).status);
  `;
  const file = join(folderOf('24'), 'msw-3.mjs');
  writeFileSync(file, script);
  const node = join(folderOf('20.19.0'), nodePackage('20.19.0').program);
  const { stdout } = await run(node, [file]);
  const named = expect.stringMatching(
    /^Failed to start the gateway: MSW 3 needs Node 22.12 or newer\..*msw@2/,
  );
  expect(stdout.trim().split('\n')).toEqual([named, named, '401']);
});

describe.each(projects)(
  'Node $node with msw@$msw, vitest@$vitest and openai@$openai',
  ({ node: version, ...packages }) => {
    const folder = folderOf(version);
    const { program } = nodePackage(version);
    const project: Project = {
      node: join(folder, program),
      vitest: join(folder, 'node_modules/vitest/vitest.mjs'),
      makeFolder: (name) => {
        const made = join(folder, name);
        mkdirSync(made, { recursive: true });
        return made;
      },
      write: (inFolder, name, text) => {
        const file = join(inFolder, name);
        writeFileSync(file, toPackage(text));
        return file;
      },
    };

    /** Starts the command line until the test ends, and returns its first line. */
    const startCli = async (): Promise<Record<string, string>> => {
      const cli = join(folder, 'node_modules/gateway-mock/dist/cli.js');
      const child = spawn(project.node, [cli, '--port', '0', '--json'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill());
      const [line] = await once(child.stdout, 'data');
      return JSON.parse(String(line));
    };

    test('has what was asked for', async () => {
      const versionOf = (name: string): string =>
        JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
      const { stdout } = await run(project.node, ['--version']);
      expect(stdout).toMatch(new RegExp(`^v${version}\\b`));
      for (const [name, tag] of Object.entries(packages))
        if (tag !== 'latest') expect(versionOf(name)).toMatch(new RegExp(`^${tag}\\.`));
      expect(Number.parseInt(versionOf('msw'), 10)).toBe(version.startsWith('20') ? 2 : 3);
    });

    test('finds all entry points, imports and requires those for any process, and serves by Express', async () => {
      const specifiers = Object.keys(exportsOfPackage)
        .filter((name) => name !== './package.json')
        .map((name) => name.replace(/^\./, 'gateway-mock'));
      // Those of a test runner, and that of a page, which MSW 3 has for browsers alone.
      const elsewhere = ['vitest', 'jest', 'browser'].map((name) => `gateway-mock/${name}`);
      const script = `
        import { createRequire } from 'node:module';
        const require = createRequire(import.meta.url);
        const namesOf = (module) => Object.keys(module).filter((key) => !['default', '__esModule', 'module.exports'].includes(key)).sort().join();
        const found = {};
        for (const name of ${JSON.stringify(specifiers)}) {
          require.resolve(name);
          import.meta.resolve(name);
          if (!${JSON.stringify(elsewhere)}.includes(name)) found[name] = [namesOf(await import(name)), namesOf(require(name))];
        }
        const [{ http }, { startServer }] = await Promise.all([import('msw'), import('gateway-mock/server')]);
        const handlers = [http.get('*/of-the-user', () => new Response())]; // Express serves them
        const texts = [];
        for (const options of [{}, { handlers }]) {
          const server = await startServer(options);
          const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
          texts.push(await (await fetch(server.baseUrl + '/batches', { headers })).text());
          await server.close();
        }
        const byMsw = await startServer({ transport: 'msw' }).then((server) => server.close(), String);
        console.log(JSON.stringify({ found, isSame: texts[0] === texts[1], byMsw }));
      `;
      const file = join(folder, 'entry-points.mjs');
      writeFileSync(file, script);
      const { stdout, stderr } = await run(project.node, [file], { cwd: folder });
      expect(stderr).toBe('');
      const {
        found,
        isSame,
        byMsw,
      }: { found: Record<string, [string, string]>; isSame: boolean; byMsw?: string } = JSON.parse(stdout);
      if (version.startsWith('20')) expect(byMsw).toBeUndefined();
      else expect(byMsw).toMatch(/the transport "msw" needs MSW 2/);
      expect([Object.keys(found).length, isSame]).toEqual([specifiers.length - elsewhere.length, true]);
      for (const [imported, required] of Object.values(found)) {
        expect(imported).not.toBe('');
        expect(required).toBe(imported);
      }
    });

    describe('the fixture for Vitest', () => {
      describeFixture(() => project);
    });

    test('runs the suites of the docs, and in environments that stand in for a browser, where it prints nothing', async () => {
      const inFolder = project.makeFolder('others');
      suites.forEach((text, index) => void project.write(inFolder, `printed-${index}.test.js`, text));
      const dom = readFileSync(join(root, 'test/suites/dom.suite.ts'), 'utf8');
      for (const environment of ['happy-dom', 'jsdom'])
        project.write(inFolder, `${environment}.test.ts`, `// @vitest-environment ${environment}\n${dom}`);
      const { failures, passed, printed } = await runFolder(project, inFolder);
      expect(failures).toEqual({});
      expect(passed).toBeGreaterThanOrEqual(suites.length + 2); // each has one test or more
      expect(printed.replace(/^JSON report written.*$/m, '').trim()).toBe('');
    });

    test('runs the scripts of the docs', async () => {
      const { url = '' } = await startCli();
      for (const [index, text] of scripts.entries()) {
        const printed = text.replace('http://127.0.0.1:4010', url);
        const file = project.write(folder, `script-${index}.mjs`, printed);
        const { stderr } = await run(project.node, [file], { cwd: folder });
        expect([text, stderr]).toEqual([text, '']);
      }
    });

    test('the command line and startServer start without any msw', async () => {
      const [there, away] = [join(folder, 'node_modules/msw'), join(folder, 'msw-away')];
      renameSync(there, away);
      try {
        expect((await startCli()).event).toBe('ready');
        const script = `
        import { startServer } from 'gateway-mock/server';
        const server = await startServer();
        const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
        const { status } = await fetch(server.baseUrl + '/batches', { headers });
        let refusal = '';
        try { server.handlers; } catch (error) { refusal = error.message; }
        await server.close();
        console.log(JSON.stringify([status, refusal]));
      `;
        const { stdout } = await run(project.node, [project.write(folder, 'without-msw.mjs', script)], {
          cwd: folder,
        });
        expect(JSON.parse(stdout)).toEqual([200, expect.stringContaining('msw cannot be loaded')]);
      } finally {
        renameSync(away, there);
      }
    });

    // MSW 3 needs Node 22.
    if (!version.startsWith('20'))
      test('this repository’s tests in process and in a page pass', async () => {
        const config = join(root, '.config/vitest.config.js');
        const vitest = join(root, 'node_modules/vitest/vitest.mjs');
        const env = { ...process.env, GATEWAY_MOCK_MSW: folder };
        const child = spawn(
          project.node,
          [vitest, 'run', '--config', config, '--reporter', 'dot', ...filesOnMsw],
          {
            cwd: root,
            env,
          },
        );
        let printed = '';
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            printed += text;
          });
        const [code] = await once(child, 'close');
        expect(code, printed.slice(-5000)).toBe(0);
      });
  },
);
