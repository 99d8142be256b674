// HTTPS, and HTTP/2 over it: Node's own clients, openssl, and what differs from plain HTTP.
import { spawn } from 'node:child_process';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { HttpResponse, http } from 'msw';
import { describe, expect, onTestFinished, test } from 'vitest';
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
    /** A connection of HTTP/2. */
    openHttp2: (): ClientHttp2Session => {
      const session = connectHttp2(url, { ca: cert });
      session.on('error', () => {});
      onTestFinished(() => session.destroy());
      return session;
    },
    /** A TLS connection, with the protocols that it offers. */
    openTls: (ALPNProtocols: string[]) =>
      connectTls({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca: cert, ALPNProtocols }),
  };
};

/** One call over HTTP/2, on a stream of its own. It fails as the stream does. */
const send = (
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ...keys, ...headers }, { endStream: body === undefined });
    let answered: Record<string, unknown> = {};
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (received) => {
      answered = received;
    });
    stream.on('data', (chunk: string) => {
      text += chunk;
    });
    stream.on('error', (error) => reject(Object.assign(error, { body: text })));
    stream.on('end', () => resolve({ status: Number(answered[':status']), headers: answered, body: text }));
    if (body !== undefined) stream.end(body);
  });

const broken = `Stream closed with error code NGHTTP2_INTERNAL_ERROR`;

