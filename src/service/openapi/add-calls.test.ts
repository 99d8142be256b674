import { expect, test } from 'vitest';
import { defineCall } from '../gateway/own-calls.ts';
import { addCalls } from './add-calls.ts';

test('calls that share a path share its entry, whatever their parameters are called', () => {
  const handle = () => ({});
  const calls = [
    defineCall({ id: 'retrieve', method: 'GET', path: '/batches/{batch_id}', handle }),
    defineCall({ id: 'remove', method: 'DELETE', path: '/batches/{id}', virtualKey: true, handle }),
  ];
  const { paths } = JSON.parse(addCalls('{"paths":{"/batches":{}},"tags":[]}', calls));
  expect(Object.keys(paths)).toEqual(['/batches', '/batches/{batch_id}']);
  expect(paths['/batches/{batch_id}']).toMatchObject({
    get: { operationId: 'retrieve', parameters: [{ name: 'batch_id' }], security: [{ apiKey: [] }] },
    delete: {
      operationId: 'remove',
      parameters: [{ name: 'batch_id' }],
      security: [{ apiKey: [], virtualKey: [] }],
    },
  });
});
