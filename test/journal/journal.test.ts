import { getResponse } from 'msw';
import { expect, test } from 'vitest';
import { openGateway } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

test('a header and a parameter may have any name', async () => {
  const { gateway } = openGateway();
  const request = new Request('http://gateway.test/v1/batches?__proto__=a&constructor=b', {
    headers: { ...keys, constructor: 'c' },
  });
  request.headers.set('__proto__', 'd');
  await getResponse([...gateway.handlers], request);
  const [recorded] = await gateway.requests.list({ headers: { constructor: 'c' } });
  expect(Object.entries(recorded?.query ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(Object.entries(recorded?.headers ?? {})).toContainEqual(['__proto__', 'd']);
  expect(await gateway.requests.count({ headers: { tostring: '*' } })).toBe(0);
  expect(await gateway.requests.count({ query: { toString: '*' } })).toBe(0);
});
