// Filters compare with what was sent, also where the journal shows a mask.

import { describe, expect, test } from 'vitest';
import { entryOf } from '../../../test/support/journal-entry.ts';
import { setLimit } from '../../../test/support/set-limit.ts';
import type { Call } from '../protocol/call.ts';
import { Journal } from './journal.ts';
import type { RequestFilter } from './request-filter.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const secret = 'sk-live-0123456789';
const sent = {
  query: `access_token=${secret}&tag=a&tag=b`,
  headers: () => ({ authorization: `Bearer ${secret}`, 'x-note': `uses ${secret}`, 'x-plain': 'plain' }),
  body: bytesOf(
    JSON.stringify({ password: 'horse', pin: { token: [1, 'two'] }, list: [{ a: 1 }, 'x*y'], n: null }),
  ),
};

const journalOf = (call: Partial<Call>): Journal => {
  const journal = new Journal(5);
  journal.add(entryOf(call));
  return journal;
};

const answer = (journal: Journal, filter: RequestFilter): unknown => {
  try {
    return journal.list(filter).length;
  } catch (error) {
    return String(error);
  }
};

describe('a filter', () => {
  test.each<[RequestFilter, unknown]>([
    [{ headers: { authorization: `Bearer ${secret}` } }, 1],
    [{ headers: { authorization: secret } }, 0],
    [{ headers: { authorization: '*' } }, 1],
    [{ headers: { 'x-note': `uses ${secret}` } }, 1],
    [{ headers: { 'x-note': 'uses *' } }, expect.stringMatching(/"headers\.x-note" is masked/)],
    [{ headers: { 'x-plain': 'pl*' } }, 1],
    [{ query: { access_token: secret, tag: 'b' } }, 1],
    [{ query: { access_token: 'other' } }, 0],
    [{ body: { password: 'horse' } }, 1],
    [{ body: { password: 'horses' } }, 0],
    [{ body: { password: '*' } }, 1],
    [{ body: { password: '***' } }, expect.stringMatching(/"\*\*\*" is a pattern or a mask/)],
    [{ body: { password: 'h*' } }, expect.stringMatching(/"body\/password" is masked/)],
    [{ body: { pin: { token: [1, 'two'] } } }, 1],
    [{ body: { pin: { token: [1] } } }, 0],
    [{ body: { pin: { token: ['1', 'two'] } } }, 0],
    [{ body: { list: [{}, 'x*y'] } }, 1],
    [{ body: { list: [{ a: 2 }, 'x*y'] } }, 0],
    [{ body: { n: null } }, 1],
    [{ body: { missing: null } }, 0],
    [{ body: new TextDecoder().decode(sent.body) }, 1],
    [{ body: '{}' }, 0],
    [{ body: '*horse*' }, expect.stringMatching(/"body" is masked, and compared only as a whole/)],
  ])('%j gets %j', (filter, expected) => {
    expect(answer(journalOf(sent), filter)).toEqual(expected);
  });
});

test('no output has what is masked', () => {
  const journal = journalOf(sent);
  expect(JSON.stringify([journal.list(), journal.toStored()])).not.toMatch(/sk-live|horse|two/);
});

test.each<[filter: RequestFilter, expected: unknown]>([
  [{ body: '*' }, 1],
  [
    { body: { a: 1 } },
    expect.stringMatching(/has only the first 20 bytes of the body of request 1\. Narrow/),
  ],
  [{ body: '{"a":1*' }, expect.stringMatching(/Narrow the filter/)],
  [{ body: { a: 1 }, method: 'PATCH' }, 0],
])('of a body that was cut, %j gets %j', (filter, expected) => {
  setLimit('keptBody', 20);
  const journal = journalOf({ body: bytesOf(JSON.stringify({ a: 1, long: 'x'.repeat(100) })) });
  expect(answer(journal, filter)).toEqual(expected);
});
