import { expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';

describeTransports('batches', { scenario: { batches: 30 } }, ({ getJson }) => {
  test('are listed newest first, twenty a page, with the ends of the page', async () => {
    const page = await getJson('/batches');
    const times = page.data.map(({ created_at }: { created_at: number }) => created_at);
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    expect(page).toMatchObject({ has_more: true, first_id: page.data[0].id, last_id: page.data[19].id });
    const rest = await getJson(`/batches?after=${page.last_id}`);
    expect(rest.data).toHaveLength(10);
    expect(rest.has_more).toBe(false);
  });

  test('take no order and no before: what the contract does not name is ignored', async () => {
    const page = await getJson('/batches?order=asc&before=nothing');
    expect(page).toEqual(await getJson('/batches'));
  });
});

describeTransports('no batches', { scenario: {} }, ({ getJson, call }) => {
  test('make a page without ends', async () => {
    expect(await getJson('/batches')).toEqual({ object: 'list', data: [], has_more: false });
    expect((await call('/batches')).headers.get('x-mock-assumptions')).toBeNull();
  });
});
