import { expect, test } from 'vitest';
import { ownCalls } from '../../../test/support/own-calls.ts';
import { describeTransports } from '../../../test/support/transports.ts';

describeTransports('own calls', { calls: ownCalls }, ({ call, getJson, post, control }) => {
  test('get, create, change and delete records, as the control sees them', async () => {
    const made = await post('/threads/thread_demo/runs', { assistant_id: 'asst_1', metadata: { a: 'b' } });
    expect(made.status).toBe(200);
    expect(made.headers.get('x-mock-assumptions')).toBe('own-call');
    const run = await made.json();
    expect(run).toMatchObject({ thread_id: 'thread_demo', assistant_id: 'asst_1', metadata: { a: 'b' } });
    expect(await control().records.runs.get(run.id)).toEqual(run);
    expect((await getJson('/threads/thread_demo/runs?limit=1')).data).toEqual([run]);

    await control().clock.advance('1s');
    const cancelled = await call(`/threads/thread_demo/runs/${run.id}/cancel`, { method: 'POST' });
    expect(await cancelled.json()).toMatchObject({ id: run.id, status: 'cancelling' });
    const removed = await call(`/threads/thread_demo/runs/${run.id}`, { method: 'DELETE' });
    expect([removed.status, await removed.text(), removed.headers.get('x-note')]).toEqual([204, '', 'gone']);
    expect(await control().records.runs.get(run.id)).toBeUndefined();
    await control().state.undo();
    expect((await control().records.runs.get(run.id))?.status).toBe('cancelling');
  });

  test('equal calls are answered each time, with query and headers, also as text', async () => {
    const first = await call('/ping?a=1&a=2&b', { headers: { 'x-gateway-api-key': 'k', 'x-note': 'n' } });
    const second = await getJson('/ping?a=1&a=2&b');
    expect(await first.json()).toMatchObject({ query: { a: '2', b: '' }, note: 'n' });
    expect(second.count).toBeGreaterThan(1);
    const text = await call('/text');
    expect([text.headers.get('content-type'), await text.text()]).toEqual([
      'text/event-stream',
      'data: 1\n\n',
    ]);
    expect((await call('/ping', { method: 'HEAD' })).status).toBe(200);
  });

  test('need the keys that they ask for, and share paths with operations', async () => {
    const headers = { 'x-gateway-api-key': 'k' };
    const create = '/threads/thread_demo/runs';
    expect((await call('/ping', { headers: {} })).status).toBe(401);
    expect((await call(create, { method: 'POST', headers, body: '{}' })).status).toBe(400);
    const options = await call(create, { method: 'OPTIONS' });
    expect(options.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('refuse, and have faults, an entry in the journal and waits', async () => {
    const missing = await call('/batches/batch_unknown');
    expect(missing.status).toBe(404);
    expect((await missing.json()).error.message).toBe("No batch found with id 'batch_unknown'.");
    const waiting = control().requests.wait({ operation: 'retrieveBatch', status: 503 });
    await control().faults.add('retrieveBatch#2: 503');
    const [batch] = await control().records.batches.list({ limit: 1 });
    expect(await getJson(`/batches/${batch?.id}`)).toEqual(batch);
    expect((await call(`/batches/${batch?.id}`)).status).toBe(503);
    expect(await waiting).toMatchObject([{ params: { batch_id: batch?.id } }]);
    const { records } = control();
    const unknown = await call('/threads/thread_demo/runs/run_unknown/cancel', { method: 'POST' });
    expect(unknown.status).toBe(400);
    expect((await unknown.json()).error.message).toContain('run_unknown');
    expect(await records.runs.count({ thread_id: 'thread_demo' })).toBeGreaterThan(0);
  });

  test('a handler that fails gets a 500 that names it', async () => {
    const messageOf = async (path: string) => {
      const reply = await call(path);
      return [reply.status, (await reply.json()).error.message];
    };
    expect(await messageOf('/broken/throws')).toEqual([
      500,
      'The call "broken" threw an error: out of paper.',
    ]);
    expect(await messageOf('/broken/promise')).toEqual([
      500,
      'The call "broken" returned a promise: handle must be synchronous.',
    ]);
    expect(await messageOf('/broken/nothing')).toEqual([
      500,
      'The call "broken" returned nothing: return an object or reply(…).',
    ]);
  });
});
