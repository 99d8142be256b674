// What a fault can do, as the sentence says it.
import type { effectKinds } from '../../../core/faults/fault-kinds.ts';

type Choice = readonly [effect: string, text: string];

/** The effect that choosing each kind writes, and its words. */
const byKind: Readonly<Record<(typeof effectKinds)[number], Choice>> = {
  delay: ['delay 3s', 'wait 3 s, then reply'],
  drip: ['drip 2s', 'send the reply in pieces, over 2 s'],
  'hang-up': ['hang-up', 'cut the reply in the middle'],
  reset: ['reset', 'reset the connection'],
  'html-error': ['html-error', 'answer with the HTML error page of a proxy'],
  reply: ['reply 200 body={}', 'answer 200 with a body of your own'],
  'wrong-content-type': ['wrong-content-type', 'send another content type'],
  'malformed-json': ['malformed-json', 'send a body that is not JSON'],
  'truncated-json': ['truncated-json', 'send the first half of the JSON'],
  'empty-body': ['empty-body', 'send no body'],
  'cursor-loop': ['cursor-loop', 'send the first page again'],
  'empty-page': ['empty-page', 'send an empty page with has_more'],
  'repeat-record': ['repeat-record', 'repeat the last record on the next page'],
  'vanish-record': ['vanish-record', 'delete the record of the cursor'],
  'insert-records': ['insert-records 3', 'create 3 records since the page before'],
  'clamp-limit': ['clamp-limit 5', 'send at most 5 records a page'],
  'expire-cursor': ['expire-cursor', 'expire the cursor'],
};

export const effects: readonly Choice[] = [
  ...['503', '500', '429 retry-after=2', '404'].map((effect): Choice => [effect, `answer ${effect}`]),
  ...Object.values(byKind),
];

/** Which calls of those that match. */
export const whichCalls: readonly (readonly [value: string, text: string])[] = [
  ['', 'all calls'],
  ['#1', 'the next call'],
  ['#1-2', 'the next two calls'],
  ['#2', 'the call after the next'],
  ['every=2', 'every 2nd call'],
  ['every=5', 'every 5th call'],
  ['share=10%', 'one call in ten, by chance'],
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
