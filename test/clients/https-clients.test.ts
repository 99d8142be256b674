// A client as it is published, over HTTPS.
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
  const openFetch = (): typeof fetch => {
    const dispatcher = new Agent({ connect: { ca: cert } });
    onTestFinished(() => dispatcher.destroy());
    const fetching = (url: string, init: object) => fetchByUndici(url, { ...init, dispatcher });
    return fetching as unknown as typeof fetch; // its types of undici are those of another version
  };
  return { server, openFetch };
};

describe.skipIf(!hasOpenssl('the tests of clients over HTTPS'))('over HTTPS', () => {
  test('the openai client walks a list', async () => {
    const { server, openFetch } = await start(['listRuns#2: reset']);
    const client = new OpenAI({
      baseURL: server.baseUrl,
      apiKey: 'unused',
      maxRetries: 1,
      defaultHeaders: keys,
      fetch: openFetch(),
    });
    const ids: string[] = [];
    for await (const { id } of client.beta.threads.runs.list('thread_demo', { limit: 50 })) ids.push(id);
    expect([ids.length, new Set(ids).size]).toEqual([257, 257]);
    const { exactlyOnce, stopped } = await server.requests.walk('listRuns', { seen: ids });
    expect({ exactlyOnce, stopped }).toEqual({ exactlyOnce: true, stopped: true });
  });
});
