// An answer is kept by all that it depends on: none is given to a call that differs in any of it.

import { expect, test } from 'vitest';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

test('a header that is missing is not like any that is there', async () => {
  const server = await openServer({ journal: 0 });
  const body = new TextEncoder().encode('{"variables":{"name":"Ada"}}'); // bytes have no type of their own
  const statusOf = async (headers: Record<string, string>): Promise<number> => {
    const url = `${server.baseUrl}/prompts/prompt_welcome/render`;
    return (await fetch(url, { method: 'POST', body, headers: { ...keys, ...headers } })).status;
  };
  const all = [{}, { 'content-type': 'undefined' }, { 'content-encoding': 'undefined' }, {}];
  const statuses = [];
  for (const headers of all) statuses.push(await statusOf(headers));
  expect(statuses).toEqual([200, 415, 400, 200]);
});

test('bodies that differ in a byte that is no UTF-8 have answers of their own', async () => {
  const server = await openServer({ journal: 0 });
  const url = `${server.baseUrl}/prompts/prompt_welcome/render`;
  const textOf = async (name: readonly number[]): Promise<string> => {
    const body = Buffer.concat([
      Buffer.from('{"variables":{"name":"'),
      Buffer.from(name),
      Buffer.from('"}}'),
    ]);
    const headers = { ...keys, 'content-type': 'application/json' };
    return (await fetch(url, { method: 'POST', body, headers })).text();
  };
  const whole = await textOf([0xef, 0xbf, 0xbd]); // U+FFFD itself, which is what broken text would become
  expect(whole).toContain('\ufffd');
  expect(await textOf([0x80])).not.toBe(whole);
  expect(await textOf([0x81])).not.toBe(whole);
});
