import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectToChromium, hasChromium } from '../support/chromium.ts';
import { listenTo } from '../support/listen.ts';
import { openServer } from '../support/open-gateway.ts';

describe.skipIf(!hasChromium)('a page of another origin, in a real browser', () => {
  let app: Awaited<ReturnType<typeof listenTo>>;
  let browser: Browser;

  beforeAll(async () => {
    app = await listenTo((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>app</title>');
    });
    browser = await connectToChromium();
  });
  afterAll(async () => {
    await app.close();
  });

  test.each(['direct', 'msw'] as const)(
    'calls the server with its own headers and reads the reply (transport: %s)',
    async (transport) => {
      const server = await openServer({ transport });
      const page = await browser.newPage();
      await page.goto(app.url);
      const seen = await page.evaluate(async (baseUrl) => {
        const headers = { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v', 'x-anything': 'else' };
        const list = await fetch(`${baseUrl}/batches?limit=3`, { headers });
        const rendered = await fetch(`${baseUrl}/prompts/prompt_welcome/render`, {
          method: 'POST',
          credentials: 'include',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ variables: { name: 'Ada' } }),
        });
        const missing = await fetch(`${baseUrl}/threads/nobody/runs`, { headers });
        return {
          batches: (await list.json()).data.length,
          requestId: list.headers.get('x-request-id'),
          success: (await rendered.json()).success,
          marks: rendered.headers.get('x-mock-assumptions'),
          status: missing.status,
          message: (await missing.json()).error.message,
        };
      }, server.baseUrl);
      expect(seen).toEqual({
        batches: 3,
        requestId: expect.stringMatching(/^req_/),
        success: true,
        marks: 'missing-variable',
        status: 404,
        message: "No thread found with id 'nobody'.",
      });
      await page.close();
    },
  );
});
