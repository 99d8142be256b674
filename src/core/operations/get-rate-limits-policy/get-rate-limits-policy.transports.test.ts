import { expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';

const active = '11111111-1111-4111-8111-111111111111';
const archived = '22222222-2222-4222-8222-222222222222';

describeTransports('rate-limits policies', {}, ({ call, getJson }) => {
  test('are found by their id, the active ones unless asked otherwise', async () => {
    expect(await getJson(`/policies/rate-limits/${active}`)).toMatchObject({ id: active, status: 'active' });
    expect(await getJson(`/policies/rate-limits/${archived}?status=archived`)).toMatchObject({
      id: archived,
    });
    expect((await call(`/policies/rate-limits/${active}`)).headers.get('x-mock-assumptions')).toBeNull();
  });

  test.each([
    ['an archived policy is not among the active ones', archived, 404, null, 'unknown-policy'],
    ['an unknown id is not found', '33333333-3333-0333-0333-333333333333', 404, null, 'unknown-policy'],
    ['an id that is not a uuid is refused', 'policy-1', 400, 'rateLimitsPolicyId', 'policy-id-format'],
    ['another status is refused', `${active}?status=deleted`, 400, 'status', 'policy-status-value'],
  ])('%s', async (_title, target, status, param, mark) => {
    const reply = await call(`/policies/rate-limits/${target}`);
    expect(reply.status).toBe(status);
    expect((await reply.json()).error.param).toBe(param);
    expect(reply.headers.get('x-mock-assumptions')).toBe(`${mark}, error-body`);
  });

  test('need no virtual key', async () => {
    const reply = await call(`/policies/rate-limits/${active}`, { headers: { 'x-gateway-api-key': 'k' } });
    expect(reply.status).toBe(200);
  });
});
