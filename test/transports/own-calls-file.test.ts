import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
    'it exports none. Export what defineCall() returns.',
  );
  await expect(openServer({ calls: '/nowhere/calls.mjs' })).rejects.toThrow(
    'Failed to load the calls from /nowhere/calls.mjs: there is no such file.',
  );
  await expect(open('\nunknown();')).rejects.toThrow(
    /: unknown is not defined\. The command node \S+ shows the line\.$/,
  );
});
