// requests.expect over HTTP: what fails, and how.
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const scenario = { batches: 3 };

describe('over HTTP, an expectation that fails', () => {
  test('is 409, with the whole text as the message, for every language', async () => {
    const server = await openServer({ scenario });
    await fetch(`${server.baseUrl}/batches?limit=2`, { headers: keys });
    const url = `${server.url}/__admin/requests/expect`;
    const reply = await fetch(`${url}?operation=listBatches&query={"limit":"3"}`);
    const { message, error } = await reply.json();
    expect([reply.status, error.code, error.message]).toEqual([409, 'expectation_failed', message]);
    expect(message).toContain('-   query.limit: "3"\n+   query.limit: "2"');
    expect((await fetch(`${url}?operation=listBatches&times=1`)).status).toBe(200);
    const expected = connect(server.url).requests.expect({ query: { limit: '3' } });
    await expect(expected).rejects.toMatchObject({ status: 409, code: 'expectation_failed' });
  });

  test('is no expectation if the filter or a number is invalid', async () => {
    const { requests } = await openServer({ scenario });
    await expect(requests.expect({ path: '/batches' })).rejects.toThrow('does not begin with /v1');
    for (const options of [{ times: -1 }, { times: 0.5 }, { timeout: -1 }])
      await expect(requests.expect({}, options)).rejects.not.toHaveProperty('code', 'expectation_failed');
  });

  test('is 410 if dropped requests might change the result', async () => {
    const server = await openServer({ scenario, journal: 1 });
    for (const limit of [1, 2]) await fetch(`${server.baseUrl}/batches?limit=${limit}`, { headers: keys });
    expect(await server.requests.expect({ query: { limit: '2' } })).toHaveLength(1);
    for (const times of [0, 1, undefined])
      await expect(server.requests.expect({ query: { limit: '1' } }, { times })).rejects.toMatchObject({
        status: 410,
      });
  });
});
