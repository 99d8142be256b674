/** One fault to begin from. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** Every kind and every clause (docs/control.md), to be taken and changed. */
export const examples: readonly { readonly title: string; readonly examples: readonly Example[] }[] = [
  {
    title: 'Errors',
    examples: [
      { line: '*: 503', does: 'that error, for every call' },
      { line: 'listBatches: 429 retry-after=2', does: 'too many requests, come again in 2 s' },
      { line: 'renderPrompt: 401', does: 'the key is refused' },
      {
        line: 'listRuns: 529 message="We are overloaded"',
        does: 'with your own words; code= and param=, too',
      },
      { line: '*: html-error 502', does: 'the HTML page of a proxy in between' },
    ],
  },
  {
    title: 'Slow',
    examples: [
      { line: '*: delay 2s', does: 'the usual answer, late' },
      { line: 'listRuns: delay 500ms..2s', does: 'late by a time in this range' },
      { line: 'listBatches: drip 2s', does: 'the body comes in pieces over that time' },
    ],
  },
  {
    title: 'Connection',
    examples: [
      { line: 'listRuns: reset', does: 'reset before an answer' },
      { line: 'listRuns: hang-up', does: 'ends half way through the body' },
    ],
  },
  {
    title: 'Broken bodies',
    examples: [
      { line: '*: malformed-json', does: 'no JSON' },
      { line: '*: truncated-json', does: 'half of it, with the right length' },
      { line: '*: empty-body', does: 'status and headers as usual, no body' },
      { line: '*: wrong-content-type text/html', does: 'the usual body under another type' },
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
      { line: 'listRuns: cursor-loop', does: 'is the first one again' },
      { line: 'listRuns: empty-page', does: 'is empty, and says that there is more' },
      { line: 'listRuns: repeat-record', does: 'begins with the record that the page before ended with' },
      { line: 'listRuns: vanish-record', does: 'the record of the cursor is gone by now' },
      { line: 'listRuns: insert-records 3', does: 'three records were made meanwhile' },
      { line: 'listBatches: clamp-limit 5', does: 'has at most 5, whatever was asked for' },
      { line: 'listCheckpoints: expire-cursor', does: 'the cursor has expired' },
    ],
  },
  {
    title: 'Only some calls',
    examples: [
      { line: 'listRuns#3: 503', does: 'the third; #2-4 and #5- work, too' },
      { line: '* share=25%: 503', does: 'a quarter of them' },
      { line: '* times=2: 503', does: 'twice at the most' },
      { line: 'listRuns path=/v1/threads/thread_demo/*: 503', does: 'of such a path' },
      { line: 'listBatches query.after=*: 503', does: 'with such a parameter' },
      { line: '* header.user-agent=*node*: 503', does: 'with such a header' },
      { line: '* for=10m: 503', does: "for ten minutes of the world's clock" },
      { line: '* until=2030-01-15T13:00:00Z: 503', does: 'until that moment of it' },
    ],
  },
];
