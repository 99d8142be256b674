import { expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { kinds as contractKinds } from '../../src/core/scenario/scenario-schema.ts';
import { allCommands } from '../../src/service/control/control.ts';
import { openServer } from '../support/open-gateway.ts';
import { setLimit } from '../support/set-limit.ts';
import { keys } from '../support/transports.ts';

const batches = (base: string): Promise<Response> => fetch(`${base}/batches`, { headers: keys });

/** Reads server-sent events until there are so many. */
const readEvents = async (response: Response, count: number): Promise<string[]> => {
  let text = '';
  const events = (): string[] => text.split('\n\n').filter((event) => event.startsWith('event:'));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (reader !== undefined && events().length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return events();
};

test('the document of the admin API has each of its calls, and the fields of each kind of record', async () => {
  const { adminUrl } = await openServer();
  const { openapi, components, paths } = await (await fetch(`${adminUrl}/openapi.json`)).json();
  expect(openapi).toBe('3.1.0');
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  const further = ['commands', 'events', 'health', 'metrics', 'openapi.json', 'scenario.file', 'state.file'];
  expect(ids.sort()).toEqual(
    [
      ...allCommands.map(({ name }) => name),
      ...allCommands.filter(({ isChange }) => !isChange).map(({ name }) => `${name}.get`),
      ...further,
    ].sort(),
  );

  const { Error: _, ...kinds } = components.schemas;
  const names = contractKinds.map(({ plural }) => plural).sort();
  expect(Object.keys(kinds).sort()).toEqual(names);
  expect(kinds.policies.properties).toMatchObject({
    unit: { type: 'string', enum: ['rpm', 'rph', 'rpd'] },
    value: { type: 'number' },
  });
  expect(kinds.runs).toMatchObject({
    properties: { status: { type: 'string' }, parallel_tool_calls: { type: ['boolean', 'null'] } },
    additionalProperties: false,
  });
  // The rest is seeded, or stays.
  expect(names.filter((name) => 'required' in kinds[name])).toEqual([]);
  for (const name of names)
    for (const { post } of [paths[`/records/${name}/create`], paths[`/records/${name}/update`]])
      expect(post.requestBody).toMatchObject({
        required: true,
        content: {
          'application/json': {
            schema: { properties: { fields: { $ref: `#/components/schemas/${name}` } } },
          },
        },
      });
});

test('a stream reports its session, also if others end or create it again', async () => {
  const { url, sessions } = await openServer();
  const own = await fetch(`${url}/sessions/mine/__admin/events`);
  expect(own.headers.get('content-type')).toBe('text/event-stream');
  await connect(url, { session: 'mine' }).clock.advance('1h');
  await batches(`${url}/sessions/mine/v1`);
  await sessions.create('mine');
  await sessions.delete('mine');
  const dataOf = (event: string): { journal?: number; session?: string; path?: string; what?: string } =>
    JSON.parse(event.split('data: ')[1] ?? '');
  const [opened, ...changes] = await readEvents(own, 6);
  expect(opened).toBe('event: open\ndata: {"session":"mine","journal":1000}');
  expect(changes.join()).not.toContain('test-key');
  expect(changes.map((event) => [event.split('\n')[0], dataOf(event).what])).toEqual([
    ['event: change', 'clock.advance'],
    ['event: request', undefined],
    ['event: settled', undefined],
    ['event: world', 'made'],
    ['event: world', 'deleted'],
  ]);
});

test('a stream whose client leaves makes room for another one', async () => {
  setLimit('streams', 1);
  const { adminUrl } = await openServer();
  const first = await fetch(`${adminUrl}/events`);
  expect((await fetch(`${adminUrl}/events`)).status).toBe(503);
  await first.body?.cancel();
  await expect.poll(async () => (await fetch(`${adminUrl}/events`)).status).toBe(200);
});

test('curl may ask with a query: texts, numbers and switches; what is nested is sent as JSON', async () => {
  const { baseUrl, adminUrl } = await openServer();
  await fetch(`${baseUrl}/threads/thread_demo/runs?limit=3`, { headers: keys });
  await batches(baseUrl);
  const count = async (query: string): Promise<unknown> =>
    (await fetch(`${adminUrl}/requests/count?${query}`)).json();
  expect(await count('')).toBe(2);
  expect(await count('status=200&method=get&operation=listRuns')).toBe(1);
  expect(await count('path=*thread_demo*&faulted=false')).toBe(1);
  expect(await count('status=4xx')).toBe(0);
  expect(await (await fetch(`${adminUrl}/requests/wait?count=2&timeout=50`)).json()).toHaveLength(2);
  expect(
    await (await fetch(`${adminUrl}/records/runs/list?thread_id=thread_demo&limit=2`)).json(),
  ).toHaveLength(2);
  const post = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${adminUrl}/requests/count`, { method: 'POST', headers, body })).json();
  };
  expect(await post('{"query":{"limit":"3"},"params":{"thread_id":"thread_*"}}')).toBe(1);
  expect(await post('[{"query":{"limit":"4"}}]')).toBe(0);
  const message = 'Failed to call requests.count: operation: expected a string, but found 5.';
  expect((await post('{"operation":5}')).error.message).toMatch(`${message} An example: GET /`);
  expect((await post('[{"operation":5}]')).error.message).toBe(message);
});

test('a program that asks for /__admin/ gets all commands, and can call each as it is shown, without a key', async () => {
  const { url, adminUrl, baseUrl, state, faults, requests } = await openServer();
  const page = await fetch(`${adminUrl}/`, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  const listed = await (await fetch(`${adminUrl}/`)).json();
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(allCommands.map(({ name }) => name));
  expect(listed).toContainEqual({
    name: 'clock.advance',
    summary:
      "Moves the clock by a number of seconds, or by a duration such as `'10m'`, `'1h30m'` or `'-2d'`.",
    call: 'POST /__admin/clock/advance {"by":"10m"}',
  });
  const head = await fetch(`${adminUrl}/clock/now`, { method: 'HEAD' });
  expect([head.status, head.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await requests.count()).toBe(0); // these are no requests of the world
  await state.save();
  await faults.add('listBatches: 503');
  for (const _ of ['first', 'second']) await fetch(`${baseUrl}/threads/thread_demo/runs`); // for the wait
  for (const { name, call } of listed) {
    const [method, path, ...body] = call.split(' ');
    const init = body.length === 0 ? {} : { body: body.join(' ') };
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(url + path, { method, headers, ...init });
    // Some need a record or a request that is not there: then the call is understood, and says so.
    expect([200, 400, 409], name).toContain(status);
  }
});

test('connect follows a session, aborts by a signal, and reaches what is not a command', async () => {
  const { url } = await openServer({ adminToken: 'letmein' });
  const stop = new AbortController();
  const control = connect(url, { session: 'mine', token: () => 'letmein', signal: stop.signal });
  expect(control.world).toBeUndefined();
  const heard: string[] = [];
  for await (const event of control.events()) {
    heard.push(event.type === 'change' ? event.what : event.type);
    if (event.type === 'open') {
      await control.clock.advance('1h');
      await batches(`${url}/sessions/mine/v1`);
    }
    if (event.type === 'request') break;
  }
  expect(heard).toEqual(['open', 'clock.advance', 'request']);
  expect(control.world).toMatch(/./);
  expect(await (await control.fetch('state/file?format=yaml')).text()).toContain('2026-01-15T13:00:00');

  const own = new AbortController();
  const waiting = control.withSignal(own.signal).requests.wait({ operation: 'listRuns' });
  own.abort();
  await expect(waiting).rejects.toThrow('aborted');
  expect((await control.clock.now()).now).toBe('2026-01-15T13:00:00.000Z');
  stop.abort();
  await expect(control.clock.now()).rejects.toThrow('aborted');
  await expect(connect(url).events().next()).rejects.toMatchObject({ status: 401 });
});
