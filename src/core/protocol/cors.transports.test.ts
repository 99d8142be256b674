import { expect, test } from 'vitest';
import { describeTransports, keys } from '../../../test/support/transports.ts';

const origin = 'http://app.test';

describeTransports(
  'cors: refused',
  { scenario: { assumptions: { cors: 'refused' }, batches: 1 } },
  ({ call, control }) => {
    test('a preflight gets the 401 of missing-api-key, and is in the journal with it', async () => {
      const headers = { origin, 'access-control-request-method': 'GET' };
      const reply = await call('/batches', { method: 'OPTIONS', headers });
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([401, null]);
      expect((await reply.json()).error.code).toBe('03');
      expect((await control().requests.list({ method: 'OPTIONS' })).at(-1)).toMatchObject({
        operation: 'listBatches',
        refusal: { assumption: 'missing-api-key' },
      });
    });

    test('replies have no CORS headers', async () => {
      const reply = await call('/batches', { headers: { ...keys, origin } });
      expect(reply.status).toBe(200);
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  },
);
