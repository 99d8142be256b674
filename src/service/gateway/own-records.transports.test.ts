import { expect, test } from 'vitest';
import { describeTransports } from '../../../test/support/transports.ts';
import { defineCall } from './own-calls.ts';
import { defineRecords } from './own-records.ts';

const calls = [
  defineRecords({ name: 'files', idPrefix: 'file_' }),
  defineCall({
    id: 'createFile',
    method: 'POST',
    path: '/files',
    handle: ({ body }, { records }) => records.own.files?.create(body) ?? {},
  }),
  defineCall({
    id: 'listFiles',
    method: 'GET',
    path: '/files',
    handle: ({ query }, { page, records }) => page(records.own.files?.list() ?? [], query),
  }),
];
const scenario = { own: { files: [{ id: 'file_a', purpose: 'batch' }] } };

describeTransports("records of a user's own kinds", { calls, scenario }, ({ post, getJson, control }) => {
  test('are written by calls and by the control, in their session alone', async () => {
    const file = await (await post('/files', { purpose: 'vision' })).json();
    const { files } = control().records.own;
    expect(await files?.get(file.id)).toEqual({ id: expect.stringMatching(/^file_/), purpose: 'vision' });
    await files?.update('file_a', { purpose: 'x' });
    expect((await getJson('/files')).data).toEqual([file, { id: 'file_a', purpose: 'x' }]);
    expect((await post('/files', { id: 'file_a' })).status).toBe(400);
    await control().state.undo({ to: 1 });
    expect((await getJson('/files')).data).toEqual([{ id: 'file_a', purpose: 'batch' }]);
  });
});
