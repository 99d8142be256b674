import { describe, expect, test } from 'vitest';
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
  [`${runs}?limit=7&after=run_nobody`],
  ['/threads/thread_small/runs?limit=3'],
  ['/threads/thread_empty/runs'],
  ['/threads/th%20r%C3%A9ad/runs'],
  ['/threads/%zz/runs'],
  ['/threads/%00/runs'],
  ['/threads/../threads/thread_small/runs'],
  ['/threads/thread_small/./runs'],
  ['/batches?limit=100'],
  ['/batches?limit=0'],
  ['/batches?limit=%zz'],
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
  ['/fine_tuning/jobs/ftjob_empty/checkpoints'],
  ['/fine_tuning/jobs/nobody/checkpoints'],
  [policy],
  [`${policy}?status=archived`],
  [`${policy}?status=é`],
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
  ['/Batches'],
  ['/batches/'],
  ['/'],
];

/** These belong to the connection, or depend on the time. */
const transport = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

const record = async (baseUrl: string) => {
  const seen: object[] = [];
  for (const [path, init] of calls) {
    const reply = await fetch(baseUrl + path, { headers: keys, ...init });
    const headers = Object.entries(withoutWorld(reply.headers)).filter(([name]) => !transport.includes(name));
    seen.push({
      path,
      status: reply.status,
      statusText: reply.statusText,
      headers,
      body: Buffer.from(await reply.arrayBuffer()).toString('latin1'),
    });
  }
  return seen;
};

describe('all transports', () => {
  test('answer the same calls by the same bytes', async () => {
    const seen: Record<string, object[]> = {};
    for (const [name, start] of Object.entries(transports)) {
      const transport = await start();
      try {
        seen[name] = await record(transport.baseUrl);
      } finally {
        await transport.close();
      }
    }
    const [[, first], ...others] = Object.entries(seen) as [[string, object[]], ...[string, object[]][]]; // there are several
    expect(first).toHaveLength(calls.length);
    for (const [name, replies] of others) expect({ [name]: replies }).toEqual({ [name]: first });
  });

  test.each(Object.entries(transports))(
    'return to the same bytes when they are reset (%s)',
    async (_name, start) => {
      const transport = await start();
      try {
        const first = await record(transport.baseUrl);
        await transport.reset();
        expect(await record(transport.baseUrl)).toEqual(first);
      } finally {
        await transport.close();
      }
    },
  );
});
