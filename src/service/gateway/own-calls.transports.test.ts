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

  test.each(['99', '600', '1.5'])(
    'refuse with the status %s is a 500 that names the range',
    async (status) => {
      const reply = await call(`/refused/${status}`);
      expect(reply.status).toBe(500);
      expect((await reply.json()).error.message).toBe(
        `The call "refused" replied with the status ${status}: use a status from 200 to 599.`,
      );
      expect((await call('/refused/418')).status).toBe(418);
    },
  );

  test('set no header that the transport sets itself', async () => {
    const { status, headers } = await call('/framed');
    expect([status, headers.get('x-a')]).toEqual([200, 'b']);
    for (const name of ['trailer', 'te', 'upgrade']) expect(headers.get(name)).toBeNull();
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
    const missing = await call('/found/batch_unknown');
    expect(missing.status).toBe(404);
    expect((await missing.json()).error.message).toBe("No batch found with id 'batch_unknown'.");
    const waiting = control().requests.wait({ operation: 'findBatch', status: 503 });
    await control().faults.add('findBatch#2: 503');
    const [batch] = await control().records.batches.list({ limit: 1 });
    expect(await getJson(`/found/${batch?.id}`)).toEqual(batch);
    expect((await call(`/found/${batch?.id}`)).status).toBe(503);
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
    expect(await messageOf('/broken/rejects')).toEqual([500, 'The call "broken" threw an error: late.']);
    for (const [how, found] of [
      ['nothing', 'nothing'],
      ['later', 'nothing'],
      ['text', 'a string'],
      ['function', 'a function'],
    ])
      expect(await messageOf(`/broken/${how}`)).toEqual([
        500,
        `The call "broken" returned ${found}: return an object or reply(…).`,
      ]);
    expect((await messageOf('/broken/numbers'))[1]).toContain('an object of the class Float64Array');
    expect(await messageOf('/broken/map')).toEqual([
      500,
      'The call "broken" replied with an object of the class Map, which JSON cannot show: use an object, text, bytes or a stream.',
    ]);
    expect((await messageOf('/broken/events'))[1]).toContain('called events with null: give it a list');
    await expect(call('/broken/halfway').then((reply) => reply.text())).rejects.toThrow();
  });

  test('a handler may return a Response, a stream, bytes, an iterator or a promise', async () => {
    const read = async (how: string) => {
      const reply = await call(`/made/${how}`);
      return [reply.status, reply.headers.get('content-type'), await reply.text()];
    };
    expect(await read('response')).toEqual([201, 'text/x', 'a']);
    expect((await call('/made/response')).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await read('empty')).toEqual([204, null, '']);
    expect(await read('stream')).toEqual([200, null, 'streamed']);
    expect(await read('iterator')).toEqual([200, null, 'ab']);
    expect(await read('later')).toEqual([200, null, 'ab']);
    expect(await read('promise')).toEqual([202, null, 'accepted']);
    expect(await read('list')).toEqual([200, 'application/json', '[1,2]']);
    const bytes = await call('/made/bytes');
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(new Uint8Array([0xff, 0]));
    expect((await call('/made/iterator', { method: 'HEAD' })).status).toBe(200);
  });

  test('events arrive one by one, and faults act between them', async () => {
    const [first, second, third, fourth] = [
      'data: {"n":1}\n\n',
      'data: a\ndata: b\n\n',
      'event: last\ndata: {"n":3}\n\n',
      'data: [DONE]\n\n',
    ];
    const read = async () => {
      const reply = await call('/streamed');
      let text = '';
      const decoder = new TextDecoder();
      try {
        for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>)
          text += decoder.decode(piece);
      } catch {
        text += '(broken off)';
      }
      return text;
    };
    const reply = await call('/streamed?held=yes');
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = reply.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(first);
    await reader?.cancel();

    const all = [first, second, third, fourth].join('');
    expect(await read()).toBe(all);
    for (const [fault, text] of [
      ['hang-up', `${first}${second}(broken off)`],
      ['truncated-json', `${first}${second}`],
      ['empty-body', ''],
      ['drip 80ms', all],
      ['delay 10ms', all],
      ['malformed-json', all],
      ['wrong-content-type text/x', all],
    ]) {
      const line = `streamed: ${fault}`;
      await control().faults.add(line);
      const before = performance.now();
      expect([fault, await read()]).toEqual([fault, text]);
      if (fault === 'drip 80ms') expect(performance.now() - before).toBeGreaterThan(75);
      await control().faults.remove(line);
    }
    const outcomes = (await control().requests.list({ operation: 'streamed' })).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['cut', 'sent', 'cut', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent']);
    const [idle] = (await control().requests.list({ path: '/v1/streamed' })).flatMap(
      ({ idleFaults }) => idleFaults,
    );
    expect(idle).toEqual({ fault: 'streamed: malformed-json', reason: 'the reply is a stream' });
  });

  test('an asynchronous handler is in the journal as soon as its call arrives, and writes when it ends', async () => {
    const arrived = control().requests.wait({ operation: 'createLate' }, { until: 'arrival', from: 'now' });
    const sent = call('/late', { method: 'POST' });
    const [request] = await arrived;
    expect(request).toMatchObject({ status: null, outcome: 'pending' });
    const { id } = await (await sent).json();
    expect(await control().records.batches.get(id)).toMatchObject({ endpoint: '/late' });
    expect(await control().requests.get(request?.id ?? '')).toMatchObject({
      status: 200,
      reply: { body: expect.stringContaining(id) },
    });
    await control().state.undo();
    expect(await control().records.batches.get(id)).toBeUndefined();
  });

  test('a client that leaves before an asynchronous handler ends gets nothing', async () => {
    const leaving = new AbortController();
    const arrived = control().requests.wait({ operation: 'createLate' }, { until: 'arrival', from: 'now' });
    const sent = call('/late?after=300000', { method: 'POST', signal: leaving.signal });
    const [request] = await arrived;
    leaving.abort();
    await expect(sent).rejects.toThrow();
    const filter = { id: request?.id };
    await expect
      .poll(() => control().requests.get(filter.id ?? ''))
      .toMatchObject({ outcome: 'lost', status: null });
  });
});
