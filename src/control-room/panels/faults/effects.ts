// What a fault can do, as the sentence says it.
import type { effectKinds } from '../../../core/faults/fault-kinds.ts';

/** The words of each kind, with the effect that choosing it writes. */
const byKind: Readonly<Record<(typeof effectKinds)[number], readonly [text: string, effect: string]>> = {
  delay: ['wait 3 s, then reply', 'delay 3s'],
  drip: ['send the reply in pieces, over 2 s', 'drip 2s'],
  'hang-up': ['cut the reply in the middle', 'hang-up'],
  reset: ['reset the connection', 'reset'],
  'html-error': ['answer with the HTML error page of a proxy', 'html-error'],
  reply: ['answer 200 with a body of your own', 'reply 200 body={}'],
  'wrong-content-type': ['send another content type', 'wrong-content-type'],
  'malformed-json': ['send a body that is not JSON', 'malformed-json'],
  'truncated-json': ['send the first half of the JSON', 'truncated-json'],
  'empty-body': ['send no body', 'empty-body'],
  'cursor-loop': ['send the first page again', 'cursor-loop'],
  'empty-page': ['send an empty page with has_more', 'empty-page'],
  'repeat-record': ['repeat the last record on the next page', 'repeat-record'],
  'vanish-record': ['delete the record of the cursor', 'vanish-record'],
  'insert-records': ['create 3 records since the page before', 'insert-records 3'],
  'clamp-limit': ['send at most 5 records a page', 'clamp-limit 5'],
  'expire-cursor': ['expire the cursor', 'expire-cursor'],
};

export const effects: readonly { readonly text: string; readonly effect: string }[] = [
  ...['503', '500', '429 retry-after=2', '404'].map((effect) => ({ text: `answer ${effect}`, effect })),
  ...Object.values(byKind).map(([text, effect]) => ({ text, effect })),
];

/** Which calls of those that match. */
export const whichCalls: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'all calls' },
  { value: '#1', label: 'the next call' },
  { value: '#1-2', label: 'the next two calls' },
  { value: '#2', label: 'the call after the next' },
  { value: 'every=2', label: 'every 2nd call' },
  { value: 'every=5', label: 'every 5th call' },
  { value: 'share=10%', label: 'one call in ten, by chance' },
];

/** Lines for what is often tested. They fill the sentence. */
export const recipesFor = (operation: string): readonly (readonly [title: string, line: string])[] => [
  ['503 twice, then fine', `${operation}#1-2: 503`],
  ['Slow by 3 s', `${operation}: delay 3s`],
  ['Cut in the middle', `${operation}#1: hang-up`],
  ['429 with retry-after', `${operation}#1: 429 retry-after=2`],
  ['A page repeats a record', `${operation.startsWith('list') ? operation : 'listBatches'}#2: repeat-record`],
  ['The connection is lost', `${operation}#1: reset`],
];
