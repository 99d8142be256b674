import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/support/make-folder.ts';
import { findTarget } from './target-options.ts';

test.each([
  ['http://127.0.0.1:4010/v1', {}, undefined],
  ['http://gateway.test/v1', {}, 10],
  ['http://gateway.test/v1', { rate: 50 }, 50],
])('with the options --against %s %j, the calls per second are at most %s', async (against, flags, rate) => {
  const target = await findTarget({ against, timeout: 1, ...flags }, { GATEWAY_API_KEY: 'any' });
  expect(target.rate).toBe(rate);
});

test('a flag wins over the file of keys, and the file over the environment', async () => {
  const keys = join(makeFolder({ keys: 'GATEWAY_API_KEY=file\nGATEWAY_VIRTUAL_KEY=file\n' }), 'keys');
  const flags = { against: 'http://gateway.test/v1', timeout: 1, apiKey: 'flag', keys };
  const target = await findTarget(flags, { GATEWAY_API_KEY: 'env', GATEWAY_VIRTUAL_KEY: 'env' });
  expect(target.keys).toEqual({ apiKey: 'flag', virtualKey: 'file' });
});
