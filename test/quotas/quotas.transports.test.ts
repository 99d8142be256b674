// Quotas as a client sees them, over every transport.
import { expect, test } from 'vitest';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';
import { describeTransports, keys } from '../support/transports.ts';

const byKey = scenarioUnder(policy(1, { group_by: [{ key: 'api_key' }] }));

describeTransports('quotas', { scenario: byKey }, ({ call }) => {
  test('are enforced: the call after the last one is refused, with the time to wait', async () => {
    const headers = { ...keys, 'x-gateway-api-key': 'the first caller' };
    for (const remaining of ['2', '1', '0']) {
      const reply = await call('/batches', { headers });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ratelimit-limit-requests')).toBe('3');
      expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe(remaining);
      expect(reply.headers.get('x-ratelimit-reset-requests')).toBe('60');
      expect(reply.headers.get('x-ratelimit-limit-tokens')).toBeNull();
      expect(reply.headers.get('x-mock-assumptions')).toBeNull(); // they are standing
    }
    const refused = await call('/batches', { headers });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(refused.headers.get('x-ratelimit-reset-requests')).toBe('60');
    expect(refused.headers.get('x-mock-assumptions')).toBe('retry-after-cap, quota-exceeded, error-body');
    const message = `Rate limit reached by policy ${policyId(1)}: 3 requests per minute, of which 3 are used. The limit resets at 2026-01-15T12:01:00.000Z.`;
    expect(await refused.json()).toEqual({
      success: false,
      status: 'failure',
      message,
      error: { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
      data: { message, errorCode: 'AB06' },
    });
  });
});
