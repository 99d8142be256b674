// No false alarms: what the wire and the servers on the way may do to a true reply fails no check.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Reply } from '../../src/core/protocol/call.ts';
import { parseJson, toJsonText } from '../../src/core/util/json.ts';
import { isMapping } from '../../src/core/util/mapping.ts';
import { checks } from '../../src/tools/conformance/checks.ts';
import { createHttpTarget } from '../../src/tools/conformance/client.ts';
import { toTable } from '../../src/tools/conformance/run/report.ts';
import { type CheckReport, runChecks } from '../../src/tools/conformance/run/run-checks.ts';
import { createAnswerTarget, findSamplesOf } from '../support/check-targets.ts';
import { openListener } from '../support/listen.ts';
import { openGateway } from '../support/open-gateway.ts';
import { isFull } from '../support/settings.ts';

/** In `npm test`, without those that make the same call sixteen times. */
const chosen = isFull ? checks : checks.filter(({ id }) => !id.endsWith('-repeated'));

/** How a reply is written. */
type Write = (reply: Reply, response: ServerResponse, request: IncomingMessage) => void;

const write: Write = ({ status, headers, body }, response) => response.writeHead(status, headers).end(body);

/** Changes the text of replies. */
const inText =
  (change: (body: string) => string): Write =>
  (reply, response, request) =>
    write({ ...reply, body: reply.body && change(reply.body) }, response, request);

const escapeUnicode = (body: string): string =>
  body.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Not by `JSON.parse`, which would change large numbers. */
const addWhitespace = (body: string): string =>
  body.replace(/"(?:[^"\\]|\\.)*"|[,:[{]/g, (token) => (token.startsWith('"') ? token : `${token}\r\n\t `));

/** Bytes are cut without regard to letters. */
const writeChunks: Write = ({ status, headers, body }, response) => {
  response.writeHead(status, headers);
  const bytes = Buffer.from(body ?? '');
  const size = Math.ceil(bytes.length / 3);
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
  response.end();
};

const writeZipped =
  (encoding: string, zip: (body: string) => Buffer): Write =>
  (reply, response, request) => {
    const { status, headers, body } = reply;
    if (!request.headers['accept-encoding']?.includes(encoding)) return write(reply, response, request);
    const { 'content-length': _, ...others } = headers;
    response.writeHead(status, { ...others, 'content-encoding': encoding }).end(zip(body ?? ''));
  };

/** Refuses every fortieth call for now. */
const refuseSome = (status: number, retryAfter: () => string): Write => {
  let calls = 0;
  return (reply, response, request) => {
    calls += 1;
    if (calls % 40 > 0) return write(reply, response, request);
    response
      .writeHead(status, { 'retry-after': retryAfter(), 'content-type': 'text/plain' })
      .end('Slow down.');
  };
};

const inHeaders =
  (change: (headers: Reply['headers']) => Record<string, string | string[]>): Write =>
  ({ status, headers, body }, response) =>
    response.writeHead(status, change(headers)).end(body);

/** Changes each object of a reply. Large numbers stay as they are. */
const inObjects = (change: (fields: [string, unknown][]) => [string, unknown][]): Write => {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isMapping(value)) return value;
    return Object.fromEntries(change(Object.entries(value).map(([name, inner]) => [name, walk(inner)])));
  };
  return inText((body) => toJsonText(walk(parseJson(body))));
};

/** Reverses every third object. */
const reverseSome = () => {
  let objects = 0;
  return (fields: [string, unknown][]): [string, unknown][] => {
    objects += 1;
    return objects % 3 === 0 ? fields.toReversed() : fields;
  };
};

/** Changes what is not in a string. */
const inTokens = (change: (token: string) => string): Write =>
  inText((body) =>
    body.replace(/"(?:[^"\\]|\\.)*"|[^"]+/g, (token) => (token.startsWith('"') ? token : change(token))),
  );

