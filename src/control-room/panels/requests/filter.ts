// The search of the list, which is `q` in its link: words, and terms such as `status:5xx`. Only the words need the server,
// which has the bodies.
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';

type Test = (request: RecordedRequest) => boolean;

/** Whether its client did not get what it wanted: an error status, a part of a reply, or none. */
export const hasFailed: Test = (request) => isBroken(request) || (request.status ?? 0) >= 400;
export const isBroken: Test = ({ outcome }) => outcome === 'cut' || outcome === 'lost';
export const isUnmatched: Test = ({ operation, upstream }) => operation === null && upstream === null;

const kinds: Readonly<Record<string, Test>> = {
  failed: hasFailed,
  faulted: ({ faults }) => faults.length > 0,
  unmatched: isUnmatched,
};

interface Term {
  /** What can be written. */
  readonly form: RegExp;
  readonly has: (request: RecordedRequest, value: string) => boolean;
}

/** The terms by their names. Values are in lower case. */
const terms: Readonly<Record<string, Term>> = {
  status: {
    form: /^[1-5](?:xx|\d\d)$/,
    has: ({ status }, value) => String(status).startsWith(value.replace('xx', '')),
  },
  op: { form: /./, has: ({ operation }, value) => (operation ?? '').toLowerCase().includes(value) },
  outcome: { form: /^(?:pending|sent|cut|lost)$/, has: ({ outcome }, value) => outcome === value },
  is: { form: /^(?:failed|faulted|unmatched)$/, has: (request, value) => kinds[value]?.(request) ?? false },
};

/** Parses a search: tests that must all pass (none does if there is an error), and words for the server. Values of a term, separated by commas, are alternatives. */
export const parseSearch = (search = '') => {
  const tests: Test[] = [];
  const words: string[] = [];
  let error: string | undefined;
  for (const part of search.split(/\s+/).filter(Boolean)) {
    const [, name = '', list = ''] = /^(\w+):(.*)$/.exec(part) ?? [];
    const term = terms[name.toLowerCase()];
    const values = list.toLowerCase().split(',');
    if (term === undefined) words.push(part);
    else if (values.every((value) => term.form.test(value)))
      tests.push((request) => values.some((value) => term.has(request, value)));
    else {
      tests.push(() => false);
      error = `“${part}” cannot be searched for. Write status:404, status:5xx, op:listRuns, outcome:cut, outcome:lost or is:failed.`;
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

export const toggleTerm = (search: string, term: string): string => {
  const parts = search.split(/\s+/).filter((part) => part !== '' && part !== term);
  return (hasTerm(search, term) ? parts : [...parts, term]).join(' ');
};

/**
 * What a search leaves, oldest first.
 *
 * @param found the numbers of the requests with its words; undefined without words
 */
export const applySearch = (
  requests: readonly RecordedRequest[],
  { tests }: ReturnType<typeof parseSearch>,
  found: ReadonlySet<number> | undefined,
) =>
  requests.filter((request) => (found?.has(request.ordinal) ?? true) && tests.every((test) => test(request)));