describe.skipIf(!hasTool)('HTTPS', () => {
  test.each([true, false])('answers as plain HTTP does (direct: %j)', async (direct) => {
    const plain = await openServer();
    const expected = await (await fetch(`${plain.baseUrl}/batches?limit=3`, { headers: keys })).text();
    const { server, get } = await open({ direct });
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect([server.baseUrl, server.adminUrl]).toEqual([`${server.url}/v1`, `${server.url}/__admin`]);
    expect(await get('/v1/batches?limit=3')).toMatchObject({ status: 200, body: expected });
  });

  test('is verified by openssl s_client, which negotiates HTTP/1.1 or HTTP/2', async () => {
    const { server, certificate } = await open();
    const { host } = new URL(server.url);
    for (const protocol of ['http/1.1', 'h2']) {
      const args = ['-connect', host, '-CAfile', certificate.certPath, '-alpn', protocol, '-brief'];
      const client = spawn('openssl', [
        's_client',
        ...args,
        '-verify_return_error',
        '-verify_ip',
        '127.0.0.1',
      ]);
      client.stdin.end();
      const said = (await Promise.all([readText(client.stdout), readText(client.stderr)])).join('');
      expect(said).toContain('Verification: OK');
    }
  });

  test('is reached without ALPN', async () => {
    const { openTls } = await open();
    const socket = openTls([]);
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
    const own = await get('/__admin/scenario', { origin: server.url, 'sec-fetch-site': 'same-origin' });
    expect(own.status).toBe(200);
    expect((await get('/__admin/scenario', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await get('/', { accept: 'text/html' })).headers.location).toBe('__admin/');
  });

  test('closes with open connections of each kind, and one that never spoke TLS', async () => {
    const certificate = makeCertificate();
    const server = await startServer({ tlsCert: certificate.cert, tlsKey: certificate.key });
    const { openHttp2, openTls } = clientsOf(server.url, certificate);
    const session = openHttp2();
    expect((await send(session, '/healthz')).status).toBe(200);
    const idle = openTls(['http/1.1']).on('error', () => {});
    const silent = connectTcp(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
    const closed = [session, idle, silent].map((one) => new Promise((done) => one.once('close', done)));
    await new Promise((done) => idle.once('secureConnect', done));
    await server.close();
    await Promise.all(closed);
  });

  test.each([
    ['only the certificate', ({ cert }: Certificate) => ({ tlsCert: cert }), 'tlsKey is missing.'],
    ['only the key', ({ key }: Certificate) => ({ tlsKey: key }), 'tlsCert is missing.'],
    [
      'a certificate that is none',
      ({ key }: Certificate) => ({ tlsCert: 'cert.pem', tlsKey: key }),
      'tlsCert is not a certificate in PEM',
    ],
    [
      'a key that is none',
      ({ cert }: Certificate) => ({ tlsCert: cert, tlsKey: cert }),
      'tlsKey is not a private key in PEM without a passphrase',
    ],
    [
      'the key of another certificate',
      ({ cert }: Certificate) => ({ tlsCert: cert, tlsKey: makeCertificate().key }),
      'tlsKey is not the key of tlsCert.',
    ],
  ])('is refused with %s', async (_name, toOptions, message) => {
    await expect(startServer(toOptions(makeCertificate()))).rejects.toThrow(
      `Failed to serve HTTPS: ${message}`,
    );
  });
});

describe.skipIf(!hasTool)('HTTP/2', () => {
  test('answers with the same bytes as HTTP/1.1, many calls on one connection', async () => {
    const { get, openHttp2 } = await open();
    const session = openHttp2();
    const { headers, body } = await get('/v1/batches?limit=5');
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(session, '/v1/batches?limit=5')));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body });
    expect(answers[0]?.headers['content-length']).toBe(headers['content-length']);
    expect(session.alpnProtocol).toBe('h2');
    expect(await send(session, '/v1/batches', { ':method': 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    });
  });

  test('reads a body with and without its length', async () => {
    const { openHttp2 } = await open();
    const session = openHttp2();
    const body = '{"variables":{"name":"Ada"}}';
    const json = { ':method': 'POST', 'content-type': 'application/json' };
    for (const length of [{}, { 'content-length': String(body.length) }]) {
      const rendered = await send(session, '/v1/prompts/prompt_welcome/render', { ...json, ...length }, body);
      expect(rendered.status).toBe(200);
      expect(rendered.body).toContain('Ada');
    }
    const large = 'x'.repeat(11_000_000);
    expect((await send(session, '/v1/prompts/prompt_welcome/render', json, large)).status).toBe(413);
  });

  test('names the host in the journal, and no pseudo-header', async () => {
    const { server, openHttp2 } = await open();
    await send(openHttp2(), '/v1/batches');
    const [request] = await server.requests.list();
    expect(request?.headers.host).toBe(new URL(server.url).host);
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith(':'))).toEqual([]);
  });

  test('has its authority as the host of the admin API', async () => {
    const { server, openHttp2 } = await open();
    const session = openHttp2();
    expect((await send(session, '/__admin/scenario', { origin: server.url })).status).toBe(200);
    const foreign = { ':authority': 'evil.example', host: 'localhost' };
    expect((await send(session, '/__admin/scenario', foreign)).status).toBe(403);
    expect((await send(session, '/__admin/scenario', { origin: 'https://evil.example' })).status).toBe(403);
  });

  test('resets the stream of a reset, and leaves the connection', async () => {
    const { openHttp2 } = await open({ faults: ['listBatches#2: reset'] });
    const session = openHttp2();
    const calls = [1, 2, 3].map(() => send(session, '/v1/batches'));
    const [first, second, third] = await Promise.allSettled(calls);
    expect(first).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    expect(second).toMatchObject({ status: 'rejected', reason: { message: broken, body: '' } });
    expect(third).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    expect((await send(session, '/v1/batches')).status).toBe(200);
    expect([session.closed, session.destroyed]).toEqual([false, false]);
  });

  test.each([
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'transfer-encoding',
    'upgrade',
    'http2-settings',
  ])('has no fault that sets %s, which it forbids', async (header) => {
    const fault = `listBatches: 503 header.${header}=x`;
    await expect(startServer({ faults: [fault] })).rejects.toThrow(
      `a fault cannot set the header "${header}"`,
    );
  });

  test('ends the stream of a hang-up half way', async () => {
    const { openHttp2 } = await open({ faults: ['listBatches#2: hang-up'] });
    const session = openHttp2();
    const { body } = await send(session, '/v1/batches');
    const half = body.slice(0, Math.floor(body.length / 2));
    await expect(send(session, '/v1/batches')).rejects.toMatchObject({ message: broken, body: half });
    expect((await send(session, '/v1/batches')).status).toBe(200);
  });

  test('drips and delays one stream, while others are answered', async () => {
    const { openHttp2 } = await open({ faults: ['listBatches#1: drip 300ms', 'listRuns#1: delay 300ms'] });
    const session = openHttp2();
    const ended: string[] = [];
    const note = async (name: string, path: string) => {
      expect((await send(session, path)).status).toBe(200);
      ended.push(name);
    };
    const slow = [note('drip', '/v1/batches'), note('delay', '/v1/threads/thread_demo/runs')];
    await note('plain', '/v1/batches');
    expect(ended).toEqual(['plain']);
    await Promise.all(slow);
  });

  test('forgets a delayed reply of a client that cancels its stream', async () => {
    const { server, openHttp2 } = await open({ faults: ['listBatches#1: delay 600s'] });
    const session = openHttp2();
    const stream = session.request({ ':path': '/v1/batches', ...keys });
    stream.on('error', () => {});
    await server.requests.wait({ operation: 'listBatches' });
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(async () => (await server.requests.list())[0]?.duration).toEqual(expect.any(Number));
    expect((await send(session, '/v1/batches')).status).toBe(200);
  });

  test('streams events, and ends them with their stream', async () => {
    const { openHttp2 } = await open();
    const session = openHttp2();
    const stream = session.request({ ':path': '/__admin/events' });
    stream.setEncoding('utf8');
    let text = '';
    stream.on('data', (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => text).toContain(': gateway-mock');
    await send(session, '/v1/batches');
    await expect.poll(() => text).toContain('event: request');
    stream.close(constants.NGHTTP2_CANCEL);
    expect((await send(session, '/v1/batches')).status).toBe(200);
  });

  test('has at most 100 streams of one connection under way', async () => {
    const { server, openHttp2 } = await open({ faults: ['listBatches: delay 60s'] });
    const session = openHttp2();
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    for (let call = 0; call < 150; call += 1) send(session, '/v1/batches?limit=1').catch(() => {});
    await server.requests.wait({}, { count: 100 });
    const further = server.requests.wait({}, { count: 101, timeout: 500 });
    await expect(further).rejects.toThrow('100');
  });

  test('is not offered with handlers of one’s own, which Express serves', async () => {
    const handlers = [http.get('*/own', () => HttpResponse.text('own'))];
    const { get, openTls } = await open({ handlers });
    expect((await get('/own')).body).toBe('own');
    const socket = openTls(['h2', 'http/1.1']);
    await new Promise((done) => socket.once('secureConnect', done));
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });
});
