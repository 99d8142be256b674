import { describe, expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { checkWalk } from './walk-report.ts';

/** One call of a walk: its query, and the page that it got; none where it failed. */
type Step = readonly [query: string, ids?: string | undefined, hasMore?: boolean, fault?: string];

const entry = ([query, ids, hasMore = false, fault]: Step): Entry => ({
  time: 0,
  receivedAt: 0,
  ordinal: 0,
  call: { method: 'GET', path: '/v1/batches', query },
  headers: {},
  body: null,
  trace: {
    operation: 'listBatches',
    params: {},
    ...(ids !== undefined && { page: { ids: [...ids], has_more: hasMore } }),
    ...(fault !== undefined && { faults: [fault] }),
  },
  status: ids === undefined ? 503 : 200,
  replyHeaders: {},
  replyBody: null,
  assumptions: [],
  duration: 0,
});

/** Judges a walk over the records a to f, of which each letter is one. */
const judge = (steps: readonly Step[], listed = 'abcdef', seen?: string) =>
  checkWalk(steps.map(entry), [...listed], seen === undefined ? undefined : [...seen]);

const good = { stopped: true, exactlyOnce: true, missed: [], repeated: [], faults: [] };
const threePages: readonly Step[] = [
  ['', 'ab', true],
  ['after=b', 'cd', true],
  ['after=d', 'ef'],
];

describe('a walk', () => {
  test.each<[string, readonly Step[], string, number]>([
    ['of three pages', threePages, 'abcdef', 3],
    ['of one page', [['limit=100', 'abcdef']], 'abcdef', 1],
    ['of an empty list', [['', '']], '', 1],
    [
      'of pages of one',
      [
        ['limit=1', 'a', true],
        ['limit=1&after=a', 'b'],
      ],
      'ab',
      2,
    ],
    [
      'with a cursor that is empty',
      [
        ['after=', 'ab', true],
        ['after=b', 'c'],
      ],
      'abc',
      2,
    ],
    [
      'oldest first',
      [
        ['order=asc', 'fe', true],
        ['order=asc&after=e', 'dc', true],
        ['order=asc&after=c', 'ba'],
      ],
      'abcdef',
      3,
    ],
    [
      'backwards',
      [
        ['before=g', 'ef', true],
        ['before=e', 'cd', true],
        ['before=c', 'ab'],
      ],
      'abcdef',
      3,
    ],
    [
      'of ids that are encoded',
      [
        ['', ' ', true],
        ['after=+', '&', true],
        ['after=%26', 'é'],
      ],
      ' &é',
      3,
    ],
    [
      'with a 503 that was tried again',
      [['', 'ab', true], ['after=b'], ['after=b'], ['after=b', 'cdef']],
      'abcdef',
      4,
    ],
    [
      'with an empty page that was tried again',
      [
        ['', 'ab', true],
        ['after=b', '', true],
        ['after=b', 'cdef'],
      ],
      'abcdef',
      3,
    ],
    [
      'with a page that broke and was tried again',
      [
        ['', 'ab', true],
        ['after=b', 'cd', true],
        ['after=b', 'cd', true],
        ['after=d', 'ef'],
      ],
      'abcdef',
      4,
    ],
    [
      'whose first page was tried again',
      [
        ['', 'ab', true],
        ['', 'ab', true],
        ['after=b', 'cdef'],
      ],
      'abcdef',
      3,
    ],
    [
      'whose last page was tried again',
      [
        ['', 'abcd', true],
        ['after=d', 'ef'],
        ['after=d', 'ef'],
      ],
      'abcdef',
      3,
    ],
  ])('%s is complete, and stopped', (_what, steps, listed, calls) => {
    expect(judge(steps, listed)).toEqual({ ...good, calls, records: listed.length });
  });

  test.each<[string, readonly Step[], object]>([
    [
      'that stopped early',
      threePages.slice(0, 2),
      { stopped: false, exactlyOnce: false, missed: ['e', 'f'] },
    ],
    [
      'that never got a page',
      [[''], ['']],
      { stopped: false, exactlyOnce: false, records: 0, missed: [...'abcdef'] },
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
      'past the end, and past that',
      [...threePages, ['after=f', ''], ['after=f', '']],
      { stopped: false, calls: 5 },
    ],
    [
      'past the end that began anew',
      [...threePages, ['', 'ab', true]],
      { exactlyOnce: false, repeated: ['a', 'b'] },
    ],
    [
      'backwards past its end',
      [
        ['before=g', 'def', true],
        ['before=d', 'abc'],
        ['before=a', ''],
      ],
      { stopped: false, exactlyOnce: true },
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
    ['of a page that has a record twice', [['', 'abcdeff']], { exactlyOnce: false, repeated: ['f'] }],
    ['in which a record was seen three times', [['', 'aabcdefa']], { repeated: ['a'], records: 6 }],
    ['that saw what is no longer there', [['', 'abxcdef']], { exactlyOnce: true, records: 7, missed: [] }],
    ['that ended with an error', [['', 'ab', true], ['after=b']], { calls: 2, stopped: false, records: 2 }],
  ])('%s is judged so', (_what, steps, expected) => {
    expect(judge(steps)).toMatchObject(expected);
  });

  test('is reported with the faults that acted on it, each once', () => {
    const steps: readonly Step[] = [
      ['', undefined, false, 'listBatches#1-2: 503'],
      ['', undefined, false, 'listBatches#1-2: 503'],
      ['', 'abcdef', false, 'listBatches: delay 1ms'],
    ];
    expect(judge(steps).faults).toEqual(['listBatches#1-2: 503', 'listBatches: delay 1ms']);
  });

  test('is judged by what the client saw, where that is given', () => {
    expect(judge(threePages, 'abcdef', 'abcdef').exactlyOnce).toBe(true);
    expect(judge(threePages, 'abcdef', 'abcd')).toMatchObject({ missed: ['e', 'f'], records: 4 });
    expect(judge(threePages, 'abcdef', 'abcdefa')).toMatchObject({ repeated: ['a'], records: 6 });
    expect(judge(threePages, 'abcdef', '')).toMatchObject({ records: 0, missed: [...'abcdef'] });
  });

  test('of 100,000 records is judged in no time', () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => `batch_${at}`);
    const started = process.cpuUsage();
    expect(checkWalk([entry([''])], ids, [...ids, 'batch_7'])).toMatchObject({
      records: 100_000,
      repeated: ['batch_7'],
    });
    const { user, system } = process.cpuUsage(started); // the wall clock would count what others do meanwhile
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
