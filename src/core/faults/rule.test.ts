import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as operationsByName from '../operations/index.ts';
import { parseRule } from './rule.ts';

const ids = Object.values(operationsByName).map(({ id }) => id);

test.each([
  ['listBatches: 500 times=2', 'listBatches times=2: 500'],
  [
    'listRuns#3 share=5%: delay 2s query.limit=5 path=/v1/*',
    'listRuns#3 share=5% query.limit=5 path=/v1/*: delay 2s',
  ],
  ['listRuns: 500 for=1m message=no', 'listRuns for=1m: 500 message=no'],
  ['listBatches every=2: times=1 503', 'listBatches every=2 times=1: 503'],
  ['listBatches: delay 2s #2-3', 'listBatches#2-3: delay 2s'],
  ['listBatches: for=1m', 'listBatches for=1m: 503'],
])('a condition behind the colon is shown where it belongs: %s', (line, shown) => {
  expect(() => parseRule(line)).toThrow(`conditions belong before the colon: write "${shown}"`);
});

describe('the line of a rule', () => {
  test('is the same whatever the order of its clauses and the blanks between its words', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.constantFrom('query.b=1', 'query.a=2', 'header.x=3', 'share=5%', 'times=2', 'path=/v1/*'),
          {
            minLength: 2,
          },
        ),
        (all) => {
          const line = `listRuns ${all.join('  ')} :\t503`;
          expect(parseRule(line).line).toBe(parseRule(`listRuns ${all.toReversed().join(' ')}: 503`).line);
        },
      ),
    );
  });

  test.each([
    ['*: reset', '*: reset'],
    [' *#2-:reply body=a:b', '*#2-: reply 200 body=a:b'],
    ['listRuns#1-: reset', 'listRuns: reset'],
    ['listRuns#3-3: 503', 'listRuns#3: 503'],
    ['listRuns#2-4 share=0.25: 429 retry-after=1', 'listRuns#2-4 share=25%: 429'],
    ['listRuns: 429 retry-after=0', 'listRuns: 429 retry-after=0'],
    ['listRuns: reply header.Retry-After=2', 'listRuns: reply 200 header.retry-after=2'],
    ['listRuns: delay 2s..2000ms', 'listRuns: delay 2s'],
    ['listRuns: delay 10m', 'listRuns: delay 600s'],
    ['listRuns: html-error 502', 'listRuns: html-error'],
    ['listRuns: clamp-limit 5', 'listRuns: clamp-limit'],
    ['listRuns header.X-A=B: reset', 'listRuns header.x-a=B: reset'],
    ['listRuns for=1h30m: reset', 'listRuns for=5400s: reset'],
    ['listRuns until=2026-01-15T13:00:00+01:00: reset', 'listRuns until=2026-01-15T12:00:00.000Z: reset'],
    [
      'listRuns query.after="a b": 503 message="Try: again"',
      'listRuns query.after="a b": 503 message="Try: again"',
    ],
    ['listRuns query.a=x="y: reset', 'listRuns query.a=x="y: reset'],
    ['listRuns: reply body={"a": [1, {"b": " } "}]}', 'listRuns: reply 200 body={"a":[1,{"b":" } "}]}'],
    ['listRuns times=2 every=5: delay 3s', 'listRuns every=5 times=2: delay 3s'],
    ['listRuns#3- every=1: reset', 'listRuns#3-: reset'],
    ['listRuns share=.5: reset', 'listRuns share=50%: reset'],
    ['listRuns query.__proto__=a query."=b: reset', 'listRuns query."=b query.__proto__=a: reset'],
    ['*: 503 param="" code="a:" message="x={"', '*: 503 message=x={ code="a:" param=""'],
    ['*: delay 5ms..1.5s', '*: delay 5ms..1500ms'],
    ['*: wrong-content-type text/html; charset=utf-8', '*: wrong-content-type text/html; charset=utf-8'],
  ])('of %s is %s, which is the same rule', (line, canonical) => {
    const rule = parseRule(line);
    expect(rule.line).toBe(canonical);
    expect(parseRule(canonical)).toEqual(rule);
  });
});

