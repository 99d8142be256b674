// The files of apps that docs/connect.md prints, in projects of users: Next.js and Storybook. Vite and Angular: test/cli/frameworks.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../bench/free-port.js';
import { findChromium } from '../support/find-chromium.ts';
import { reportMissing } from '../support/missing-tool.ts';
import { pack, runNpm } from '../support/package-file.ts';
import { printedFile } from '../support/printed-blocks.ts';

const home = mkdtempSync(join(tmpdir(), 'gateway-mock-frameworks-'));
let tarball: string;
beforeAll(async () => {
  tarball = await pack(home);
});
afterAll(() => rmSync(home, { recursive: true, force: true }), 600_000); // very many files

/** Writes files into a folder, by their paths in it. */
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};

/** Makes a project with packages from npm, and with the modules of the page that have these names. */
const makeProject = async (name: string, packages: readonly string[], modules: readonly string[]) => {
  const folder = join(home, name);
  write(folder, {
    'package.json': '{ "type": "module", "private": true }',
    ...Object.fromEntries(modules.map((module) => [module, printedFile(module)])),
  });
  await runNpm(['install', '--no-audit', '--no-fund', tarball, ...packages], { cwd: folder });
  return folder;
};

describe('Next.js', () => {
  const modules = ['app/batches/page.js', 'next.config.mjs'];
  let folder: string;
  beforeAll(async () => {
    folder = await makeProject('next', ['next', 'react', 'react-dom'], modules);
    const layout = 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n';
    write(folder, { 'app/layout.js': layout });
  }, 300_000); // many packages

  /** Starts `next dev` until the test ends, and returns its URL. */
  const start = async (program: readonly string[]): Promise<string> => {
    const port = await freePort();
    const next = join(folder, 'node_modules/next/dist/bin/next');
    const args = [...program, next, 'dev', '--port', port];
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'development' };
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore', detached: true });
    onTestFinished(async () => {
      if (child.exitCode !== null) return;
      process.kill(-(child.pid ?? 0), 'SIGTERM'); // with the processes that it has started
      await once(child, 'exit');
    });
    return `http://127.0.0.1:${port}`;
  };

  const countOf = async (url: string): Promise<number> => {
    const reply = await fetch(`${url}/batches`).catch(() => undefined);
    return ((await reply?.text()) ?? '').match(/<li>/g)?.length ?? 0;
  };
  const bounds = { timeout: 90_000, interval: 500 };

  test('under exec, its pages read from the gateway, and its own origin reaches it', async () => {
    rmSync(join(folder, 'instrumentation.js'), { force: true }); // of the other test
    for (const name of modules) write(folder, { [name]: printedFile(name) });
    const cli = join(folder, 'node_modules/gateway-mock/dist/cli.js');
    const url = await start([cli, 'exec', '--scenario', 'in-flight', '--', process.execPath]);
    await expect.poll(() => countOf(url), bounds).toBe(3);
    const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
    const reply = await fetch(`${url}/v1/batches?limit=2`, { headers });
    expect((await reply.json()).data).toHaveLength(2);
  });

  test('starts the gateway by instrumentation.js, also after an edit', async () => {
    write(folder, {
      'instrumentation.js': printedFile('instrumentation.js'),
      'next.config.mjs': 'export default {};',
      'app/batches/page.js': printedFile('app/batches/page.js'),
    });
    const url = await start([]);
    await expect.poll(() => countOf(url), bounds).toBe(3);
    const page = printedFile('app/batches/page.js').replace('limit=3', 'limit=2');
    write(folder, { 'app/batches/page.js': page });
    await expect.poll(() => countOf(url), bounds).toBe(2);
  });
});

const executablePath = findChromium();
if (executablePath === undefined)
  reportMissing('Chromium', 'the stories of Storybook', 'Install it (apt-get install chromium).');

describe.skipIf(executablePath === undefined)('Storybook', () => {
  let folder: string;
  beforeAll(async () => {
    const stories = 'src/batches.stories.jsx';
    const packages = ['storybook', '@storybook/react-vite', 'vite', 'react', 'react-dom', 'msw'];
    const modules = ['.storybook/gateway.js', '.storybook/preview.js', stories];
    folder = await makeProject('storybook', packages, modules);
    write(folder, {
      '.storybook/main.js': `export default {
        framework: '@storybook/react-vite', stories: ['../${stories}'], staticDirs: ['../public'], core: { disableTelemetry: true },
      };`,
      'src/batches.jsx': `import { useEffect, useState } from 'react';
        export const Batches = () => {
          const [text, setText] = useState('');
          useEffect(() => {
            const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
            fetch('/v1/batches', { headers }).then(async (reply) => setText(reply.status + ' ' + (await reply.json()).data?.length));
          }, []);
          return <p>{text}</p>;
        };`,
    });
    await runNpm(['msw', 'init', 'public', '--no-save'], { cwd: folder }, 'npx');
    await runNpm(['storybook', 'build', '-o', 'dist', '--quiet'], { cwd: folder }, 'npx');
  }, 300_000); // many packages

  test('each story has its own state, whichever was shown before', async () => {
    const server = await preview({
      root: folder,
      configFile: false,
      build: { outDir: 'dist' },
      preview: { port: 0 },
    });
    onTestFinished(() => server.close());
    const browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox'],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${server.resolvedUrls?.local[0]}?path=/story/batches--usual`);
    const shown = page.frameLocator('#storybook-preview-iframe').locator('#storybook-root p');
    for (const [story, text] of [
      ['usual', '200 20'],
      ['overloaded', '503 undefined'],
      ['empty', '200 0'],
      ['usual', '200 20'],
    ] as const) {
      await page.click(`[data-item-id="batches--${story}"]`);
      await expect.poll(() => shown.textContent(), { timeout: 20_000 }).toBe(text);
    }
    expect(errors).toEqual([]);
  });
});
