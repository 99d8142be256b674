// The journal, its filters, waits and walks show what a client got, whatever the gateway decided.
import { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import { defineCall } from '../../src/service/gateway/own-calls.ts';
import { openServer } from '../support/open-gateway.ts';
import { openSocket, toBytes } from '../support/raw-http.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { allTransports, keys } from '../support/transports.ts';

const scenario = { batches: 25 };

describe.each(Object.entries(allTransports))('over %s', (_name, start) => {
  const open = async (...faults: string[]) => {
    const transport = await start({ scenario, faults });
    onTestFinished(() => transport.close());
    const leave = new AbortController();
    const call = (query = '', init: RequestInit = {}) =>
      fetch(`${transport.baseUrl}/batches?${query}`, { headers: keys, signal: leave.signal, ...init });
    return { ...transport, call, leave, requests: transport.control.requests };
  };

  test('a reply that arrived is sent, with all its bytes', async () => {
    const { call, requests } = await open();
    const text = await (await call('limit=5')).text();
    await (await call('', { method: 'HEAD' })).text();
    await (await call('limit=x')).text();
    const bytes = Buffer.byteLength(text);
    expect(await requests.list()).toMatchObject([
      { outcome: 'sent', status: 200, bytes, reply: { body: text }, page: { has_more: true } },
      { outcome: 'sent', status: 200, bytes: 0, page: null },
      { outcome: 'sent', status: 400 },
    ]);
    expect(await requests.count({ outcome: 'sent' })).toBe(3);
  });

  test('a body that a fault has cut short is sent, although nobody reads it', async () => {
    const { call, requests } = await open('listBatches: truncated-json');
    await call();
    expect(await requests.wait()).toMatchObject([{ outcome: 'sent', bytes: expect.any(Number) }]);
  });

  test('a reply is pending until then, has no status, and is lost if the client leaves', async () => {
    const { call, leave, requests } = await open('listBatches: delay 60s');
    const calling = call().catch(() => {});
    const settled = requests.wait();
    const [pending] = await requests.wait({}, { until: 'arrival' });
    expect(pending).toMatchObject({
      outcome: 'pending',
      status: null,
      bytes: 0,
      reply: null,
      duration: null,
    });
    expect([await requests.count({ status: 'none' }), await requests.count({ outcome: 'pending' })]).toEqual([
      0, 1,
    ]);
    leave.abort();
    await calling;
    expect(await settled).toMatchObject([{ outcome: 'lost', status: null, reply: null, page: null }]);
    expect([await requests.count({ status: 'none' }), await requests.count({ status: 200 })]).toEqual([1, 0]);
  });

  test('a reply that the client leaves half way is cut there, and has the status that the client saw', async () => {
    const { call, leave, requests } = await open('listBatches: drip 60s');
    const body = (await call()).body?.getReader();
    const read = (await body?.read())?.value?.byteLength ?? Number.NaN;
    leave.abort();
    await body?.read().catch(() => {});
    const [request] = await requests.wait();
    expect(request).toMatchObject({ outcome: 'cut', status: 200, page: null });
    expect(request?.bytes).toBeGreaterThanOrEqual(read);
    expect(request?.reply?.body).toMatch(/^\{"object".*… \(cut: \d+ of \d+ bytes were sent\)$/s);
    expect(await requests.count({ status: 200, outcome: 'cut' })).toBe(1);
  });

  test('a hang-up cuts a reply, and a reset loses it', async () => {
    const { call, requests } = await open('listBatches#1: hang-up', 'listBatches#2: reset');
    const half = await call();
    await expect(half.text()).rejects.toThrow();
    await expect(call()).rejects.toThrow();
    const length = Number(half.headers.get('content-length'));
    expect(await requests.wait({}, { count: 2 })).toMatchObject([
      { outcome: 'cut', status: 200, bytes: Math.floor(length / 2) },
      { outcome: 'lost', status: null, bytes: 0 },
    ]);
  });

  test('a walk whose last page did not arrive is not complete, until that page is fetched again', async () => {
    const { call, leave, requests, control } = await open('listBatches#3: delay 60s');
    let after = '';
    const next = async (init?: RequestInit) => {
      const page = await (await call(`limit=10${after}`, init)).json();
      after = `&after=${page.last_id}`;
    };
    await next();
    await next();
    const last = next();
    await requests.wait({}, { count: 3, until: 'arrival' });
    expect(await requests.walk('listBatches')).toMatchObject({ stopped: false, exactlyOnce: false });
    leave.abort();
    await expect(last).rejects.toThrow();
    await requests.wait({ outcome: 'lost' });
    const walk = await requests.walk('listBatches');
    expect([walk.stopped, walk.exactlyOnce, walk.missed.length]).toEqual([false, false, 5]);
    await control.faults.clear();
    await next({ signal: null });
    expect(await requests.walk('listBatches')).toMatchObject({
      stopped: true,
      exactlyOnce: true,
      missed: [],
    });
  });
});

describe.each(['direct', 'msw'] as const)('over a connection (%s)', (transport) => {
  test('replies that are queued behind one that the client leaves are lost, each once', async () => {
    const outcomes: string[] = [];
    const server = await openServer({
      scenario,
      transport,
      faults: ['listBatches#1: delay 60s'],
      onCall: ({ outcome }) => outcomes.push(outcome),
    });
    const socket = await openSocket(server.url);
    socket.write(toBytes('GET /v1/batches HTTP/1.1').repeat(3));
    await server.requests.wait({}, { count: transport === 'direct' ? 3 : 1, until: 'arrival' });
    socket.destroy();
    await expect.poll(() => outcomes.length).toBeGreaterThanOrEqual(transport === 'direct' ? 3 : 1);
    expect(new Set(outcomes)).toEqual(new Set(['lost']));
    expect(await server.requests.count({ outcome: 'pending' })).toBe(0);
  });

  test('a body that the client stops reading is cut where the connection ended', async () => {
    const large = defineCall({
      id: 'getLarge',
      method: 'GET',
      path: '/large',
      handle: () => ({ text: 'x'.repeat(30_000_000) }),
    });
    const server = await openServer({ calls: [large], transport });
    const socket = await openSocket(server.url);
    socket.pause();
    socket.write(toBytes('GET /v1/large HTTP/1.1'));
    await server.requests.wait({}, { until: 'arrival' });
    await new Promise((done) => socket.once('readable', done)); // the first bytes have arrived
    socket.destroy();
    const [request] = await server.requests.wait();
    expect(request).toMatchObject({ outcome: 'cut', status: 200 });
    expect(request?.bytes).toBeGreaterThan(0);
    expect(request?.bytes).toBeLessThan(30_000_000);
  });

  test('a body of at most 256 kB is sent or lost as a whole, also if the client does not read', async () => {
    const page = defineCall({
      id: 'getPage',
      method: 'GET',
      path: '/page',
      handle: () => ({ text: 'x'.repeat(250_000) }),
    });
    const server = await openServer({ calls: [page], transport });
    const socket = await openSocket(server.url);
    socket.pause();
    socket.write(toBytes('GET /v1/page HTTP/1.1').repeat(40)); // more than the buffers of a connection hold
    await server.requests.wait({ outcome: 'sent' });
    socket.destroy();
    await expect.poll(() => server.requests.count({ outcome: 'pending' })).toBe(0);
    const ends = (await server.requests.list()).map(({ outcome, bytes }) => `${outcome} ${bytes}`);
    expect(['sent 250011', 'lost 0']).toEqual(expect.arrayContaining([...new Set(ends)]));
    expect(ends).toContain('sent 250011');
  });

  test('a text is sent in pieces if it has more than 256 kB, in however few characters', async () => {
    const getText = defineCall({
      id: 'getText',
      method: 'GET',
      path: '/text',
      handle: (_call, { reply }) => reply(200, 'é'.repeat(150_000)),
    });
    const server = await openServer({ calls: [getText], transport });
    const write = vi.spyOn(ServerResponse.prototype, 'write');
    onTestFinished(() => write.mockRestore());
    await (await fetch(`${server.baseUrl}/text`, { headers: keys })).text();
    expect(write.mock.calls.map(([piece]) => piece.length)).toEqual([256_000, 44_000]);
  });

  test('log and metrics know the session and the operation of a late reply whose client left', async () => {
    const getLate = defineCall({
      id: 'getLate',
      method: 'GET',
      path: '/late',
      handle: () => new Promise(() => {}),
    });
    const sessions: unknown[] = [];
    const server = await openServer({
      calls: [getLate],
      transport,
      onCall: ({ session, path, outcome }) => sessions.push([session, path, outcome]),
    });
    const arrived = server.session('mine').requests.wait({}, { until: 'arrival' });
    const socket = await openSocket(server.url);
    socket.write(toBytes('GET /sessions/mine/v1/late HTTP/1.1'));
    await arrived;
    socket.destroy();
    await expect.poll(() => sessions).toEqual([['mine', '/sessions/mine/v1/late', 'lost']]);
    const metrics = await readMetrics(server.adminUrl);
    expect(metrics.get('gateway_mock_request_duration_seconds_count{operation="getLate"}')).toBe(1);
  });
});

test('the event stream has the arrival of a request, and then what became of its reply', async () => {
  const server = await openServer({ scenario });
  const events = connect(server.url).events();
  const types: unknown[] = [];
  for await (const event of events) {
    if (event.type === 'open') await (await fetch(`${server.baseUrl}/batches`, { headers: keys })).text();
    if (event.type === 'request') types.push([event.request.outcome, event.request.status, event.request.id]);
    if (event.type === 'settled') {
      types.push([event.outcome, event.status, event.id]);
      break;
    }
  }
  expect(types).toEqual([
    ['pending', null, expect.stringMatching(/^req_/)],
    ['sent', 200, (types[0] as string[])[2]],
  ]);
});

test('a delayed reply whose client has left keeps no timer', async () => {
  const server = await openServer({ faults: ['listBatches: delay 61s'] });
  const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  onTestFinished(() => void vi.restoreAllMocks());
  const socket = await openSocket(server.url);
  socket.write(toBytes('GET /v1/batches HTTP/1.1'));
  const begun = () => set.mock.results.find((_, at) => set.mock.calls[at]?.[1] === 61_000)?.value;
  await expect.poll(begun).toBeDefined();
  socket.destroy();
  await expect.poll(() => clear.mock.calls.some(([timer]) => timer === begun())).toBe(true);
});