test.each([
  ['', 'the colon is missing'],
  [': reset', 'the operation is missing: use * for any'],
  ['listRuns:', 'the kind of fault is missing after the colon'],
  ['listRuns share=5%:503', 'the colon needs a space after it: write OPERATION: KIND'],
  ['listBatches: 503 times=1', 'conditions belong before the colon: write "listBatches times=1: 503".'],
  ['listBatches: 503, times=1', 'write "listBatches times=1: 503".'],
  ['listBatches : times=1 : 503', 'write "listBatches times=1: 503".'],
  ['listBatches: 503#2', 'write "listBatches#2: 503".'],
  ['listBatches: 503 Times=1', 'Did you mean "times=…"?'],
  ['listBatches: reset time=1', 'Did you mean "times=…"?'],
  [
    'listRuns message=no times=1: 503 code=a',
    'options belong after the colon: write "listRuns times=1: 503 code=a message=no".',
  ],
  ['listRuns mesage=no: 503', 'unknown condition "mesage=no". Use share, every, times,'],
  [
    'listRuns: 503 message=Try again',
    '503 does not take "again". A value with spaces is written in quotes, such as message="Try again".',
  ],
  ['listRuns#4-2: reset', 'invalid calls "#4-2"'],
  ['listRuns 3: reset', 'Write which calls directly after the operation, such as listRuns#3'],
  ['listRuns query.=1: reset', 'unknown condition'],
  ['listRuns share=10% share=20%: reset', 'share is given twice'],
  ['listRuns share=0%: reset', 'share=0% would never hit a call: write a share above 0%'],
  ['listRuns times=0: reset', 'invalid times=0'],
  ['listRuns every=0: reset', 'invalid every=0: write a whole number of at least 1'],
  ['listRuns every=2 share=50%: reset', 'every and share exclude each other'],
  ['listRuns#3-6 every=5: reset', 'every=5 would never hit a call: #3-6 has only 4'],
  ['listRuns until=2026-01-15T13:00:00: reset', 'invalid until='],
  ['listRuns for=soon: reset', 'Failed to read the duration "soon"'],
  ['listRuns for=-5m: reset', 'invalid for=-5m'],
  ['listRuns: reset now', 'reset does not take "now"'],
  ['listRuns: reply 101', 'the status of a reply is from 200 to 599'],
  ['listRuns: reply 200 boddy=a', 'Did you mean "body=…"?'],
  ['listRuns: reply header.x-a="a\\nb"', 'header.x-a must be printable ASCII'],
  ['listRuns: 429 retry-after=" 1"', 'retry-after must be printable ASCII without spaces'],
  ['listRuns: delay', 'delay takes a time such as 2s'],
  ['listRuns: delay 2s..1s', 'delay takes a time such as 2s'],
  ['listRuns: insert-records 0', 'insert-records takes a number from 1 to 999'],
  ['*: 503 header.__proto__=x', 'a fault cannot set the header "__proto__"'],
  ['*: reply header.Content-Length=1', 'a fault cannot set the header "content-length"'],
  // More of them: test/broken-scenarios/faults.yaml.
])('%s is refused, with what is right', (line, part) => {
  expect(() => parseRule(line, ids)).toThrow(part);
  expect(() => parseRule(line, ids)).toThrow(/^Failed to read the fault ".{0,200}": .*[^.]\.$/s);
});

test('a name of no operation is allowed where own calls are not known, if it may be one of a call', () => {
  expect(parseRule('retrieveFile: 503').operation).toBe('retrieveFile');
  expect(() => parseRule('retrieveFile: 503', ids)).toThrow('A call of your own needs the option calls');
  expect(() => parseRule('a b: 503')).toThrow('Failed to read');
  expect(() => parseRule('a-b: 503')).toThrow(
    'invalid operation "a-b": use the id of an operation, or * for any',
  );
});

test.each(['share=', 'for=', 'until=', ''])(
  'a very long %sVALUE is refused with a short message',
  (start) => {
    const parse = () => parseRule(`listRuns ${start}${'1'.repeat(99_000)}x: reset`);
    expect(parse).toThrow(/^Failed to read the fault "[^"]{200}": .{1,1000}\.$/);
  },
);

test('a line of any length is refused without being read', () => {
  expect(() => parseRule(`listRuns: reply body="${'a'.repeat(100_000)}"`)).toThrow(
    'longer than 100000 characters',
  );
});
