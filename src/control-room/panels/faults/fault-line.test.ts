import { expect, test } from 'vitest';
import { conditionNames, effectKinds } from '../../../faults/kinds.ts';
import { parseRule } from '../../../faults/rule.ts';
import { examples } from './examples.ts';
import { readFault, writeFault } from './fault-line.ts';

const lines = Object.values(examples).flatMap(Object.keys);

test('the fields of each example write a line with the same meaning', () => {
  for (const line of lines) {
    const parts = readFault(line);
    expect(parseRule(writeFault(parts))).toEqual(parseRule(line));
  }
});

test('every kind of fault and every condition has an example', () => {
  const kinds = lines.map((line) => parseRule(line).effect.kind);
  expect(new Set(kinds)).toEqual(new Set(['error', ...effectKinds]));
  for (const name of conditionNames) expect(lines.join('\n')).toContain(` ${name}=`);
});
