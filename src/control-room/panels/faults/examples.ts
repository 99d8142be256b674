/** Lines to start from, and what each does. Every kind of fault and every condition is among them. */
export const examples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Errors: {
    '*: 503': 'this error, for every call',
    'listBatches: 429 retry-after=2': 'too many requests, retry after 2 s',
    'renderPrompt: 401': 'the key is refused',
    'listRuns: 529 message="We are overloaded"': 'with your own message; also code= and param=',
    '*: html-error 502': 'the HTML error page of a proxy',
  },
  Slow: {
    '*: delay 2s': 'the usual reply, late',
    'listRuns: delay 500ms..2s': 'late by a random time in this range',
    'listBatches: drip 2s': 'the body arrives in pieces over this time',
  },
  Connection: {
    'listRuns: reset': 'reset before the reply',
    'listRuns: hang-up': 'closed half way through the body',
  },
  'Broken bodies': {
    '*: malformed-json': 'no JSON',
    '*: truncated-json': 'the first half of the JSON',
    '*: empty-body': 'status and headers as usual, no body',
    '*: wrong-content-type text/html': 'the usual body with another content type',
  },
  'A reply of your own': {
    'listBatches: reply 200 body={"object":"list","data":[],"has_more":false}': 'this body',
    '*: reply 204 header.x-note=hello': 'this status and header',
  },
  'Pages of the lists': {
    'listRuns: cursor-loop': 'the next page is the first page again',
    'listRuns: empty-page': 'the page is empty, but has_more is true',
    'listRuns: repeat-record': 'the page begins with the last record of the page before',
    'listRuns: vanish-record': 'the record of the cursor was deleted',
    'listRuns: insert-records 3': 'three records were created meanwhile',
    'listBatches: clamp-limit 5': 'a page has at most 5 records, whatever the limit',
    'listCheckpoints: expire-cursor': 'the cursor has expired',
  },
  'Only some calls': {
    'listRuns#3: 503': 'the third; also #2-4 or #5-',
    '* share=25%: 503': 'a quarter of them',
    '* times=2: 503': 'at most twice',
    'listRuns path=/v1/threads/thread_demo/*: 503': 'with a matching path',
    'listBatches query.after=*: 503': 'with this parameter',
    '* header.user-agent=*node*: 503': 'with a matching header',
    '* for=10m: 503': "for ten minutes of the mock's clock",
    '* until=2030-01-15T13:00:00Z: 503': 'until this time of the clock',
  },
};
