// The files of apps that docs/connect.md prints, where this project has what it takes. Next.js, Storybook and pnpm: test/package/frameworks.test.ts.
import { pathToFileURL } from 'node:url';
import type { ProxyOptions } from 'vite';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openServer } from '../support/open-gateway.ts';
import { printedFile } from '../support/printed-blocks.ts';
import { keys } from '../support/transports.ts';
import { makeBuiltFolder, writeBuilt } from '../support/write-built.ts';

type ProxyTable = Record<string, string | ProxyOptions>;

const folder = makeBuiltFolder('gateway-mock-frameworks');
beforeEach(async () => {
  const { baseUrl } = await openServer({ scenario: 'in-flight', faults: ['getRateLimitsPolicy: reset'] });
  vi.stubEnv('GATEWAY_BASE_URL', baseUrl);
});
afterEach(() => void vi.unstubAllEnvs());

/** Serves a project of Vite with this proxy until the test ends. */
const serve = async (proxy: ProxyTable): Promise<string> => {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    server: { proxy: proxy, port: 0 },
    optimizeDeps: { noDiscovery: true },
  });
  onTestFinished(() => vite.close());
  await vite.listen();
  return vite.resolvedUrls?.local[0] ?? '';
};

const load = async (
  name: string,
): Promise<{ readonly server: { readonly proxy: ProxyTable } } & ProxyTable> => {
  const file = writeBuilt(folder, `${Math.random()}-${name}`.replace(/\.js$/, '.mjs'), printedFile(name));
  return (await import(pathToFileURL(file).href)).default;
};

const check = async (url: string): Promise<void> => {
  const reply = await fetch(`${url}v1/batches?limit=2`, { headers: keys });
  expect([reply.status, reply.headers.has('x-mock-world')]).toEqual([200, true]);
  expect((await reply.json()).data).toHaveLength(2);
  const requests = await (await fetch(`${url}__admin/requests/list`)).json();
  expect(requests).toMatchObject([{ operation: 'listBatches' }]);
  const broken = await fetch(`${url}v1/policies/rate-limits/any`, { headers: keys });
  expect(broken.status).toBe(502);
};

test('the proxy of Vite reaches the gateway and its admin API', async () => {
  const { server } = await load('vite.config.js');
  await check(await serve(server.proxy));
});

test('that of Angular, which is one of Vite, too', async () => {
  await check(await serve(await load('proxy.conf.mjs')));
});
