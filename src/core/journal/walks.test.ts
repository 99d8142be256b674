import { describe, expect, test } from 'vitest';
import { entryOf } from '../../../test/support/journal-entry.ts';
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

/**
 * The calls of a walk, such as `ab+ b>cd+ d>ef`: each has the records of its page, and `+` if there are more. Before them
 * stands the cursor, with `>` for `after` and `<` for `before`. `!` is a call that failed.
 */
const stepsOf = (walk: string): Step[] =>
  walk.split(' ').map((call) => {
    const [, cursor = '', sign = '', ids, more] = /^(?:(\w)([<>]))?(\w*|!)(\+?)$/.exec(call) ?? [];
    const query = sign && `${sign === '>' ? 'after' : 'before'}=${cursor}`;
    return ids === '!' ? [query] : [query, ids, more === '+'];
  });

const judge = (walk: string, listed?: string, seen?: string) =>
  follow(stepsOf(walk).map(toCall), listed, seen);

const good = { stopped: true, exactlyOnce: true, missed: [], repeated: [] };
const threePages = 'ab+ b>cd+ d>ef';

describe('a walk', () => {
  test.each([
    ['of three pages', threePages, 'abcdef'],
    ['of an empty list', '', ''],
    ['backwards', 'g<ef+ e<cd+ c<ab', 'abcdef'],
    ['with a call that failed and was tried again', 'ab+ b>! b>! b>cdef', 'abcdef'],
    ['with an empty page that was tried again', 'ab+ b>+ b>cdef', 'abcdef'],
    ['whose first page was tried again', 'ab+ ab+ b>cdef', 'abcdef'],
    ['whose last page was tried again', 'abcd+ d>ef d>ef', 'abcdef'],
  ])('%s is complete, and stopped', (_what, walk, listed) => {
    expect(judge(walk, listed)).toEqual({ ...good, records: listed.length });
  });

  test('of cursors that are empty or encoded is complete, too', () => {
    const steps: readonly Step[] = [
      ['after=', ' ', true],
      ['after=+', '&', true],
      ['after=%26', 'é'],
    ];
    expect(follow(steps.map(toCall), ' &é')).toEqual({ ...good, records: 3 });
  });

  test.each<[what: string, walk: string, expected: object]>([
    ['that stopped early', 'ab+ b>cd+', { stopped: false, exactlyOnce: false, missed: ['e', 'f'] }],
    ['that skipped a page', 'ab+ d>ef', { stopped: true, exactlyOnce: false, missed: ['c', 'd'] }],
    ['past the end', `${threePages} f>`, { stopped: false, exactlyOnce: true }],
    ['backwards past the end', 'g<ef+ e<cd+ c<ab a<', { stopped: false, exactlyOnce: true }],
    ['past the end that began again', `${threePages} ab+`, { exactlyOnce: false, repeated: ['a', 'b'] }],
    [
      'in a loop',
      'ab+ b>cd+ d>ab+ b>cd+',
      { stopped: false, missed: ['e', 'f'], repeated: ['a', 'b', 'c', 'd'] },
    ],
    ['of pages that overlap', 'abc+ c>cd+ d>ef', { stopped: true, repeated: ['c'], records: 6 }],
    ['in which a record was seen three times', 'aabcdefa', { repeated: ['a'], records: 6 }],
    ['that saw what is no longer there', 'abxcdef', { exactlyOnce: true, records: 7, missed: [] }],
  ])('%s is judged so', (_what, walk, expected) => {
    expect(judge(walk)).toMatchObject(expected);
  });

  const refused = (query: string): RecordedRequest => ({
    ...toCall([query]),
    refusal: { assumption: 'unknown-api-key', quota: null },
  });

  test('does not have a refused call as a page', () => {
    const pages = stepsOf(threePages).map(toCall);
    for (const query of ['', 'after=b', 'after=d']) {
      const other = refused(query);
      expect(follow([other, ...pages.flatMap((page) => [page, other])])).toEqual({ ...good, records: 6 });
    }
  });

  test('has not stopped if it requests what follows the end, even if that is refused', () => {
    expect(follow([...stepsOf(threePages).map(toCall), refused('after=f')])).toMatchObject({
      stopped: false,
    });
  });

  test('is judged by what the client saw, where that is given', () => {
    expect(judge(threePages, 'abcdef', 'abcdef').exactlyOnce).toBe(true);
    expect(judge(threePages, 'abcdef', 'abcd')).toMatchObject({ missed: ['e', 'f'], records: 4 });
    expect(judge(threePages, 'abcdef', 'abcdefa')).toMatchObject({ repeated: ['a'], records: 6 });
    expect(judge(threePages, 'abcdef', '')).toMatchObject({ records: 0, missed: [...'abcdef'] });
  });
});
