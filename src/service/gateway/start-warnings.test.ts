import { expect, test, vi } from 'vitest';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import { createGateway } from '../../index.ts';

const warningsOf = (scenario: Scenario): string[] => {
  const print = vi.spyOn(console, 'warn').mockImplementation(() => {});
  createGateway({ scenario });
  const warnings = print.mock.calls.map(String);
  print.mockRestore();
  return warnings;
};

test('the start warns of tags that are not Mustache, of the first few with their paths', () => {
  const prompt = (content: string) => ({ messages: [{ role: 'user', content }] });
  expect(warningsOf({ prompts: { fine: prompt('{{first name}}') } })).toEqual([]);
  expect(warningsOf({ prompts: { p: prompt('{{ name|upper }}') } })).toEqual([
    expect.stringContaining('prompts.p.messages[0].content: {{name|upper}} is not Mustache'),
  ]);
  const many = warningsOf({
    prompts: Object.fromEntries('abcdefghi'.split('').map((id) => [id, prompt('{{this}}')])),
  });
  expect([many.length, many.at(-1)]).toEqual([6, expect.stringContaining('gateway-mock validate FILE')]);
});
