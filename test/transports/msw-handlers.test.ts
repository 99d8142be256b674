// The handlers as MSW lists them, asks them, and hands their responses on: in a `setupServer` of the user's own.
import express from 'express';
import { type DefaultBodyType, getResponse, HttpResponse, http, passthrough, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as operations from '../../src/core/operations/index.ts';
import { byGetResponse, byHttpMiddleware } from '../../src/core/transports/handler-middleware.ts';
import { forBothMajors } from '../../src/core/transports/unhandled.ts';
import { createGateway, type GatewayOptions } from '../../src/index.ts';
import { setupGateway } from '../../src/node.ts';
import { openListener } from '../support/listen.ts';
import { interceptGateway } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';
import { expectUnhandled } from '../support/unhandled.ts';
import { withoutWorld } from '../support/without-world.ts';

const url = 'https://gateway.test/v1/batches?limit=3';
const get = (init?: RequestInit): Promise<Response> => fetch(url, { headers: keys, ...init });

/** A server of the user's own with the gateway's handlers, until the test ends. */
const serve = (options: GatewayOptions, ...others: RequestHandler[]) => {
  const gateway = createGateway(options);
  const server = setupServer(...gateway.handlers, ...others);
  server.listen(forBothMajors({ onUnhandledRequest: 'error' }));
  onTestFinished(() => server.close());
  return { gateway, server };
};

const listed = (handlers: readonly { readonly info?: object }[]): unknown[] =>
  handlers.map(({ info = {} }) => Reflect.get(info, 'header'));

describe('listHandlers', () => {
  test('shows the method and path of each operation', () => {
    const { server } = serve({});
    expect(listed(server.listHandlers() as RequestHandler[])).toEqual(
      Object.values(operations).map(
        ({ contract: { method, path } }) => `${method} */v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
  });

  test('shows the base URL, and that everything else below it is answered', () => {
    const handlers = listed(createGateway({ baseUrl: 'https://gateway.test/eu/v1/' }).handlers);
    expect(handlers).toContain('GET https://gateway.test/eu/v1/batches');
    expect(handlers.at(-1)).toBe('ALL https://gateway.test/eu/v1/*');
  });

  test('is there on what setupGateway returns, beside all else of setupServer', async () => {
    const gateway = interceptGateway();
    expect(listed(gateway.listHandlers() as RequestHandler[])).toContain('GET */v1/batches');

    const seen: string[] = [];
    gateway.events.on('response:mocked', ({ request, response }) => {
      seen.push(`${response.status} ${new URL(request.url).pathname}`);
    });
    expect((await get()).status).toBe(200);
    await expect.poll(() => seen).toEqual(['200 /v1/batches']);

    await gateway.boundary(async () => {
      gateway.use(http.get('*/v1/batches', () => new HttpResponse(null, { status: 418 }), { once: true }));
      expect([(await get()).status, (await get()).status]).toEqual([418, 200]);
      gateway.restoreHandlers();
      expect((await get()).status).toBe(418);
    })();
    expect((await get()).status).toBe(200);

    gateway.use(http.get('*/v1/batches', () => new HttpResponse(null, { status: 418 })));
    await gateway.reset();
    expect((await get()).status).toBe(418);
    gateway.resetHandlers();
    expect((await get()).status).toBe(200);
  });
});

describe('a request', () => {
  test.each([
    ['GET', '/v1/batches/', 'with a trailing slash'],
    ['GET', '/v1/Batches', 'in other letter case'],
    ['GET', '/v1/models', 'of another API'],
    ['PUT', '/v1/batches', 'with another method'],
  ])('%s %s, %s, is left to MSW, and stands in the journal once', async (method, path) => {
    const { gateway } = serve({});
    await expectUnhandled(fetch(`https://gateway.test${path}`, { method }));
    expect(await gateway.requests.list({ unmatched: true })).toMatchObject([{ method, path, status: null }]);
  });

  test('whose URL is no URL is left alone', async () => {
    const { gateway } = serve({});
    const request = Object.create(new Request(url), {
      url: { value: 'gateway.test:443' },
      method: { value: 'CONNECT' },
    });
    for (const handler of gateway.handlers) expect(await handler.test({ request })).toBe(false);
  });

  test('may be asked of two gateways, each of which has its own answer', async () => {
    const [a, b] = [createGateway({ scenario: { batches: 1 } }), createGateway({ scenario: { batches: 2 } })];
    const request = new Request(url, { headers: keys });
    const count = async (handlers: readonly RequestHandler[]) => {
      const page = await (await getResponse([...handlers], request))?.json();
      return page?.data.length;
    };
    expect([await count(a.handlers), await count(b.handlers)]).toEqual([1, 2]);
  });
});

describe('the body of a response', () => {
  test.each(['delay 1ms', 'reply body=text', 'drip 200ms', 'hang-up'])(
    'can be cancelled unread (%s)',
    async (fault) => {
      serve({ faults: [`listBatches: ${fault}`] });
      const reply = await get();
      const isCutOff = fault === 'hang-up';
      await reply.body
        ?.cancel()
        .catch((error: unknown) => expect([isCutOff, error]).toEqual([true, expect.any(TypeError)]));
      expect((await get()).status).toBe(reply.status);
    },
  );

  test('can be read from each copy, whole', async () => {
    serve({ faults: ['listBatches#1: drip 50ms'] });
    const dripped = await get();
    const [copy, text] = [dripped.clone(), await dripped.text()];
    expect(await copy.text()).toBe(text);
    const plain = await get();
    expect([await plain.clone().text(), await plain.text()]).toEqual([text, text]);
  });

  test('is a copy: who changes its bytes changes no other reply', async () => {
    serve({});
    const bytes = new Uint8Array(await (await get()).arrayBuffer());
    const before = new TextDecoder().decode(bytes);
    bytes.fill(0);
    expect(await (await get()).text()).toBe(before);
  });
});

describe('what becomes of requests that no handler matches', () => {
  const other = 'http://127.0.0.1:65533/';

  test('is decided by a function, under one name for both majors of MSW', async () => {
    const gateway = setupGateway();
    const seen: string[] = [];
    gateway.listen({
      onUnhandledRequest: (request) => {
        seen.push(request.url);
        throw new Error('It must not leave the process.');
      },
    });
    onTestFinished(() => gateway.close());
    const { status } = await fetch(other);
    expect([status, seen]).toEqual([500, [other]]);
  });

  test('is an error where that was asked for: the request does not leave the process', async () => {
    const asked: string[] = [];
    const target = await openListener((request, response) => {
      asked.push(String(request.url));
      response.end();
    });
    const gateway = interceptGateway();
    await expect(fetch(`${target}/refused`)).rejects.toThrow();
    gateway.close();
    gateway.listen({ onUnhandledRequest: 'bypass' });
    expect((await fetch(`${target}/passed`)).status).toBe(200);
    expect(asked).toEqual(['/passed']);
  });

  test('cannot be said by the name that MSW 3 has for it, nor by an unknown one', () => {
    const listen = (options: object) => () => setupGateway().listen(options);
    expect(listen({ onUnhandledFrame: 'error' })).toThrow('Use "onUnhandledRequest"');
    expect(listen({ onUnhandled: 'error' })).toThrow('Unknown option "onUnhandled"');
  });
});

describe('handlers in Express', () => {
  const own: RequestHandler[] = [
    http.get(
      '/cookies',
      () =>
        new HttpResponse('hello', {
          status: 299,
          statusText: 'Odd',
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
            ['x-a', 'ü'],
          ],
        }),
    ),
    http.post<never, DefaultBodyType>(
      '/echo',
      async ({ request }) =>
        new HttpResponse(await request.text(), {
          headers: { 'content-type': request.headers.get('content-type') ?? '' },
        }),
    ),
    http.get('/left', () => passthrough()),
  ];

  test('answer the same bytes by http-middleware and by getResponse', async () => {
    const open = () => [
      ...own,
      ...createGateway({ faults: ['listBatches#1: delay 20ms', 'listBatches#2: 503'] }).handlers,
    ];
    const urls = await Promise.all(
      [byHttpMiddleware(open()), byGetResponse(open())].map((middleware) =>
        openListener(
          express()
            .use(middleware)
            .use((_request, response) => void response.status(404).send('left')),
        ),
      ),
    );
    const calls: readonly (readonly [string, RequestInit?])[] = [
      ['/cookies'],
      ['/echo', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } }],
      ['/left'],
      ['/v1/batches?limit=2'],
      ['/v1/batches?limit=2'],
      ['/v1/batches?limit=2', { method: 'HEAD' }],
      ['/v1/threads/%zz/runs'],
    ];
    for (const [path, init] of calls) {
      const replies = [];
      for (const base of urls) {
        const reply = await fetch(base + path, { ...init, headers: { ...keys, ...init?.headers } });
        const { date: _, ...headers } = withoutWorld(reply.headers);
        replies.push([
          reply.status,
          reply.statusText,
          headers,
          reply.headers.getSetCookie(),
          await reply.text(),
        ]);
      }
      expect(replies[0]).toEqual(replies[1]);
    }
  });
});
