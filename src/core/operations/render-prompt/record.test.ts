import { expect, test } from 'vitest';
import { volume } from '../../../../test/support/settings.ts';
import { findPromptErrors } from './check-prompt.ts';
import { promptSchema } from './record.ts';

const user = (content: string) => ({ messages: [{ role: 'user', content }] });

const versions = [
  { version: 1, ...user('one') },
  { version: 2, labels: ['stable'], ...user('two') },
];

test.each([
  ['publishes a version that there is not', { published: 3, versions }, 'the version 3 does not exist'],
  [
    'has a label twice',
    { versions: [...versions, { version: 3, labels: ['stable'], ...user('x') }] },
    '"stable" is the name of',
  ],
  [
    'has a label that is another version',
    { versions: [...versions, { version: 3, labels: ['1'], ...user('x') }] },
    '"1" is the name of',
  ],
  [
    'labels a version latest',
    { versions: [{ version: 1, labels: ['latest'], ...user('x') }] },
    '"latest" is the name of',
  ],
  ['is not valid Mustache', user('{{#a}}'), 'the section {{#a}} is not closed'],
  ['has neither messages nor a string', {}, 'missing: expected `messages`'],
  ['has both messages and a string', { ...user('x'), string: '[]' }, 'cannot be combined'],
])('a prompt that %s is refused', (_title, given, said) => {
  const messages = [...findPromptErrors(given, {})].map(({ message }) => message);
  expect(messages).toEqual([expect.stringContaining(said)]);
});

test.each([
  ['a template alone', user('x')],
  ['versions, one of them published', { published: 1, versions }],
])('%s is a prompt', (_title, given) => {
  expect(promptSchema.safeParse(given).success).toBe(true);
});

test('very many labels are compared in time linear in their number', () => {
  const labels = Array.from({ length: volume(100_000, 5000) }, (_, index) => `label_number_${index}`);
  expect(promptSchema.safeParse({ versions: [{ version: 1, labels, ...user('one') }] }).success).toBe(true);
});
