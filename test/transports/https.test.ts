// HTTPS: Node's own clients, and what differs from plain HTTP.
import { request as requestHttps } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { type ServerOptions, startServer } from '../../src/server.ts';
import { type Certificate, hasOpenssl, makeCertificate } from '../support/certificate.ts';
import { openServer } from '../support/open-gateway.ts';
import { toBytes } from '../support/raw-http.ts';
import { keys } from '../support/transports.ts';

const hasTool = hasOpenssl('the tests of HTTPS');

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const open = async (options: ServerOptions = {}) => {
  const certificate = makeCertificate();
  const server = await openServer({ ...options, tlsCert: certificate.cert, tlsKey: certificate.key });
  return { server, certificate, ...clientsOf(server.url, certificate) };
};

const clientsOf = (url: string, { cert }: Certificate) => {
  const { port } = new URL(url);
  return {
    /** A call over HTTP/1.1. */
    get: (path: string, headers: Record<string, string> = keys): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const asked = requestHttps(url + path, { ca: cert, headers, agent: false }, async (response) => {
          const { statusCode: status, headers: received } = response;
          readText(response).then((body) => resolve({ status, headers: received, body }), reject);
        });
        asked.on('error', reject).end();
      }),
    openTls: (ALPNProtocols: string[]) =>
      connectTls({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca: cert, ALPNProtocols }),
  };
};

describe.skipIf(!hasTool)('HTTPS', () => {
  test.each(['direct', 'msw'] as const)('answers as plain HTTP does (transport: %s)', async (transport) => {
    const plain = await openServer();
    const expected = await (await fetch(`${plain.baseUrl}/batches?limit=3`, { headers: keys })).text();
    const { server, get } = await open({ transport });
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect([server.baseUrl, server.adminUrl]).toEqual([`${server.url}/v1`, `${server.url}/__admin`]);
    expect(await get('/v1/batches?limit=3')).toMatchObject({ status: 200, body: expected });
  });

  test('answers HTTP/1.1 where the client offers HTTP/2, too', async () => {
    const { openTls } = await open();
    const socket = openTls(['h2', 'http/1.1']);
    socket.end(toBytes('GET /healthz HTTP/1.1', { connection: 'close' }));
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('resets the connection for a reset, and ends it half way for a hang-up', async () => {
    const { get } = await open({ faults: ['listBatches#1: reset', 'listBatches#2: hang-up'] });
    await expect(get('/v1/batches')).rejects.toMatchObject({ message: 'read ECONNRESET' });
    await expect(get('/v1/batches')).rejects.toMatchObject({ code: 'ECONNRESET', message: 'aborted' });
    expect((await get('/v1/batches')).status).toBe(200);
  });

  test('refuses invalid HTTP in JSON, and closes a connection of plain HTTP', async () => {
    const { server, openTls } = await open();
    const socket = openTls(['http/1.1']);
    socket.end('NONSENSE\r\n\r\n');
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 400 .*"Invalid HTTP request\."/s);
    const plain = connectTcp(Number(new URL(server.url).port), '127.0.0.1');
    plain.write('GET / HTTP/1.1\r\n\r\n');
    expect(await readText(plain).catch(() => '')).not.toContain('HTTP/1.1 200');
  });

  test('has a page and an admin API whose origin begins with https', async () => {
    const { server, get } = await open();
    const own = await get('/__admin/scenario/current', {
      origin: server.url,
      'sec-fetch-site': 'same-origin',
    });
    expect(own.status).toBe(200);
    expect((await get('/__admin/scenario/current', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await get('/', { accept: 'text/html' })).headers.location).toBe('__admin/');
  });

  test('closes with open connections of each kind, and one that never spoke TLS', async () => {
    const certificate = makeCertificate();
    const server = await startServer({ tlsCert: certificate.cert, tlsKey: certificate.key });
    const { openTls } = clientsOf(server.url, certificate);
    const idle = openTls(['http/1.1']).on('error', () => {});
    const silent = connectTcp(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
    const closed = [idle, silent].map((one) => new Promise((done) => one.once('close', done)));
    await new Promise((done) => idle.once('secureConnect', done));
    await server.close();
    await Promise.all(closed);
  });

  test.each([
    ['only the certificate', ({ cert }: Certificate) => ({ tlsCert: cert }), 'tlsKey (--tls-key) is missing'],
    [
      'the key of another certificate',
      ({ cert }: Certificate) => ({ tlsCert: cert, tlsKey: makeCertificate().key }),
      'tlsKey is not the key of tlsCert',
    ],
  ])('is refused with %s', async (_name, toOptions, message) => {
    await expect(startServer(toOptions(makeCertificate()))).rejects.toThrow(
      `Failed to serve HTTPS: ${message}`,
    );
  });
});
