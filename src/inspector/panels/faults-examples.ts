/** An example of a fault. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** Examples of every kind and clause (docs/control.md), to copy and change. */
export const examples: readonly { readonly title: string; readonly examples: readonly Example[] }[] = [
  {
    title: 'Errors',
    examples: [
      { line: '*: 503', does: 'this error, for every call' },
      { line: 'listBatches: 429 retry-after=2', does: 'too many requests, retry after 2 s' },
      { line: 'renderPrompt: 401', does: 'the key is refused' },
      {
        line: 'listRuns: 529 message="We are overloaded"',
        does: 'with your own message; also code= and param=',
      },
      { line: '*: html-error 502', does: 'the HTML error page of a proxy' },
    ],
  },
  {
    title: 'Slow',
    examples: [
      { line: '*: delay 2s', does: 'the usual reply, late' },
      { line: 'listRuns: delay 500ms..2s', does: 'late by a random time in this range' },
      { line: 'listBatches: drip 2s', does: 'the body arrives in pieces over this time' },
    ],
  },
  {
    title: 'Connection',
    examples: [
      { line: 'listRuns: reset', does: 'reset before the reply' },
      { line: 'listRuns: hang-up', does: 'closed half way through the body' },
    ],
  },
  {
    title: 'Broken bodies',
    examples: [
      { line: '*: malformed-json', does: 'no JSON' },
      { line: '*: truncated-json', does: 'the first half of the JSON' },
      { line: '*: empty-body', does: 'status and headers as usual, no body' },
      { line: '*: wrong-content-type text/html', does: 'the usual body with another content type' },
    ],
  },
  {
    title: 'A reply of your own',
    examples: [
      { line: 'listBatches: reply 200 body={"object":"list","data":[],"has_more":false}', does: 'this body' },
      { line: '*: reply 204 header.x-note=hello', does: 'this status and header' },
    ],
  },
  {
    title: 'Pages of the lists',
    examples: [
      { line: 'listRuns: cursor-loop', does: 'is the first page again' },
      { line: 'listRuns: empty-page', does: 'is empty, with has_more true' },
      { line: 'listRuns: repeat-record', does: 'begins with the last record of the page before' },
      { line: 'listRuns: vanish-record', does: 'the record of the cursor was deleted' },
      { line: 'listRuns: insert-records 3', does: 'three records were created meanwhile' },
      { line: 'listBatches: clamp-limit 5', does: 'has at most 5 records, with any limit' },
      { line: 'listCheckpoints: expire-cursor', does: 'the cursor has expired' },
    ],
  },
  {
    title: 'Only some calls',
    examples: [
      { line: 'listRuns#3: 503', does: 'the third; #2-4 and #5- work, too' },
      { line: '* share=25%: 503', does: 'a quarter of them' },
      { line: '* times=2: 503', does: 'at most twice' },
      { line: 'listRuns path=/v1/threads/thread_demo/*: 503', does: 'with a matching path' },
      { line: 'listBatches query.after=*: 503', does: 'with this parameter' },
      { line: '* header.user-agent=*node*: 503', does: 'with a matching header' },
      { line: '* for=10m: 503', does: "for ten minutes of the mock's clock" },
      { line: '* until=2030-01-15T13:00:00Z: 503', does: 'until this time of the clock' },
    ],
  },
];
