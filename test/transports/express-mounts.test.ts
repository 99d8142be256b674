// The middleware in an Express app of the user's own, wherever it is mounted: over real HTTP.
import express, { Router } from 'express';
import { describe, expect, test } from 'vitest';
import type { NodeListener } from '../../src/core/transports/node-http.ts';
import { createGateway } from '../../src/service/gateway/create-gateway.ts';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { type listenTo, openListener } from '../support/listen.ts';
import { keys } from '../support/transports.ts';

type Listener = Parameters<typeof listenTo>[0];

/** An app around a gateway, which ends with the test. */
const serve = async (mount: (middleware: NodeListener) => Listener, options?: GatewayOptions) => {
  const gateway = createGateway(options);
  const url = await openListener(mount(gateway.middleware()));
  const call = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(url + path, { headers: keys, ...init });
    return { status: reply.status, session: reply.headers.get('x-mock-session'), text: await reply.text() };
  };
  return { gateway, call };
};

const below = (...paths: string[]) => {
  const nest = (middleware: NodeListener): express.Express | Router => {
    const [last = '/', ...outer] = paths.toReversed();
    return outer.reduce((inner, path) => Router().use(path, inner), Router().use(last, middleware));
  };
  return (middleware: NodeListener): Listener => express().use(nest(middleware));
};

describe('the middleware answers', () => {
  test.each([
    [['/v1'], '/v1'],
    [['/api', '/llm', '/v1'], '/api/llm/v1'],
    [['/:tenant/v1'], '/acme/v1'],
    [['/api'], '/api/sessions/qa/v1', 'qa'],
    [['/sessions/qa'], '/sessions/qa/v1', 'qa'],
    [['/sessions', '/:name', '/v1'], '/sessions/qa/v1', 'qa'],
  ])('mounted at %j, calls to %s', async (paths, base, session: string | null = null) => {
    const { gateway, call } = await serve(below(...paths), { scenario: { batches: 3 } });
    const page = await call(`${base}/batches?limit=2`);
    expect([page.status, page.session]).toEqual([200, session]);
    expect(JSON.parse(page.text)).toMatchObject({ object: 'list', has_more: true });
    expect(await call(`${base}/batchs`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('listBatches'),
    });
    expect((await call(`${base}/batches`, { method: 'DELETE' })).status).toBe(405);
    const { requests } = session === null ? gateway : gateway.session(session);
    expect((await requests.list()).map(({ path }) => path)).toEqual([
      '/v1/batches',
      '/v1/batchs',
      '/v1/batches',
    ]);
  });

  test('in an app that hands requests over without next', async () => {
    const { call } = await serve((middleware) =>
      express().use('/v1', (request, response) => middleware(request, response)),
    );
    expect((await call('/v1/batches')).status).toBe(200);
  });

  test('where the app has rewritten the URL', async () => {
    const { call } = await serve((middleware) =>
      express().use((request, _response, next) => {
        request.url = request.url.replace(/^\/ai\//, '/v1/');
        next();
      }, middleware),
    );
    expect((await call('/ai/batches')).status).toBe(200);
  });

  // Connect has no `baseUrl`: it keeps the whole URL as `originalUrl`.
  test('in an app like Connect, which cuts the path off its own way', async () => {
    const { call } = await serve((middleware) => (request, response) => {
      const whole = request.url ?? '';
      const cut = Object.assign(request, { originalUrl: whole, url: whole.replace(/^\/api\/v1(?=\/)/, '') });
      middleware(cut, response, () => response.writeHead(404).end('nobody'));
    });
    expect((await call('/api/v1/batches')).status).toBe(200);
    expect((await call('/v1/batches')).status).toBe(200);
    expect(await call('/other')).toMatchObject({ status: 404, text: 'nobody' });
  });
});

test('a call that is not for the gateway is left to the app', async () => {
  const { gateway, call } = await serve((middleware) => {
    const app = express().use('/api', middleware);
    app.get('/api/health', (_request, response) => void response.send('fine'));
    app.get('/api/batches', (_request, response) => void response.send('my own'));
    return app;
  });
  expect(await call('/api/health')).toMatchObject({ status: 200, text: 'fine' });
  expect(await call('/api/batches')).toMatchObject({ status: 200, text: 'my own' });
  expect((await call('/api/nothing')).status).toBe(404);
  expect((await call('/v1/batches')).status).toBe(404); // it is not below the mount
  expect(await gateway.requests.count()).toBe(0);
});

describe('behind a body parser', () => {
  test.each([express.json(), express.text({ type: '*/*' }), express.raw({ type: '*/*' })])(
    'the body is the same',
    async (parser) => {
      const [plain, parsed] = await Promise.all([
        serve((middleware) => express().use(middleware)),
        serve((middleware) => express().use(parser, middleware)),
      ]);
      const call = ['/v1/prompts/prompt_welcome/render', render('{"variables":{"name":"Ada"}}')] as const;
      const { text } = await plain.call(...call);
      expect(text).toContain('Ada');
      expect((await parsed.call(...call)).text).toBe(text);
    },
  );

  const parsed = () => serve((middleware) => express().use(express.json(), middleware));
  const render = (body: string) => ({
    method: 'POST',
    headers: { ...keys, 'content-type': 'application/json' },
    body,
  });

  test.each([
    ['{"variables":{},"seed":9007199254740993}', 400],
    ['{"variables":{"name":[{"id":-98765432109876543210}]}}', 400],
    ['{"variables":{},"seed":9007199254740991,"temperature":0.1}', 200],
  ])('%s is answered by %d: digits that may be lost are refused', async (body, status) => {
    const { call } = await parsed();
    const reply = await call('/v1/prompts/prompt_welcome/render', render(body));
    expect(reply.status).toBe(status);
    if (status === 400)
      expect(JSON.parse(reply.text)).toMatchObject({
        success: false,
        error: { message: expect.stringContaining('before body parsers') },
      });
  });
});
