import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

/** As `defineCall` returns it. The sources have no built package that a file could import. */
const module = (id: string, handle: string): string =>
  `export const one = { id: '${id}', method: 'POST', path: '/${id}/{name}', handle: ${handle} };\nexport const other = 1;\n`;

const open = async (text: string, options: object = {}) => {
  const file = join(makeFolder({ 'calls.mjs': text }), 'calls.mjs');
  const reloads: (string | undefined)[] = [];
  const onReload = (error?: Error) => void reloads.push(error?.message);
  const server = await openServer({ calls: file, watch: true, onReload, ...options });
  const post = async (path: string) => {
    const reply = await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers: keys });
    return [reply.status, JSON.stringify(await reply.json())];
  };
  return { file, server, reloads, post };
};

test.each([
  ['directly', {}],
  ['through MSW', { transport: 'msw' }],
])(
  'calls of a file are served %s, are in OpenAPI, and are reloaded when the file changes',
  async (_, options) => {
    const { file, server, reloads, post } = await open(
      module('greet', '({ params }) => ({ hello: params.name })'),
      options,
    );
    expect(await post('/greet/ada')).toEqual([200, '{"hello":"ada"}']);
    const { paths } = await (await fetch(`${server.url}/openapi.json`)).json();
    expect(paths['/greet/{name}'].post).toMatchObject({
      operationId: 'greet',
      parameters: [{ name: 'name' }],
    });
    expect(Object.keys(paths)).toContain('/batches');

    await server.records.batches.create({ id: 'kept' });
    writeFileSync(file, module('part', '({ params }) => ({ bye: params.name })'));
    await expect.poll(() => reloads).toEqual([undefined]);
    expect(await post('/part/ada')).toEqual([200, '{"bye":"ada"}']);
    expect((await post('/greet/ada'))[0]).toBe(404);
    const reloaded = await (await fetch(`${server.url}/openapi.json`)).json();
    expect(Object.keys(reloaded.paths)).toEqual([...Object.keys(paths).slice(0, -1), '/part/{name}']);
    expect((await server.records.batches.get('kept'))?.id).toBe('kept');

    writeFileSync(file, 'export const broken = ;');
    await expect.poll(() => reloads.length).toBe(2);
    expect(reloads[1]).toContain(`Failed to load the calls from ${file}: `);
    expect(await post('/part/bob')).toEqual([200, '{"bye":"bob"}']);
  },
);

test('a file that is wrong stops the start', async () => {
  await expect(open('export const x = 1;')).rejects.toThrow(
    'it exports no calls. Export objects { id, method, path, handle }.',
  );
  await expect(openServer({ calls: '/nowhere/calls.mjs' })).rejects.toThrow(
    'Failed to load the calls from /nowhere/calls.mjs: there is no such file.',
  );
  const folder = makeFolder();
  await expect(openServer({ calls: folder })).rejects.toThrow(
    `Failed to load the calls from ${folder}: it is a folder. Give its files, separated by commas.`,
  );
  await expect(open('\nunknown();')).rejects.toThrow(
    /: unknown is not defined\. The command node \S+ shows the line\.$/,
  );
});

test('a file that is not quite right is refused with the right form', async () => {
  const refusal = (file: string, text: string) =>
    openServer({ calls: join(makeFolder({ [file]: text }), file) }).then(
      () => undefined,
      (error: Error) => error.message.replace(/\S*[\\/]/, ''),
    );
  expect(
    await refusal(
      'calls.mjs',
      "export const a = { id: 'a', method: 'GET', path: '/x/:id', handle: () => ({}) };",
    ),
  ).toBe(
    'Failed to load the calls from calls.mjs: Failed to define the call "a": The option "path" must be a path with its parameters in braces: /x/{id}, but found "/x/:id".',
  );
  expect(
    await refusal('calls.json', '[{ "id": "a", "method": "GET", "path": "/x", "status": 99 }]'),
  ).toContain('[0].status');
  expect(await refusal('calls.yaml', 'id: a\nmethod: GET\nbdy: {}\npath: /x\n')).toContain('"bdy"');
  expect(await refusal('calls.json', '{ "id": ')).toContain('not valid JSON');
});