const cache = new Map<string, Reply>();
const replyFromCache: Write = (reply, response, { method, url, headers }) => {
  const key = JSON.stringify([method, url, headers]);
  const known = cache.get(key);
  const kept = method === 'GET' && reply.status === 200 ? (known ?? reply) : reply;
  if (method === 'GET' && reply.status === 200) cache.set(key, kept);
  response.writeHead(kept.status, { ...kept.headers, age: '1', etag: '"1"' }).end(kept.body);
};

const harmless: readonly (readonly [what: string, how: Write])[] = [
  [
    'have their headers in another order and in upper case',
    ({ status, headers, body }, response) => {
      const reversed = Object.entries(headers).reverse();
      response
        .writeHead(
          status,
          reversed.flatMap(([name, value]) => [name.toUpperCase(), value]),
        )
        .end(body);
    },
  ],
  ['come in chunks', writeChunks],
  ['come a little later', (...args) => void setTimeout(() => write(...args), 1)],
  ['have escaped Unicode and more whitespace', inText((body) => addWhitespace(escapeUnicode(body)))],
  ['are compressed', writeZipped('gzip', gzipSync)],
  ['are refused now and then, with retry-after', refuseSome(429, () => '0.001')],
  ['are compressed by Brotli', writeZipped('br', brotliCompressSync)],
  [
    'cannot be given now and then, with a time for retry-after',
    refuseSome(503, () => new Date().toUTCString()),
  ],
  [
    'have more headers, and cookies',
    inHeaders((headers) => ({ ...headers, 'set-cookie': ['a=1; HttpOnly', 'b=2'], via: '1.1 proxy' })),
  ],
  [
    'name their charset, in another case',
    inHeaders((headers) => ({ ...headers, 'content-type': 'Application/JSON; charset="UTF-8"' })),
  ],
  ['close their connection', inHeaders((headers) => ({ ...headers, connection: 'close' }))],
  ['have their fields in another order', inObjects((fields) => fields.toReversed())],
  ['have their fields in an order that changes', inObjects(reverseSome())],
  [
    'have integers with a fraction of zero',
    inTokens((token) => token.replace(/(?<![\d.eE+-])-?\d+(?=[,}\]])/g, (digits) => `${digits}.0`)),
  ],
  ['have escaped slashes', inText((body) => body.replaceAll('/', '\\/'))],
  [
    'have date-times of another zone, with microseconds',
    inText((body) => body.replace(/"(\d{4}-\d\d-\d\dT[\d:]+)\.?\d*Z"/g, '"$1.123456+00:00"')),
  ],
  ['come from a cache', replyFromCache],
];

/** The gateway of the scenario `default` over HTTP, whose replies are written in some way. */
const runOver = async (how: Write): Promise<CheckReport> => {
  const { gateway, keys, send } = openGateway({ scenario: 'default' });
  const none = {
    'x-gateway-api-key': undefined,
    'x-gateway-virtual-key': undefined,
    'content-type': undefined,
  };
  const url = await openListener(async (request, response) => {
    const { method, url: path, headers } = request;
    const body = (await text(request)) || undefined;
    how(send({ method, path, headers: { ...none, ...headers } as typeof none, body }), response, request);
  });
  const { 'x-gateway-api-key': apiKey = '', 'x-gateway-virtual-key': virtualKey } = keys;
  const samples = await findSamplesOf('default', gateway);
  return runChecks(createHttpTarget(url, { apiKey, virtualKey }, samples), { checks: chosen });
};

const outcomesOf = ({ results }: CheckReport): Record<string, string> =>
  Object.fromEntries(results.map(({ check, outcome }) => [check.id, outcome]));

const opened = openGateway({ scenario: 'default' });
const straight = outcomesOf(
  await runChecks(await createAnswerTarget(opened, findSamplesOf('default', opened.gateway)), {
    checks: chosen,
  }),
);

test.each(harmless)('where true replies %s, each check ends as it does without a wire', async (what, how) => {
  const report = await runOver(how);
  expect(outcomesOf(report)).toEqual(straight);
  expect(Object.values(straight)).not.toContain('failed');
  const again = `(${report.waits} of them again, as the target asked to wait)`;
  expect(toTable(report).includes(again)).toBe(what.includes('now and then'));
});
