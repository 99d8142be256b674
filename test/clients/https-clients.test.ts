// Clients as they are published, over HTTPS and HTTP/2.
import OpenAI from 'openai';
import { Agent, fetch as fetchByUndici } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasOpenssl, makeCertificate } from '../support/certificate.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const start = async (faults: string[] = []) => {
  const { cert, key } = makeCertificate();
  const server = await openServer({ tlsCert: cert, tlsKey: key, faults });
  /** A `fetch` that trusts the certificate. */
  const openFetch = (allowH2: boolean): typeof fetch => {
    const dispatcher = new Agent({ allowH2, connect: { ca: cert }, connections: 1 });
    onTestFinished(() => dispatcher.destroy());
    const fetching = (url: string, init: object) => fetchByUndici(url, { ...init, dispatcher });
    return fetching as unknown as typeof fetch; // its types of undici are those of another version
  };
  return { server, openFetch };
};

const walk = async (fetching: typeof fetch, baseUrl: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const response = await fetching(`${baseUrl}/threads/thread_demo/runs?limit=50${after}`, {
      headers: keys,
    });
    const { data, has_more, last_id } = await response.json();
    ids.push(...data.map(({ id }: { id: string }) => id));
    if (!has_more) return ids;
    after = `&after=${last_id}`;
  }
};

describe.skipIf(!hasOpenssl('the tests of clients over HTTPS'))('over HTTPS', () => {
  test.each([false, true])('the openai client walks a list (HTTP/2: %j)', async (allowH2) => {
    const { server, openFetch } = await start(['listRuns#2: reset']);
    const client = new OpenAI({
      baseURL: server.baseUrl,
      apiKey: 'unused',
      maxRetries: 1,
      defaultHeaders: keys,
      fetch: openFetch(allowH2),
    });
    const ids: string[] = [];
    for await (const { id } of client.beta.threads.runs.list('thread_demo', { limit: 50 })) ids.push(id);
    expect([ids.length, new Set(ids).size]).toEqual([257, 257]);
    const { exactlyOnce, stopped } = await server.requests.walk('listRuns', { seen: ids });
    expect({ exactlyOnce, stopped }).toEqual({ exactlyOnce: true, stopped: true });
  });

  test('undici walks a list over HTTP/2, and a reset hits its stream alone', async () => {
    const { server, openFetch } = await start(['listBatches: reset', 'listRuns#2: delay 200ms']);
    const fetching = openFetch(true);
    const walking = walk(fetching, server.baseUrl);
    await server.requests.wait({ operation: 'listRuns' }, { count: 2 });
    await expect(fetching(`${server.baseUrl}/batches`, { headers: keys })).rejects.toThrow('fetch failed');
    const ids = await walking; // on the connection of the reset stream
    expect([ids.length, new Set(ids).size]).toEqual([257, 257]);
  });
});
