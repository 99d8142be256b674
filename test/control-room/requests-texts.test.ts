// The texts that are copied for a request, and the filters.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { applyFilters, findError } from '../../src/control-room/panels/requests/filter.ts';
import { type Keys, toCurl, toFaultLine } from '../../src/control-room/panels/requests/texts.ts';
import { parseRule } from '../../src/faults/rule.ts';
import type { RecordedRequest } from '../../src/journal/recorded-request.ts';
import { hasChromium } from '../support/chromium.ts';
import { hasCommand, hasShell } from '../support/missing-tool.ts';
import { clientHeaders, openControlRoom, rowsOf } from '../support/open-control-room.ts';
import { openServer } from '../support/open-gateway.ts';

const hasCurl =
  hasShell('the tests of copied curl commands') && hasCommand('curl', 'the tests of copied curl commands');

const request = (given: Partial<RecordedRequest>): RecordedRequest => ({
  id: 'req_1',
  ordinal: 1,
  time: '2026-01-15T12:00:00Z',
  receivedAt: '2026-11-22T12:00:00Z',
  method: 'GET',
  path: '/v1/batches',
  operation: 'listBatches',
  params: {},
  query: {},
  headers: {},
  body: null,
  status: 200,
  reply: null,
  faults: [],
  idleFaults: [],
  assumptions: [],
  page: null,
  nearest: null,
  upstream: null,
  refusal: null,
  duration: 1,
  ...given,
});

const keys: Keys = { apiKey: 'any', virtualKey: 'any' };

describe('a request as a command', () => {
  test.each<[string, Partial<RecordedRequest>, RegExp]>([
    ['keeps a path as it is', { path: '/v1/../x' }, /--path-as-is/],
    ['keeps brackets as they are', { path: '/v1/{a}' }, /--globoff/],
    ['sends a header without a value', { headers: { 'x-empty': '' } }, /-H 'x-empty;'/],
    ['does not wait for the body of a HEAD', { method: 'HEAD' }, /--head/],
    ['names another method', { method: 'DELETE' }, /-X DELETE/],
    ['sends a body that has no type without one', { method: 'POST', body: 'x' }, /-H 'content-type:'/],
    ['repeats a parameter', { query: { a: ['1', '2'] } }, /a=1&a=2/],
  ])('%s', (_, given, expected) => {
    expect(toCurl(request(given), 'http://127.0.0.1:1/v1', keys)).toMatch(expected);
  });

  test.skipIf(!hasCurl)('reaches the server as it was, whatever stands in it', async () => {
    const server = await openServer();
    const headers = { 'x-`id`': '`id` $(id) "', 'x-empty': '' };
    const sent = request({
      method: 'PUT',
      path: "/v1/%7Ba%7D/[1-3]/'%27$HOME",
      query: { 'a&b': ['=', "'", 'ü +'], '': 'x' },
      headers: { ...headers, authorization: '***' }, // masked, so it is left out
      body: "@/etc/passwd ' \n $(id) \\",
    });
    const found = await runShell(`${toCurl(sent, server.baseUrl, keys)} -s`);
    expect(found.stderr).toBe('');
    const [came] = await server.requests.list();
    expect(came).toMatchObject({
      method: sent.method,
      path: sent.path,
      query: sent.query,
      body: sent.body,
      headers,
    });
    expect(came?.headers).not.toHaveProperty('authorization');
  });
});

test.each([
  '/v1/threads/thread_demo/runs',
  '/v1/threads/a"b/runs',
  '/v1/threads/x:/runs:',
  '/v1/threads/%20%22{/runs',
  '/v1/threads/=*[{"/runs',
])('the fault made of %s can be read, and is of that path', (path) => {
  const line = toFaultLine(request({ operation: 'listRuns', params: { thread_id: 'x' }, path }), 3) ?? '';
  expect(parseRule(line)).toMatchObject({
    operation: 'listRuns',
    from: 3,
    to: 3,
    path,
    effect: { kind: 'error', text: '503' },
  });
});

test.each([
  ['listBatches#1 times=2: reset', { status: null }, 'reset'],
  ['listBatches: delay 2s', { status: 200 }, 'delay 2s'],
  ['*: 429 retry-after=7 message="Slow: down"', { status: 429 }, '429 retry-after=7 message="Slow: down"'],
  [undefined, { status: 502, reply: { headers: {}, body: '<html>' } }, '502'],
])('the fault made of a call that %s acted on has its effect', (line, given, effect) => {
  const fault = toFaultLine(request({ ...given, faults: line === undefined ? [] : [line] }), 4) ?? '';
  expect(parseRule(fault).line).toBe(parseRule(`listBatches#4: ${effect}`).line);
});

const runShell = (command: string) =>
  promisify(execFile)('sh', ['-c', command], { env: { PATH: process.env.PATH, NO_PROXY: '*' } });

test.each<[string, (number | null)[]]>([
  ['', [200, 404, 429, 503, null]],
  ['4xx', [404, 429]],
  ['4xx,5xx', [404, 429, 503]],
  ['>=429 none', [429, 503, null]],
  ['<404', [200]],
  ['>4xx', [503]],
  ['<=429', [200, 404, 429]],
  ['errors', [404, 429, 503, null]],
  ['4xx,x', []],
])('the filter %j leaves the statuses %j', (status, expected) => {
  const requests = [200, 404, 429, 503, null].map((one, at) => request({ ordinal: at, status: one }));
  const { shown } = applyFilters(requests, { status }, undefined);
  expect(shown.map((one) => one.status)).toEqual(expected);
  expect(findError(status) === undefined).toBe(status !== '4xx,x');
});

test.skipIf(!hasCurl || !hasChromium)('a request is copied as a command that a shell runs', async () => {
  const { server, page } = await openControlRoom({
    isOwnPage: true,
    scenario: {
      keys: {
        valid: ['key-that-has-expired', 'key-of-a-test-1234'],
        expired: ['key-that-has-expired'],
        virtual: ['virtual'],
      },
    },
  });
  await fetch(`${server.baseUrl}/prompts/prompt_x/render`, {
    method: 'POST',
    headers: { ...clientHeaders, 'content-type': 'application/json', 'x-note': `it's "$HOME" \`id\` \\` },
    body: JSON.stringify({ variables: { name: `O'Brien $(id) @x \\n "quoted"\nü` } }),
  });
  await rowsOf(page).first().click();
  const button = page.getByRole('button', { name: 'Copy as curl' });
  await button.click();
  await page.getByText('Copied').waitFor();
  await runShell(`${await page.evaluate(() => navigator.clipboard.readText())} -s`);
  const [first, second] = await server.requests.list();
  expect([second?.status, second?.body]).toEqual([first?.status, first?.body]);
  expect(second?.headers['x-note']).toBe(first?.headers['x-note']);

  // Over plain http from another host, the browser has no clipboard.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Copied').nth(1).waitFor();
  expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.getByLabel('Search').focus();
  await page.keyboard.press('Control+v');
  expect(await page.getByLabel('Search').inputValue()).toContain('/v1/prompts/prompt_x/render');
});
