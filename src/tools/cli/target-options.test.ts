import { expect, test } from 'vitest';
import { findTarget } from './target-options.ts';

test.each([
  ['http://127.0.0.1:4010/v1', {}, undefined],
  ['http://gateway.test/v1', {}, 10],
  ['http://gateway.test/v1', { rate: 50 }, 50],
])('with the options --against %s %j, the calls per second are at most %s', async (against, flags, rate) => {
  const target = await findTarget({ against, timeout: 1, ...flags }, { GATEWAY_API_KEY: 'any' });
  expect(target.rate).toBe(rate);
});
