import { describe, expect, test } from 'vitest';
import { breaksBody, changeReply, whyUnchanged } from './change-reply.ts';
import type { Effect } from './effect.ts';
import { effectKinds } from './fault-kinds.ts';
import { parseRule } from './rule.ts';

const effectOf = (text: string) => parseRule(`listRuns: ${text}`).effect;
/** The reply that an effect gives in place of the operation's. */
const replyOf = (effect: Effect) => ('reply' in effect ? effect.reply : undefined);
const messageOf = (text: string): string => JSON.parse(replyOf(effectOf(text))?.body ?? '{}').error?.message;

test.each([
  [401, 'Invalid API Key'],
  [418, 'The call failed with 418.'],
  [429, 'Rate limit reached. Please try again later.'],
  [503, 'The service is overloaded. Please try again later.'],
  [529, 'The service is overloaded. Please try again later.'],
])('the error %i says: %s', (status, message) => {
  expect(messageOf(String(status))).toBe(message);
});

test('an error has the message, code, parameter and headers of its line', () => {
  const given = replyOf(effectOf('503 message="Try again" code=busy param=limit header.x-a=b retry-after=7'));
  expect(given).toMatchObject({
    status: 503,
    headers: { 'content-type': 'application/json', 'x-a': 'b', 'retry-after': '7' },
  });
  expect(JSON.parse(given?.body ?? '').error).toEqual({
    message: 'Try again',
    type: 'server_error',
    param: 'limit',
    code: 'busy',
  });
  expect(replyOf(effectOf('503 header.content-type=text/plain'))?.headers).toEqual({
    'content-type': 'text/plain',
  });
});

const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain; charset=utf-8' };

test.each<[line: string, status: number, headers: object, body: string | null]>([
  ['reply', 200, {}, null],
  ['reply body={"a":[1]}', 200, json, '{"a":[1]}'],
  ['reply body=null', 200, text, 'null'],
  ['reply body="" header.x-a=b', 200, { ...text, 'x-a': 'b' }, ''],
  ['reply body=[] header.content-type=a/b', 200, { 'content-type': 'a/b' }, '[]'],
  ['reply 204 body=a', 204, {}, null],
  ['reply 304 body=a', 304, {}, null],
  ['reset', 502, {}, null],
  [
    'html-error 404',
    404,
    { 'content-type': 'text/html; charset=utf-8' },
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>proxy</center>\r\n</body>\r\n</html>\r\n',
  ],
])('"%s" replies with status %i', (line, status, headers, body) => {
  expect(replyOf(effectOf(line))).toEqual({ status, headers, body });
});

describe('the reply of the operation', () => {
  const answer = { status: 200, headers: { ...json, 'x-a': 'b' }, body: '{"a":1}', bytes: new Uint8Array(7) };

  test.each([
    ['malformed-json', { body: '{"a":1,}' }],
    ['truncated-json', { body: '{"a' }],
    ['empty-body', { body: '' }],
    ['wrong-content-type', { headers: { ...answer.headers, 'content-type': 'text/plain' } }],
    ['wrong-content-type a/b; c=d', { headers: { ...answer.headers, 'content-type': 'a/b; c=d' } }],
  ])('is changed by %s', (line, change) => {
    expect(replyOf(effectOf(line))).toBeUndefined();
    const { bytes: _, ...whole } = answer;
    expect(changeReply(effectOf(line), answer)).toEqual({ ...whole, ...change });
    expect(whyUnchanged(effectOf(line), answer)).toBeUndefined();
    expect(whyUnchanged(effectOf(line), { ...answer, body: null })).toBe('the reply has no body');
  });

  test.each(['delay 1s', 'drip 1s', 'hang-up', 'empty-page', 'clamp-limit'])(
    'stays as it is with %s',
    (line) => {
      expect(replyOf(effectOf(line))).toBeUndefined();
      expect(changeReply(effectOf(line), answer)).toBe(answer);
      const needsBody = line === 'drip 1s' || line === 'hang-up';
      expect(whyUnchanged(effectOf(line), { ...answer, body: null })).toBe(
        needsBody ? 'the reply has no body' : undefined,
      );
    },
  );
});

test('four kinds leave an unreadable body', () => {
  const optionsOf: Readonly<Record<string, string>> = { delay: 'delay 1s', drip: 'drip 1s' };
  const effects = effectKinds.map((kind) => effectOf(optionsOf[kind] ?? kind));
  expect(effects.filter(breaksBody).map(({ kind }) => kind)).toEqual([
    'hang-up',
    'malformed-json',
    'truncated-json',
    'empty-body',
  ]);
});
