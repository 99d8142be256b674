import { expect, test } from 'vitest';
import { effectKinds } from '../../../core/faults/kinds.ts';
import { parseRule } from '../../../core/faults/rule.ts';
import { readFault, withKind, writeFault } from './fault-line.ts';

test.each([
  'listBatches: 429 retry-after=2 message="We are overloaded"',
  'listRuns: delay 500ms..2s',
  'listBatches#2-4: reply 200 body={"object":"list","data":[],"has_more":false} header.x-note=hello',
  'listRuns#3 path=/v1/threads/thread_demo/*: 503',
  '* share=25% times=2 for=10m until=2030-01-15T13:00:00Z query.after=* header.user-agent=*node*: 503',
])('the fields of %s write a line with the same meaning', (line) => {
  expect(parseRule(writeFault(readFault(line)))).toEqual(parseRule(line));
});

test.each(effectKinds)('the kind %s can be chosen as it is', (kind) => {
  expect(parseRule(writeFault(withKind(readFault('* times=2: 503'), kind))).effect.kind).toBe(kind);
});
