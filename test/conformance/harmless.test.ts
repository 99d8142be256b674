// No false alarms: what the wire and the servers on the way may do to a true reply fails no check.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checks } from '../../src/conformance/checks.ts';
import { createHttpTarget } from '../../src/conformance/client.ts';
import { toTable } from '../../src/conformance/run/report.ts';
import { type CheckReport, runChecks } from '../../src/conformance/run/run-checks.ts';
import type { Reply } from '../../src/protocol/call.ts';
import { createAnswerTarget, findSamplesOf } from '../support/check-targets.ts';
import { openListener } from '../support/listen.ts';
import { openGateway } from '../support/open-gateway.ts';
import { isFull } from '../support/settings.ts';

/** In `npm test`, without those that make the same call eleven times. */
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

const writeZipped: Write = (reply, response, request) => {
  const { status, headers, body } = reply;
  if (!request.headers['accept-encoding']?.includes('gzip')) return write(reply, response, request);
  response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(body ?? ''));
};

let calls = 0;
const refuseSome: Write = (reply, response, request) => {
  calls += 1;
  if (calls % 40 > 0) return write(reply, response, request);
  response.writeHead(429, { 'retry-after': '0.001', 'content-type': 'text/plain' }).end('Slow down.');
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
  ['are compressed', writeZipped],
  ['are refused now and then, with retry-after', refuseSome],
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

test.each(harmless)(
  'where true replies %s, each check ends as it does without a wire',
  async (_what, how) => {
    const report = await runOver(how);
    expect(outcomesOf(report)).toEqual(straight);
    expect(Object.values(straight)).not.toContain('failed');
    const again = `(${report.waits} of them again, as the target asked to wait)`;
    expect(toTable(report).includes(again)).toBe(how === refuseSome);
  },
);
