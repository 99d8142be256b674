import { expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';

const scenario = { jobs: { ftjob_a: { checkpoints: 130 }, ftjob_none: {} } };

describeTransports('checkpoints', { scenario }, ({ getJson, call }) => {
  test('are listed newest first, ten a page', async () => {
    const page = await getJson('/fine_tuning/jobs/ftjob_a/checkpoints');
    expect(page.data).toHaveLength(10);
    expect(page).toMatchObject({ has_more: true, first_id: page.data[0].id, last_id: page.data[9].id });
    const next = await getJson(`/fine_tuning/jobs/ftjob_a/checkpoints?after=${page.last_id}&limit=1`);
    expect(next.data[0].step_number).toBeLessThan(page.data[9].step_number);
  });

  test('of a job without any have null at both ends', async () => {
    const reply = await call('/fine_tuning/jobs/ftjob_none/checkpoints');
    expect(await reply.json()).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
    expect(reply.headers.get('x-mock-assumptions')).toBeNull();
  });

  test('may be asked for by more than a hundred, and the reply says on what that rests', async () => {
    const reply = await call('/fine_tuning/jobs/ftjob_a/checkpoints?limit=500');
    expect((await reply.json()).data).toHaveLength(130);
    expect(reply.headers.get('x-mock-assumptions')).toBe('checkpoint-limit-bounds');
  });

  test('may not be asked for by none', async () => {
    const reply = await call('/fine_tuning/jobs/ftjob_a/checkpoints?limit=0');
    expect(reply.status).toBe(400);
    expect((await reply.json()).error).toMatchObject({ param: 'limit', code: 'integer_below_min_value' });
  });
});
