import { expect, test } from 'vitest';
import { effectKinds } from '../../../core/faults/fault-kinds.ts';
import { parseRule } from '../../../core/faults/rule.ts';
import { effects, recipesFor } from './effects.ts';
import { readFault, readWhich, withPath, withWhich, writeFault } from './fault-line.ts';

test.each([
  'listBatches: 429 retry-after=2 message="We are overloaded"',
  'listRuns: delay 500ms..2s',
  'listBatches#2-4: reply 200 body={"object":"list","data":[],"has_more":false} header.x-note=hello',
  'listRuns#3 path=/v1/threads/thread_demo/*: 503',
  '* share=25% times=2 for=10m until=2030-01-15T13:00:00Z query.after=* header.user-agent=*node*: 503',
])('the parts of %s write a line with the same meaning', (line) => {
  expect(parseRule(writeFault(readFault(line)))).toEqual(parseRule(line));
});

test('each kind of effect can be chosen in the sentence', () => {
  const chosen = effects.map(([effect]) => parseRule(`listBatches: ${effect}`).effect.kind);
  expect(new Set(chosen)).toEqual(new Set(['error', ...effectKinds]));
});

test.each(recipesFor('listRuns'))('the recipe %s can be added', (_, line) => {
  expect(parseRule(line).operation).toBe('listRuns');
});

test.each<[line: string, which: string, after: string]>([
  ['listRuns times=2: 503', 'every=5', 'listRuns times=2 every=5: 503'],
  ['listRuns every=5: 503', '#1-2', 'listRuns#1-2: 503'],
  ['listRuns#3 share=10%: 503', '', 'listRuns: 503'],
])('of %s the calls become %j', (line, which, after) => {
  const parts = withWhich(readFault(line), which);
  expect(writeFault(parts)).toBe(after);
  expect(readWhich(parts)).toBe(which);
});

test('the owner in a sentence is the path in its line', () => {
  const parts = readFault('listRuns path="/v1/threads/a b/runs" times=2: 503');
  expect(writeFault(withPath(parts, 'path=/v1/threads/c/runs'))).toBe(
    'listRuns times=2 path=/v1/threads/c/runs: 503',
  );
  expect(writeFault(withPath(parts, ''))).toBe('listRuns times=2: 503');
});
