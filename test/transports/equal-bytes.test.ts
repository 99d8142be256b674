import { expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { isMsw2 } from '../support/installed-msw.ts';
import { keys, transports } from '../support/transports.ts';
import { withoutWorld } from '../support/without-world.ts';

const runs = '/threads/thread_demo/runs';
const json = { ...keys, 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body,
});
const policy = '/policies/rate-limits/11111111-1111-4111-8111-111111111111';

/** Calls of every operation, right and wrong, in one order: the ids of the requests follow from it. */
const calls: readonly (readonly [path: string, init?: RequestInit])[] = [
  [runs],
  [`${runs}?limit=100&order=asc`],
  ['/threads/thread_small/runs?limit=3'],
  ['/threads/th%20r%C3%A9ad/runs'],
  ['/threads/%zz/runs'],
  ['/threads/%00/runs'],
  ['/threads/../threads/thread_small/runs'],
  ['/batches?limit=100'],
  ['/batches?limit=0'],
  ['/batches?limit=a+b&x=%'],
  ['/batches', { method: 'HEAD', headers: keys }],
  ['/batches', { method: 'OPTIONS', headers: keys }],
  ['/batches', { method: 'DELETE', headers: keys }],
  ['/batches', { method: 'PUT', headers: json, body: '{}' }],
  ['/batches', { headers: { ...keys, origin: 'https://app.test', 'x-gateway-trace-id': 'abc' } }],
  [
    '/batches',
    {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.test',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-a,x-b',
      },
    },
  ],
  ['/batches', { headers: { 'x-gateway-api-key': 'k' } }],
  ['/batches', { headers: {} }],
  ['/fine_tuning/jobs/ftjob_demo/checkpoints?limit=41'],
  [policy],
  [`${policy}?status=archived`],
  [
    '/prompts/prompt_welcome/render',
    post('{"variables":{"name":"Ádám 🎉 <b>","question":"\\"quoted\\"\\n$&"}}'),
  ],
  [
    '/prompts/prompt_support/render',
    post('{"variables":{"orders":[{"id":1},{"id":2}]},"stream":false,"temperature":1}'),
  ],
  [
    '/prompts/prompt_versions@3/render',
    post('{"variables":{"text":"x"},"messages":[{"role":"user","content":"{{y}}"}]}'),
  ],
  ['/prompts/prompt_versions%40first/render', post('{"variables":{}}')],
  ['/prompts/prompt_welcome/render', post('{"variables":')],
  ['/prompts/prompt_welcome/render', post('')],
  ['/prompts/prompt_welcome/render', post('{}', { ...keys, 'content-type': 'text/plain' })],
  ['/prompts/prompt_welcome/render', { headers: keys }],
  ['/nothing/here'],
  ['/'],
];

/** What takes the place of the reply, or changes it. How replies are late or broken off: the tests of faults. */
const kinds = [
  ...['503', '429 retry-after=7 message="Not so fast" code=slow param=limit header.x-more=yes'],
  ...['reply 299 header.x-a=1 body="grün ✓"', 'reply body={"a":1}', 'reply 204 body=none', 'reply 304'],
  ...['reply body=<h1>Log-in</h1> header.content-type=text/html', 'html-error 503', 'malformed-json'],
  ...['truncated-json', 'empty-body', 'wrong-content-type text/html', 'delay 1ms', 'drip 9ms'],
];

/** Each kind for a GET and a HEAD, and a call after them. */
const faulted = {
  options: { faults: kinds.map((kind, at) => `listBatches#${2 * at + 1}-${2 * at + 2}: ${kind}`) },
  calls: [...kinds.flatMap(() => [{}, { method: 'HEAD' }]), {}].map((init): (typeof calls)[number] => [
    '/batches?limit=3',
    { headers: keys, ...init },
  ]),
};

/** These belong to the connection, or depend on the time. */
const transport = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

const record = async (baseUrl: string, sent = calls) => {
  const seen: { readonly path: string; readonly status: number }[] = [];
  for (const [path, init] of sent) {
    const reply = await fetch(baseUrl + path, { headers: keys, ...init });
    const headers = Object.entries(withoutWorld(reply.headers)).filter(([name]) => !transport.includes(name));
    const answered = {
      path,
      status: reply.status,
      statusText: reply.statusText,
      headers,
      body: Buffer.from(await reply.arrayBuffer()).toString('latin1'),
    };
    seen.push(answered);
  }
  return seen;
};

/** What each transport answers to the calls, by its name. */
const recordAll = async (sent: typeof calls, options: GatewayOptions = {}) => {
  const seen: Record<string, Awaited<ReturnType<typeof record>>> = {};
  for (const [name, start] of Object.entries(transports)) {
    if (name === 'the server through MSW' && !isMsw2) {
      console.info(`Left out: ${name}, which needs MSW 2.`);
      continue;
    }
    const transport = await start(options);
    seen[name] = await record(transport.baseUrl, sent);
    await transport.reset();
    const again = await record(transport.baseUrl, sent);
    await transport.close();
    expect([name, again]).toEqual([name, seen[name]]);
  }
  return Object.entries(seen);
};

test('all transports answer the same calls by the same bytes, and again when they are reset', async () => {
  const [[, first] = ['', []], ...others] = await recordAll(calls);
  expect(first).toHaveLength(calls.length);
  for (const [name, replies] of others) expect([name, replies]).toEqual([name, first]);
});

test('all transports send what a fault makes of a reply by the same bytes', async () => {
  const [[, first] = ['', []], ...others] = await recordAll(faulted.calls, faulted.options);
  expect(first.filter((_, at) => at % 2 === 0).map(({ status }) => status)).toEqual([
    ...[503, 429, 299, 200, 204, 304, 200, 503],
    ...Array(7).fill(200),
  ]);
  for (const [name, replies] of others) expect([name, replies]).toEqual([name, first]);
});
