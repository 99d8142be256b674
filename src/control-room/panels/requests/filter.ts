// The search of the list, which is `q` in its link: words, and terms such as `status:5xx`. Only the words need the server, which has the bodies.

import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';

type Test = (request: RecordedRequest) => boolean;

const outcomes = ['pending', 'sent', 'cut', 'lost'];

/** Whether its client did not get what it wanted: an error status, a part of a reply, or none. */
export const hasFailed: Test = (request) => isBroken(request) || (request.status ?? 0) >= 400;
export const isBroken: Test = ({ outcome }) => outcome === 'cut' || outcome === 'lost';
const isFaulted: Test = ({ faults }) => faults.length > 0;
export const isUnmatched: Test = ({ operation, upstream }) => operation === null && upstream === null;

const kindTests: Readonly<Record<string, Test>> = {
  failed: hasFailed,
  faulted: isFaulted,
  unmatched: isUnmatched,
};

/** The test of one value of a status: `404`, `4xx` or `>=400`. Undefined if it is none of these. */
const toStatusTest = (value: string): Test | undefined => {
  const [, sign = '', digits = ''] = /^([<>]?=?)([1-5](?:xx|\d\d))$/.exec(value) ?? [];
  if (digits === '') return undefined;
  const [first, last] = [Number(digits.replace('xx', '00')), Number(digits.replace('xx', '99'))];
  const from = sign === '>' ? last + 1 : sign.startsWith('<') ? 0 : first;
  const to = sign === '<' ? first - 1 : sign.startsWith('>') ? 999 : last;
  return ({ status }) => status !== null && status >= from && status <= to;
};

/** The terms by their names: how a value is tested, and what can be written. */
const terms: Readonly<
  Record<string, { readonly toTest: (value: string) => Test | undefined; readonly example: string }>
> = {
  status: { toTest: toStatusTest, example: 'status:404, status:5xx or status:>=400' },
  op: {
    toTest: (value) => (request) => (request.operation ?? '').toLowerCase().includes(value),
    example: 'op:listRuns',
  },
  outcome: {
    toTest: (value) => (outcomes.includes(value) ? ({ outcome }) => outcome === value : undefined),
    example: `outcome:${outcomes.join(', outcome:')}`,
  },
  is: { toTest: (value) => kindTests[value], example: `is:${Object.keys(kindTests).join(', is:')}` },
};

export interface Search {
  /** All must pass. */
  readonly tests: readonly Test[];
  /** What the server searches for. */
  readonly words: string;
  /** What is wrong with a term; undefined if nothing is. */
  readonly error: string | undefined;
}

/** Parses a search. Values of a term, separated by commas, are alternatives. */
export const parseSearch = (search = ''): Search => {
  const tests: Test[] = [];
  const words: string[] = [];
  let error: string | undefined;
  for (const part of search.split(/\s+/).filter(Boolean)) {
    const [, name = '', values = ''] = /^(\w+):(.*)$/.exec(part) ?? [];
    const term = terms[name.toLowerCase()];
    if (term === undefined) words.push(part);
    else {
      const any = values.toLowerCase().split(',').map(term.toTest);
      if (any.includes(undefined)) error = `“${part}” cannot be searched for. Write ${term.example}.`;
      tests.push((request) => any.some((test) => test?.(request)));
    }
  }
  return { tests, words: words.join(' '), error };
};

/** The chips: each adds its term to the search, or takes it out. */
export const chips = [
  { label: 'Errors', term: 'is:failed' },
  { label: 'By fault', term: 'is:faulted' },
  { label: 'Limited', term: 'status:429' },
  { label: 'No path', term: 'is:unmatched' },
] as const;

export const hasTerm = (search: string, term: string): boolean => search.split(/\s+/).includes(term);

export const toggleTerm = (search: string, term: string): string =>
  hasTerm(search, term)
    ? search
        .split(/\s+/)
        .filter((part) => part !== term)
        .join(' ')
    : `${search} ${term}`.trim();

/**
 * What a search leaves, oldest first.
 *
 * @param found the numbers of the requests with its words; undefined without words
 */
export const applySearch = (
  requests: readonly RecordedRequest[],
  { tests, error }: Search,
  found: ReadonlySet<number> | undefined,
): readonly RecordedRequest[] =>
  error !== undefined
    ? []
    : requests.filter(
        (request) => (found?.has(request.ordinal) ?? true) && tests.every((test) => test(request)),
      );
