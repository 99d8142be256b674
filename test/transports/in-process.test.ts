import { HttpResponse, http } from 'msw';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../src/server.ts';
import { interceptGateway, openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';
import { expectUnhandled } from '../support/unhandled.ts';

const statusOf = async (url: string, init: RequestInit = { headers: keys }) =>
  (await fetch(url, init)).status;

describe('in process', () => {
  test.each([
    ['/v1/batchs', 'No operation has the path /v1/batchs. The nearest is listBatches'],
    ['/batches', 'every path starts with /v1/'],
    ['/v1/chat/completions', 'add a call of your own (defineCall)'],
    ['/weather', undefined],
  ])('beside the error of MSW, a sentence says what is wrong with %s', async (path, sentence) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    interceptGateway();
    await expectUnhandled(fetch(`https://gateway.test${path}`));
    const printed = warn.mock.calls.map(([text]) => text);
    expect(printed).toEqual(sentence === undefined ? [] : [expect.stringContaining(sentence)]);
  });

  test('close ends pending waits at once', async () => {
    const gateway = interceptGateway();
    const waiting = gateway.requests.wait({ operation: 'listRuns' }, { timeout: 60_000 });
    const refusal = expect(waiting).rejects.toThrow('Failed to wait for requests: the gateway was closed.');
    await gateway.clock.now();
    gateway.close();
    await refusal;
  });

  test('after close, the control throws until it listens again', async () => {
    const gateway = interceptGateway();
    gateway.close();
    await expect(gateway.faults.add('listRuns: 503')).rejects.toThrow(
      'Failed to call faults.add: the gateway was closed. Call it before close().',
    );
    gateway.listen();
    expect(() => gateway.listen()).toThrow('this gateway is already listening. Call gateway.listen() once');
    await gateway.faults.add('listRuns: 503');
    expect(await statusOf('https://gateway.test/v1/threads/thread_demo/runs')).toBe(503);
    const server = await startServer();
    const session = server.session('s');
    await server.close();
    await expect(session.clock.now()).rejects.toThrow('Failed to call clock.now: the gateway was closed.');
  });

  test('under a base URL of its own, everything is answered, and everything else is left to others', async () => {
    interceptGateway({ baseUrl: 'https://gateway.test/eu/v1/' });
    expect(await statusOf('https://gateway.test/eu/v1/batches')).toBe(200);
    expect(await statusOf('https://gateway.test/eu/v1/models')).toBe(404);
    expect(await statusOf('https://gateway.test/eu/v1/batches', { method: 'PUT' })).toBe(405);
    await expectUnhandled(fetch('https://gateway.test/v1/batches'));
    await expectUnhandled(fetch('https://gateway.test/eu/v10/batches'));
    await expectUnhandled(fetch('https://other.test/eu/v1/batches'));
  });

  test('a base URL that names a session serves that session', async () => {
    const gateway = interceptGateway({ baseUrl: 'https://gateway.test/sessions/mine/v1' });
    const reply = await fetch('https://gateway.test/sessions/mine/v1/batches', { headers: keys });
    expect(reply.headers.get('x-mock-session')).toBe('mine');
    expect(await gateway.sessions.list()).toContain('mine');
  });
});

/** A body that fails after its first half. */
const breakingBody = (): ReadableStream => {
  const chunks = ['half'];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.pop();
      if (chunk === undefined) controller.error(new Error('on purpose'));
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
};

/** A body of one chunk, which need not be bytes. */
const toStream = (chunk: unknown) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(chunk);
      controller.close();
    },
  });

describe("the server with a user's own handlers", () => {
  test('asks them first, and answers what they leave', async () => {
    const { baseUrl } = await openServer({
      handlers: [http.get('*/v1/models', () => HttpResponse.json({ data: [] }))],
    });
    expect(await (await fetch(`${baseUrl}/models`)).json()).toEqual({ data: [] });
    expect([await statusOf(`${baseUrl}/batches`), await statusOf(`${baseUrl}/nothing`)]).toEqual([200, 404]);
  });

  // An error of a body has no handler of its own in MSW's middleware: it would end the process.
  test.each<[title: string, own: () => unknown, status: number, text: unknown]>([
    ['an object', () => ({ status: 200 }), 500, expect.stringContaining('returned no Response')],
    ['a body of numbers', () => new Response(toStream(5)), 200, ''],
    ['a body that breaks off', () => new Response(breakingBody()), 200, 'half'],
    ['a network error', () => HttpResponse.error(), 502, expect.stringContaining('')],
    ['a trailer', () => new Response('own', { headers: { trailer: 'x-t' } }), 200, 'own'],
    [
      'an error that names a path',
      () => {
        throw Object.assign(new Error('ENOENT: open /home/ada/x'), { code: 'ENOENT' });
      },
      500,
      expect.stringMatching(/One of your handlers threw: ENOENT"/),
    ],
  ])('survives %s', async (_title, own, status, text) => {
    const output = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => output.mockRestore());
    const { baseUrl } = await openServer({ handlers: [http.all('*/v1/own', own as () => Response)] });
    const reply = await fetch(`${baseUrl}/own`);
    expect([reply.status, await reply.text()]).toEqual([status, text]);
    expect((await fetch(`${baseUrl}/own`, { method: 'HEAD' })).status).toBe(status);
    expect(await statusOf(`${baseUrl}/batches`)).toBe(200);
  });
});
