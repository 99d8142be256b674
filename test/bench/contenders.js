// The ways of serving that are compared. Each imports what it needs by itself, so that none pays for another.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readData } from './data.js';

/** @param {import('node:http').Server} server */
const urlOf = async (server) => {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return `http://127.0.0.1:${address.port}`;
};

/**
 * @param {import('./data.js').Run[]} runs
 * @returns {import('./data.js').Page}
 */
const toPage = (runs) => {
  const data = runs.slice(0, 20);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id,
    last_id: data.at(-1)?.id,
    has_more: runs.length > data.length,
  };
};

/** @param {string} text */
const serveReady = (text) => {
  const bytes = Buffer.from(text);
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  const server = createServer((_request, response) => {
    response.writeHead(200, headers).end(bytes);
  });
  return urlOf(server.listen(0, '127.0.0.1'));
};

/**
 * @param {string} folder
 * @param {import('../../src/server.ts').ServerOptions} [options]
 */
const serveOurs = async (folder, options) => {
  /** @type {typeof import('../../src/server.ts')} */
  const { startServer } = await import(pathToFileURL(join(folder, 'server.js')).href);
  const server = await startServer({
    scenario: benchScenario(1000),
    apiKeys: ['bench'],
    virtualKeys: ['bench'],
    ...options,
  });
  return server.url;
};

/** @param {number} runs */
export const benchScenario = (runs) => ({ extends: 'default', threads: { thread_bench: { runs } } });

/**
 * Each starts on a free port and says where. `folder` holds the bundled project, and the data where there is any need.
 *
 * @type {Record<string, (folder: string) => Promise<string>>}
 */
export const contenders = {
  'bare-page': (folder) => serveReady(readData(folder).page),
  'bare-policy': (folder) => serveReady(readData(folder).policy),
  'bare-render': (folder) => serveReady(readData(folder).render),

  slicing: (folder) => {
    const { runs } = readData(folder);
    const server = createServer((_request, response) => {
      const text = JSON.stringify(toPage(runs));
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      response.writeHead(200, headers).end(text);
    });
    return urlOf(server.listen(0, '127.0.0.1'));
  },

  fastify: async (folder) => {
    const { fastify } = await import('fastify');
    const { runs } = readData(folder);
    const app = fastify();
    app.get('/v1/threads/:id/runs', async () => toPage(runs));
    return app.listen({ port: 0, host: '127.0.0.1' });
  },

  express: async (folder) => {
    const { default: express } = await import('express');
    const { runs } = readData(folder);
    const app = express();
    app.get('/v1/threads/:id/runs', (_request, response) => {
      response.json(toPage(runs));
    });
    return urlOf(app.listen(0, '127.0.0.1'));
  },

  msw: async (folder) => {
    const { http, HttpResponse } = await import('msw');
    const { createServer: createApp } = await import('@mswjs/http-middleware');
    const { runs } = readData(folder);
    const handler = http.get('*/v1/threads/:id/runs', () => HttpResponse.json(toPage(runs)));
    // Its types are stricter than MSW's about what may be left out; what it takes is just such a handler.
    const app = createApp(/** @type {Parameters<typeof createApp>[0]} */ (/** @type {unknown} */ (handler)));
    return urlOf(app.listen(0, '127.0.0.1'));
  },

  // It has no types, and a shape of its own: the runs alone, in indented JSON.
  'json-server': async (folder) => {
    const jsonServer = createRequire(import.meta.url)('json-server');
    const { runs } = readData(folder);
    const app = jsonServer.create();
    app.use(
      '/v1',
      jsonServer.router({ threads: [{ id: 'thread_bench' }], runs }, { foreignKeySuffix: '_id' }),
    );
    return urlOf(app.listen(0, '127.0.0.1'));
  },

  // Two alike, so that the one that is compared by its pages serves nothing else, just as those it is compared with.
  ours: (folder) => serveOurs(folder),
  'ours-for-the-rest': (folder) => serveOurs(folder),
  'ours-fresh': (folder) => serveOurs(folder),
  'ours-through-msw': (folder) => serveOurs(folder, { transport: 'msw' }),
  'ours-without-journal': (folder) => serveOurs(folder, { journal: 0 }),
  'ours-of-100000': (folder) => serveOurs(folder, { scenario: benchScenario(100_000) }),
  // A server of its own: one that is asked for two pages in turn is a little slower at both.
  'ours-of-100000-deep': (folder) => serveOurs(folder, { scenario: benchScenario(100_000) }),
};
