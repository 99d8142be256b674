// A scenario file over HTTP, for clients that have no YAML parser, as the page and curl.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { readScenario } from '../../src/node.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const post = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });
const messageIn = async (reply: Response): Promise<string> => (await reply.json()).error.message;
const listBatches = async (baseUrl: string): Promise<string> =>
  (await fetch(`${baseUrl}/batches?limit=100`, { headers: keys })).text();

test.each(['bug 17.yml', 'bug 17.json'])(
  'a state that is saved as %s is loaded by a fresh server under that name, as text and as a folder',
  async (file) => {
    const server = await openServer({ scenario: 'in-flight' });
    await server.clock.advance('5m');
    await server.records.batches.create({ status: 'failed', metadata: { note: 'yes', at: '2026-01-15' } });
    const format = file.endsWith('.json') ? 'json' : 'yaml';
    const saved = await fetch(`${server.adminUrl}/state/file?format=${format}`);
    expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="in-flight.${format}"`);
    expect(saved.headers.get('content-type')).toBe(`application/${format}`);
    const text = await saved.text();

    const fresh = await openServer();
    const loaded = await post(`${fresh.adminUrl}/scenario/file?name=${encodeURIComponent(file)}`, text);
    expect(await loaded.json()).toEqual(await fresh.scenario.current());
    expect(await fresh.scenario.current()).toMatchObject({ name: 'bug 17', seed: 42 });

    const folder = makeFolder();
    await writeFile(join(folder, file), text);
    const beside = await openServer({ scenarios: [folder], scenario: 'bug 17' as 'default' });
    expect(await beside.scenario.current()).toMatchObject({ name: 'bug 17' });
    expect(await readScenario(join(folder, file))).toEqual(await server.state.export());

    const bytes = await listBatches(server.baseUrl);
    expect(bytes).toContain('"note":"yes"');
    expect(await listBatches(fresh.baseUrl)).toBe(bytes);
    expect(await listBatches(beside.baseUrl)).toBe(bytes);
  },
);

test('a file is loaded into its session alone, with what it extends, and can be undone', async () => {
  const server = await openServer({ seed: 3 });
  const mine = server.session('mine');
  const { url } = server;
  const events = connect(url, { session: 'mine' }).events();
  await events.next(); // the stream is open
  const reply = await post(
    `${url}/sessions/mine/__admin/scenario/file?name=in-flight.yaml`,
    'extends: in-flight\ndescription: "With: colons"\nseed: 9\n',
  );
  expect(reply.status).toBe(200);
  expect(reply.headers.get('x-mock-world-new')).toBe('yes');
  // The option of the server is applied, as to any other scenario.
  expect(await mine.scenario.current()).toMatchObject({
    name: 'in-flight',
    description: 'With: colons',
    seed: 3,
  });
  expect(await server.scenario.current()).toMatchObject({ name: 'default' });
  await mine.state.undo();
  expect((await events.next()).value).toMatchObject({ type: 'change', what: 'scenario.load' });
  await events.return();
  expect(await mine.scenario.current()).toMatchObject({ name: 'default' });
});

test('each error of a file is told with its line, and the world stays as it is', async () => {
  const { adminUrl, scenario } = await openServer();
  const broken: readonly (readonly [file: string, text: string, problem: string])[] = [
    [
      'a.yaml',
      'seed: 1\nbatches:\n  complete: 1\n',
      'a.yaml:3:3 batches.complete: unknown key. Did you mean',
    ],
    ['a.json', '{\n  "seed": 1,\n  "batches": {\n}', 'a.json:4:2 not valid JSON'],
    ['a.yml', 'seed: "1\n', 'a.yml:1:7 not valid YAML: the quote that starts here is not closed'],
  ];
  for (const [file, text, problem] of broken) {
    const reply = await post(`${adminUrl}/scenario/file?name=${file}`, text);
    expect(reply.status).toBe(400);
    const body = await reply.json();
    expect(body.error.message).toContain(`Failed to load the scenario "a":\n  - ${problem}`);
    expect(body.errors[0]).toMatchObject({ file, line: Number(/:(\d+):/.exec(problem)?.[1]) });
  }
  expect(await scenario.current()).toMatchObject({ name: 'default' });
});

test('what is no text of a scenario file is refused in words', async () => {
  const { adminUrl } = await openServer();
  const file = '/scenario/file?name=';
  const refused: readonly (readonly [path: string, init: RequestInit, status: number, words: string])[] = [
    [`${file}a.yaml`, { body: new Uint8Array([0xff]) }, 400, 'The body is not valid UTF-8.'],
    [`${file}a.yaml`, { body: ' '.repeat(250_001) }, 413, 'a YAML file may have at most 250000 characters.'],
    [`${file}a.yaml`, { body: new URLSearchParams('seed=1') }, 415, 'as "curl -T FILE" does.'],
    [`${file}a.yaml`, { headers: { 'content-encoding': 'gzip' } }, 400, "The content encoding 'gzip' is not"],
    [`${file}%ff.yaml`, { body: 'nope: 1' }, 400, 'Failed to load the scenario "\ufffd"'],
    [`${file}a.txt`, {}, 400, 'Invalid file name "a.txt": it must end in .yaml, .yml or .json'],
    ['/state/file?format=xml', { method: 'GET' }, 400, 'expected "yaml" or "json", but found "xml".'],
    [`${file}a.yaml`, { method: 'DELETE' }, 405, 'does not support DELETE, only POST.'],
  ];
  for (const [path, init, status, words] of refused) {
    const body = init.method === undefined ? 'seed: 1' : undefined;
    const reply = await fetch(adminUrl + path, { method: 'POST', ...(body && { body }), ...init });
    expect([path, reply.status, await messageIn(reply)]).toEqual([
      path,
      status,
      expect.stringContaining(words),
    ]);
  }
});
