// The package under Bun and Deno, which npm has for most systems, and in an app of Hono: what docs/connect.md says.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, runNpm } from '../support/package-file.ts';
import { blocksOf } from '../support/printed-blocks.ts';

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'gateway-mock-runtimes-'));

const install = (...packages: string[]) =>
  runNpm(['install', '--no-audit', '--no-fund', ...packages], { cwd: home });

beforeAll(async () => {
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  await install(await pack(home), 'msw', 'openai', 'hono');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const everyEntryPoint = `
import { Hono } from 'hono';
import { createGateway } from 'gateway-mock';
import { connect } from 'gateway-mock/client';
import { startServer } from 'gateway-mock/server';

const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
const gateway = createGateway({ seed: 7 });
const app = new Hono();
app.all('/v1/*', (context) => gateway.fetch(context.req.raw));
const byHono = await (await app.request('/v1/batches', { headers })).text();
const byFetch = await (await gateway.fetch('http://gateway.test/v1/batches', { headers })).text();
const server = await startServer({ seed: 7 });
const byServer = await (await fetch(server.baseUrl + '/batches', { headers })).text();
await connect(server.url).faults.add('listBatches: 503');
const { status } = await fetch(server.baseUrl + '/batches', { headers });
await server.close();
console.log(JSON.stringify([byFetch.length > 1000, byFetch === byHono, byFetch === byServer, status]));
`;

const printed = blocksOf('js').find(({ text }) => text.includes('fetch: gateway.fetch'))?.text ?? '';

const bin = join(home, 'node_modules/.bin');
const programs = {
  Node: { program: process.execPath, options: [], specifier: undefined, end: '' },
  Bun: { program: join(bin, 'bun'), options: [], specifier: 'bun', end: '' },
  // What MSW opens as it is loaded keeps Deno running.
  Deno: { program: join(bin, 'deno'), options: ['run', '-A'], specifier: 'deno', end: 'Deno.exit();' },
};

describe.each(Object.entries(programs))('%s', (name, { program, options, specifier, end }) => {
  /** Why it cannot be had here. */
  let reason: string | undefined;
  beforeAll(async () => {
    if (specifier === undefined) return;
    try {
      await install(specifier);
      await run(program, ['--version']);
    } catch (error) {
      reason = `npm has no ${name} that runs here: ${error}`;
      console.warn(`Left out: the tests of ${name}, since ${reason}`);
    }
  });

  const runModule = async (file: string, text: string): Promise<string> => {
    writeFileSync(join(home, file), text + end);
    return (await run(program, [...options, join(home, file)], { cwd: home })).stdout;
  };

  test('answers by fetch, by a route of Hono and by a server, with the same bytes', async ({ skip }) => {
    if (reason !== undefined) skip(reason);
    expect(JSON.parse(await runModule('entry-points.mjs', everyEntryPoint))).toEqual([true, true, true, 503]);
  });

  test('runs what the docs print for a client that takes a fetch', async ({ skip }) => {
    if (reason !== undefined) skip(reason);
    expect(printed).not.toBe('');
    expect((await runModule('printed.mjs', printed)).split('\n').length).toBeGreaterThan(100);
  });

  test('runs the command line', async ({ skip }) => {
    if (reason !== undefined) skip(reason);
    const cli = join(home, 'node_modules/gateway-mock/dist/cli.js');
    const print = 'console.log(process.env.GATEWAY_BASE_URL)';
    const command = [...options, cli, 'exec', '--', process.execPath, '-e', print];
    const { stdout } = await run(program, command, { cwd: home });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/m);
  });
});
