import { describe, expect, test } from 'vitest';
import { entryOf } from '../../test/support/journal-entry.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { followWalk } from './walks.ts';

/** One call of a walk: its query, and the page that it got; none where it failed. */
type Step = readonly [query: string, ids?: string | undefined, hasMore?: boolean];

const toCall = ([query, ids, has_more = false]: Step): RecordedRequest =>
  entryOf(
    { query },
    { status: ids === undefined ? 503 : 200 },
    ids === undefined ? {} : { page: { ids: [...ids], has_more } },
  ).request;

/** Follows a walk over the records a to f, of which each letter is one. */
const follow = (calls: readonly RecordedRequest[], listed = 'abcdef', seen?: string) => {
  const walk = followWalk(calls, [...listed], seen === undefined ? undefined : [...seen]);
  const exactlyOnce = walk.missed.length === 0 && walk.repeated.length === 0;
  return { ...walk, seen: undefined, exactlyOnce, records: walk.seen.size };
};

const judge = (steps: readonly Step[], listed?: string, seen?: string) =>
  follow(steps.map(toCall), listed, seen);

const good = { stopped: true, exactlyOnce: true, missed: [], repeated: [] };
const threePages: readonly Step[] = [
  ['', 'ab', true],
  ['after=b', 'cd', true],
  ['after=d', 'ef'],
];

describe('a walk', () => {
  test.each<[string, readonly Step[], string]>([
    ['of three pages', threePages, 'abcdef'],
    ['of an empty list', [['', '']], ''],
    [
      'with a cursor that is empty',
      [
        ['after=', 'ab', true],
        ['after=b', 'c'],
      ],
      'abc',
    ],
    [
      'backwards',
      [
        ['before=g', 'ef', true],
        ['before=e', 'cd', true],
        ['before=c', 'ab'],
      ],
      'abcdef',
    ],
    [
      'of ids that are encoded',
      [
        ['', ' ', true],
        ['after=+', '&', true],
        ['after=%26', 'é'],
      ],
      ' &é',
    ],
    [
      'with a 503 that was tried again',
      [['', 'ab', true], ['after=b'], ['after=b'], ['after=b', 'cdef']],
      'abcdef',
    ],
    [
      'with an empty page that was tried again',
      [
        ['', 'ab', true],
        ['after=b', '', true],
        ['after=b', 'cdef'],
      ],
      'abcdef',
    ],
    [
      'whose first page was tried again',
      [
        ['', 'ab', true],
        ['', 'ab', true],
        ['after=b', 'cdef'],
      ],
      'abcdef',
    ],
    [
      'whose last page was tried again',
      [
        ['', 'abcd', true],
        ['after=d', 'ef'],
        ['after=d', 'ef'],
      ],
      'abcdef',
    ],
  ])('%s is complete, and stopped', (_what, steps, listed) => {
    expect(judge(steps, listed)).toEqual({ ...good, records: listed.length });
  });

  test.each<[string, readonly Step[], object]>([
    [
      'that stopped early',
      threePages.slice(0, 2),
      { stopped: false, exactlyOnce: false, missed: ['e', 'f'] },
    ],
    [
      'that skipped a page',
      [
        ['', 'ab', true],
        ['after=d', 'ef'],
      ],
      { stopped: true, exactlyOnce: false, missed: ['c', 'd'] },
    ],
    ['past the end', [...threePages, ['after=f', '']], { stopped: false, exactlyOnce: true }],
    [
      'past the end that began again',
      [...threePages, ['', 'ab', true]],
      { exactlyOnce: false, repeated: ['a', 'b'] },
    ],
    [
      'in a loop',
      [
        ['', 'ab', true],
        ['after=b', 'cd', true],
        ['after=d', 'ab', true],
        ['after=b', 'cd', true],
      ],
      { stopped: false, exactlyOnce: false, missed: ['e', 'f'], repeated: ['a', 'b', 'c', 'd'] },
    ],
    [
      'of pages that overlap',
      [
        ['', 'abc', true],
        ['after=c', 'cd', true],
        ['after=d', 'ef'],
      ],
      { stopped: true, exactlyOnce: false, repeated: ['c'], records: 6 },
    ],
    ['in which a record was seen three times', [['', 'aabcdefa']], { repeated: ['a'], records: 6 }],
    ['that saw what is no longer there', [['', 'abxcdef']], { exactlyOnce: true, records: 7, missed: [] }],
  ])('%s is judged so', (_what, steps, expected) => {
    expect(judge(steps)).toMatchObject(expected);
  });

  const refused = (query: string): RecordedRequest => ({
    ...toCall([query]),
    refusal: { assumption: 'unknown-api-key', quota: null },
  });

  test('does not have a refused call as a page', () => {
    const [first, second, third] = threePages.map(toCall) as [
      RecordedRequest,
      RecordedRequest,
      RecordedRequest,
    ];
    for (const query of ['', 'after=b', 'after=d']) {
      const other = refused(query);
      const found = follow([other, first, other, second, other, third, other]);
      expect(found).toEqual({ ...good, records: 6 });
    }
  });

  test('has not stopped if it requests what follows the end, even if that is refused', () => {
    expect(follow([...threePages.map(toCall), refused('after=f')])).toMatchObject({ stopped: false });
  });

  test('is judged by what the client saw, where that is given', () => {
    expect(judge(threePages, 'abcdef', 'abcdef').exactlyOnce).toBe(true);
    expect(judge(threePages, 'abcdef', 'abcd')).toMatchObject({ missed: ['e', 'f'], records: 4 });
    expect(judge(threePages, 'abcdef', 'abcdefa')).toMatchObject({ repeated: ['a'], records: 6 });
    expect(judge(threePages, 'abcdef', '')).toMatchObject({ records: 0, missed: [...'abcdef'] });
  });
});
