// Every kind of fault as it is on the wire, on each transport over HTTP.
import { createMiddleware } from '@mswjs/http-middleware';
import express, { type RequestHandler } from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGateway } from '../../src/service/gateway/create-gateway.ts';
import { call, httpTransports, type Received, receive, withoutLeak } from '../support/faults.ts';
import { openListener } from '../support/listen.ts';
import { openServer } from '../support/open-gateway.ts';
import { openSocket, toBytes } from '../support/raw-http.ts';

const path = '/v1/batches?limit=3';

interface FaultCase {
  readonly fault: string;
  /** @param plain what comes without the fault */
  readonly check: (received: Received, plain: Received) => void;
}

/** The answer has come to its end, as long as it says. */
const expectWhole = ({ ending, header, body }: Received): void => {
  expect(ending).toBe('end');
  expect(Number(header('content-length'))).toBe(Buffer.byteLength(body));
};

/** One of each way in which bytes are sent. What each kind replies: src/core/faults/change-reply.test.ts, and equal-bytes.test.ts. */
const cases: readonly FaultCase[] = [
  {
    fault: 'reply 202',
    check: ({ status, body, header, ending }) => {
      expect([status, ending]).toEqual([202, 'end']);
      expect(body).toBe(header('transfer-encoding') === 'chunked' ? '0\r\n\r\n' : '');
    },
  },
  {
    fault: 'reset',
    check: ({ status, body, ending, pieces }) =>
      expect({ status, body, ending, pieces }).toEqual({
        status: undefined,
        body: '',
        ending: 'ECONNRESET',
        pieces: 0,
      }),
  },
  {
    fault: 'hang-up',
    check: ({ status, body, header, ending }, plain) => {
      expect([status, ending]).toEqual([200, 'end']);
      const whole = Buffer.from(plain.body);
      expect(Number(header('content-length'))).toBe(whole.byteLength);
      expect(body).toBe(whole.subarray(0, Math.floor(whole.byteLength / 2)).toString());
    },
  },
  {
    fault: 'drip 200ms',
    check: (received, plain) => {
      expectWhole(received);
      expect([received.status, received.body]).toEqual([200, plain.body]);
      expect(received.pieces).toBeGreaterThan(3);
      expect(received.took).toBeGreaterThan(150);
    },
  },
  {
    fault: 'delay 100ms..200ms',
    check: (received, plain) => {
      expectWhole(received);
      expect(received.body).toBe(plain.body);
      expect(received.took).toBeGreaterThan(95);
    },
  },
];

describe.each(httpTransports)('over %s', (_name, serve) => {
  test.each(cases)(
    '$fault is on the wire as it says, HEAD gets its head, and the next call is answered rightly',
    async ({ fault, check }) => {
      const served = await serve();
      const plain = await call(served, path);
      await served.gateway.faults.add(`listBatches: ${fault}`);
      await withoutLeak(async () => {
        const received = await call(served, path);
        check(received, plain);
        if (received.status !== undefined) expect(received.header('x-mock-fault')).toMatch(/^listBatches: /);
        const head = await call(served, path, { method: 'HEAD' });
        expect([head.status, head.body, head.ending]).toEqual([received.status, '', received.ending]);
        expect(head.header('content-type')).toBe(received.header('content-type'));
        if (received.body !== '')
          expect(head.header('content-length')).toBe(received.header('content-length'));
        await served.gateway.faults.clear();
        const next = await call(served, path);
        expectWhole(next);
        expect([next.status, next.body, next.header('x-mock-fault')]).toEqual([200, plain.body, null]);
      });
    },
  );

  test('a client that leaves before its answers begin leaves nothing behind', async () => {
    const served = await serve({ faults: ['*: delay 60s'] });
    const mount = new URL(served.url).pathname.replace(/^\/$/, '');
    await withoutLeak(async () => {
      for (let clients = 0; clients < 5; clients += 1) {
        const socket = await openSocket(served.url);
        socket.write(toBytes(`GET ${mount}${path} HTTP/1.1`).repeat(2));
        socket.destroy();
      }
      // A server may leave the second call of each connection: nobody would get its answer.
      await served.gateway.requests.wait({}, { count: 5, until: 'arrival' });
      const durations = async () => (await served.gateway.requests.list()).map(({ duration }) => duration);
      await expect.poll(durations).not.toContain(null);
    });
  });
});

describe('pipelined calls on one connection', () => {
  const two = toBytes(`GET ${path} HTTP/1.1`) + toBytes(`GET ${path} HTTP/1.1`, { connection: 'close' });

  test('are answered in their order, however many they are and however late the first is', async () => {
    const { url } = await openServer({ faults: ['listBatches#1: delay 100ms', 'listBatches#12: 503'] });
    const warn = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warn.mockRestore());
    const twelve = toBytes(`GET ${path} HTTP/1.1`).repeat(10) + two;
    const { status, body, ending } = await receive(url, twelve);
    expect([status, ending, warn.mock.calls]).toEqual([200, 'end', []]);
    expect(body).toMatch(/\}HTTP\/1\.1 503 /);
  });

  test.each(['reset', 'hang-up'])(
    'end with the %s of the second, once the first has gone out',
    async (kind) => {
      const { url, sessions } = await openServer({
        faults: ['listBatches#1: delay 100ms', `listBatches#2: ${kind}`],
      });
      const plain = await call({ url }, path, { 'x-mock-session': 'other' });
      await sessions.delete('other');
      await withoutLeak(async () => {
        const { status, body, ending } = await receive(url, two);
        expect(status).toBe(200);
        // A reset that comes together with bytes is an end to the reader of a socket in Node.
        expect(['end', ...(kind === 'reset' ? ['ECONNRESET'] : [])]).toContain(ending);
        expect(body.includes('HTTP/1.1 200')).toBe(kind !== 'reset');
        expect(body.length).toBeGreaterThanOrEqual(plain.body.length);
      });
    },
  );
});

test("in MSW's own middleware, faults of the connection become a 502 that says so, and the process lives", async () => {
  const gateway = createGateway({
    faults: ['listBatches#1: reset', 'listBatches#2: hang-up', 'listBatches#3: delay 50ms'],
  });
  // Its types are those of an older Express and of MSW's CommonJS build, which are called the same way.
  const handler = createMiddleware(...(gateway.handlers as never[])) as unknown as RequestHandler;
  const url = await openListener(express().use(handler));
  await withoutLeak(async () => {
    for (const kind of ['reset', 'hang-up']) {
      const { status, header, body } = await call({ url }, path);
      expect([status, header('content-type')]).toEqual([502, 'application/json']);
      expect(JSON.parse(body).message).toContain(`"listBatches#${kind === 'reset' ? 1 : 2}: ${kind}"`);
      expect(JSON.parse(body).message).toContain('startServer()');
    }
    const late = await call({ url }, path);
    expect(late.status).toBe(200);
    expect(late.took).toBeGreaterThan(45);
    expect((await call({ url }, path)).header('x-mock-fault')).toBeNull();
  });
  expect((await gateway.requests.list()).map(({ duration }) => typeof duration)).not.toContain('object');
});
