// What credentials cost those who read the journal: about as much as other texts of the same size (three times on a quiet machine),
// not tens of times, as a search whose time is the square of the size would.
import { expect, test } from 'vitest';
import { Journal } from '../../src/core/journal/journal.ts';
import { copyRequest } from '../../src/core/journal/recorded-request.ts';
import { followWalk } from '../../src/core/journal/walks.ts';
import type { Call } from '../../src/core/protocol/call.ts';
import { entryOf } from '../support/journal-entry.ts';

const repeat = (count: number, toText: (at: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, at) => toText(at)).join(separator);

/** Calls with texts of a name, which is that of a credential or not. */
const calls: Readonly<Record<string, (name: string, at: number) => Partial<Call>>> = {
  '700 parameters': (name, at) => ({ query: repeat(700, (n) => `${name}=${at}-value-${n}`, '&') }),
  '350 parameters, among as many others,': (name, at) => ({
    query: repeat(350, (n) => `${name}=${at}-value-${n}&other${n}=a-longer-value-${n}`, '&'),
  }),
  '600 cookies': (name, at) => ({
    headers: () => ({ [`x-${name}`]: repeat(600, (n) => `c${n}=${at}-value-${n}`, '; ') }),
  }),
  '12 kB of encoded tokens': (name, at) => ({
    query: repeat(10, (n) => `${name}${n}=${repeat(200, () => `%2541${at}`, '%252B')}`, '&'),
  }),
  'long values of two letters': (name, at) => ({
    body: new TextEncoder().encode(
      `{"${name}":[${repeat(3, (n) => `"${'a'.repeat(250)}b${'a'.repeat(750 + n)}"`, ',')}],"text":"${'a'.repeat(8000)}${at}"}`,
    ),
  }),
  'a body with many values in a long text': (name, at) => ({
    body: new TextEncoder().encode(
      `{"${name}":[${repeat(60, (n) => `"value-${at}-${n}"`, ',')}],"text":"${'value- lorem '.repeat(1200)}"}`,
    ),
  }),
  'a body with 300 fields': (name, at) => ({
    body: new TextEncoder().encode(`[${repeat(300, (n) => `{"${name}":"${at}-value-${n}"}`, ',')}]`),
  }),
};

/** The CPU time of a list, a count with a search, and a walk. */
const measure = (toCall: (at: number) => Partial<Call>): number => {
  const body = JSON.stringify({ data: 'x'.repeat(2000) });
  const journal = new Journal(100);
  for (let at = 0; at < 90; at += 1) journal.add(entryOf(toCall(at), { body }));
  const begun = process.cpuUsage();
  const listed = journal.list().map((request) => copyRequest(request));
  expect(listed).toHaveLength(90);
  expect(journal.list({ search: 'nowhere to be found' })).toEqual([]);
  expect(followWalk(journal.list(), []).missed).toEqual([]);
  const { user, system } = process.cpuUsage(begun);
  return user + system;
};

test.each(Object.entries(calls))('%s that are credentials', (what, toCall) => {
  const [credential, other] = what.includes('cookies') ? ['cookie', 'cooked'] : ['sig', 'gis'];
  const ratioOf = (): number => measure((at) => toCall(credential, at)) / measure((at) => toCall(other, at));
  let ratio = ratioOf();
  for (let again = 0; again < 3 && ratio > 6; again += 1) ratio = Math.min(ratio, ratioOf()); // other processes disturb it
  expect(ratio).toBeLessThan(6);
});
