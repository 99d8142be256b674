import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import { statusText } from './status-text.ts';

test('each status has the words that Node sends with it', () => {
  const statuses = Array.from({ length: 400 }, (_, at) => 200 + at);
  expect(statuses.map(statusText)).toEqual(statuses.map((status) => STATUS_CODES[status] ?? 'unknown'));
});
