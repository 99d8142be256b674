// Filters compare with what was sent, also where the journal shows a mask.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryOf } from '../../../test/support/journal-entry.ts';
import { setLimit } from '../../../test/support/set-limit.ts';
import type { Call } from '../protocol/call.ts';
import { Journal } from './journal.ts';
import { parseStart } from './masked-values.ts';
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

/** The journal, and the same one after it was stored once and twice, as JSON. */
const restarted = (call: Partial<Call>): readonly Journal[] => {
  const journals = [journalOf(call), new Journal(5), new Journal(5)];
  const digest = (value: string): string => [...value].reverse().join('').toUpperCase();
  for (const [at, journal] of journals.entries())
    journals[at + 1]?.resume({ ...JSON.parse(JSON.stringify(journal.toStored(digest))), digest });
  return journals;
};

const answer = (journal: Journal, filter: RequestFilter): unknown => {
  try {
    return journal.list(filter).length;
  } catch (error) {
    return String(error);
  }
};

describe('a filter, before and after the journal was stored,', () => {
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
    for (const journal of restarted(sent)) expect(answer(journal, filter)).toEqual(expected);
  });
});

test('no output has what is masked', () => {
  const [journal, stored] = restarted(sent);
  const shown = JSON.stringify([journal?.list(), stored?.list(), journal?.toStored(() => 'digest')]);
  expect(shown).not.toMatch(/sk-live|horse|two/);
});

describe('of a body that was cut', () => {
  const text = JSON.stringify({ a: 1, open: [{ b: 2 }], long: 'x'.repeat(100), last: true });

  test.each<[size: number, filter: RequestFilter, expected: unknown]>([
    [60, { body: { a: 1 } }, 1],
    [60, { body: { a: 2 } }, 0],
    [60, { body: { a: 2, last: true } }, 0],
    [60, { body: { open: [{ b: 2 }] } }, 1],
    [60, { body: { open: [{ b: 2, c: 3 }] } }, 0],
    [
      60,
      { body: { last: true } },
      expect.stringMatching(/first 60 bytes of the body of request 1, and body\/last may be/),
    ],
    [20, { body: { open: [{ b: 2 }] } }, expect.stringMatching(/body\/open/)],
    [60, { body: '{"a":1*' }, 1],
    [60, { body: '[*' }, 0],
    [60, { body: '*last*' }, expect.stringMatching(/the text may be behind them/)],
  ])('%i bytes are kept, and %j gets %j', (size, filter, expected) => {
    setLimit('keptBody', size);
    for (const journal of restarted({ body: bytesOf(text) }))
      expect(answer(journal, filter)).toEqual(expected);
  });

  test('the start is read as far as it is complete', () => {
    fc.assert(
      fc.property(fc.object(), fc.nat(), (value, at) => {
        const json = JSON.stringify(value);
        const start = json.slice(0, 1 + (at % json.length));
        expect(parseStart(start).value).toBeTypeOf('object');
        expect(parseStart(json)).toEqual({ value: JSON.parse(json), open: 0 });
      }),
    );
  });
});