test('a file of fixed replies is JSON or YAML, is reloaded, and stands beside ready-made calls', async () => {
  const yaml = (text: string) => `
- { id: ping, method: GET, path: '/ping', body: { text: ${text} } }
- { id: remove, method: DELETE, path: '/x/{id}', status: 202, headers: { x-a: b }, body: gone }
`;
  const file = join(makeFolder({ 'calls.yaml': yaml('a') }), 'calls.yaml');
  const reloads: (Error | undefined)[] = [];
  const onReload = (error?: Error) => void reloads.push(error);
  const server = await openServer({ calls: `jobs,chat,${file}`, watch: true, onReload });
  const read = async (path: string, method = 'GET') => {
    const reply = await fetch(server.baseUrl + path, { method, headers: keys });
    return [reply.status, reply.headers.get('x-a'), await reply.text()];
  };
  expect(await read('/ping')).toEqual([200, null, '{"text":"a"}']);
  expect(await read('/x/1', 'DELETE')).toEqual([202, 'b', 'gone']);
  expect((await read('/fine_tuning/jobs/ftjob_demo'))[0]).toBe(200);
  const { paths } = await (await fetch(`${server.url}/openapi.json`)).json();
  expect(paths['/chat/completions'].post.summary).toContain('Completes a chat');
  writeFileSync(file, yaml('b'));
  await expect.poll(() => reloads).toEqual([undefined]);
  expect(await read('/ping')).toEqual([200, null, '{"text":"b"}']);
  await expect(openServer({ calls: 'rnus' })).rejects.toThrow(
    'Failed to load the calls "rnus": there are no ready-made calls of this name. A file has a path, such as ./calls.mjs. Did you mean "runs"?',
  );
});

test('a file may export a function, which gets the ready-made calls, and kinds of records, which a reload keeps', async () => {
  const text = (fields: string) => `
export default ({ defineRecords, defineCall, createChat }) => [
  defineRecords({ name: 'files', idPrefix: 'file_'${fields} }),
  defineCall({ id: 'createFile', method: 'POST', path: '/files', handle: (_call, { records }) => records.own.files.create({}) }),
  ...createChat({ replies: ['Hello.'] }),
];`;
  const file = join(makeFolder({ 'calls.mjs': text('') }), 'calls.mjs');
  const reloads: (Error | undefined)[] = [];
  const onReload = (error?: Error) => void reloads.push(error);
  const server = await openServer({ calls: file, watch: true, onReload });
  const post = async (path: string, body: object) => {
    const headers = { ...keys, 'content-type': 'application/json' };
    const reply = await fetch(server.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return reply.json();
  };
  const { id } = await post('/files', {});
  const messages = [{ role: 'user', content: 'Hi' }];
  expect((await post('/chat/completions', { messages })).choices[0].message.content).toBe('Hello.');
  writeFileSync(
    file,
    text(", owner: { kind: 'threads', field: 'thread_id' }").replace(
      'create({})',
      "create({ thread_id: 'thread_demo' })",
    ),
  );
  await expect.poll(() => reloads).toEqual([undefined]);
  const added = await post('/files', {});
  expect((await server.state.export()).own).toEqual({
    files: [{ id }, { id: added.id, thread_id: 'thread_demo' }],
  });
  writeFileSync(file, 'export const x = [];');
  await expect.poll(() => reloads.length).toBe(2);
});

/** The timers that our code has started, and that neither fired nor were cleared. Other code of this process has timers, too. */
const watchTimers = (): ReadonlySet<unknown> => {
  const open = new Set<unknown>();
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const [set, clear] of [
    ['setTimeout', 'clearTimeout'],
    ['setInterval', 'clearInterval'],
  ] as const) {
    const { [set]: start, [clear]: stop } = globalThis;
    vi.stubGlobal(set, (run: () => void, ms?: number) => {
      const isOurs = new Error().stack?.includes('/src/service/') === true;
      const timer = start(() => {
        if (set === 'setTimeout') open.delete(timer);
        run();
      }, ms);
      if (isOurs) open.add(timer);
      return timer;
    });
    vi.stubGlobal(clear, (timer?: NodeJS.Timeout) => {
      open.delete(timer);
      stop(timer);
    });
  }
  return open;
};

test('a server that was closed leaves no timer', async () => {
  const timers = watchTimers();
  const { server } = await open(module('greet', '() => ({})'), { scenarios: [makeFolder()] });
  expect(timers.size).toBe(2); // it watches the scenarios and the calls
  await server.close();
  expect(timers.size).toBe(0);
});

test('a file that never ends to load is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const refused = expect(open('await new Promise(() => {});')).rejects.toThrow(
    'it has not loaded after 20 s',
  );
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  await refused;
});
