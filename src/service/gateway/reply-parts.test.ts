import { expect, test } from 'vitest';
import { toReplyBody } from './reply-parts.ts';

const record = { id: 'run_1', metadata: { a: '"b"' } };

test.each<object>([
  { object: 'list', data: [], has_more: false },
  { object: 'list', data: [record], first_id: 'run_1', has_more: false },
  { data: [record, { id: 'run_2' }, record], object: 'list' },
])('the body of the list %j is its JSON, joined from parts', (list) => {
  const { body, parts } = toReplyBody(list);
  expect([body, parts?.join('')]).toEqual([JSON.stringify(list), JSON.stringify(list)]);
});

test('pages share the texts of their records, which the journal keeps', () => {
  const [one, two] = [{ data: [record] }, { data: [record], has_more: true }].map(
    (page) => toReplyBody(page).parts,
  );
  expect(one).toContain(JSON.stringify(record));
  expect(two).toContain(JSON.stringify(record));
});

test('a reply that is no list is its JSON, without parts', () => {
  expect(toReplyBody({ id: 'policy', value: 1 })).toEqual({ body: '{"id":"policy","value":1}' });
});
