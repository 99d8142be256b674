// A rebuild or `npm ci` beside a running server takes away what it loads at the first use.
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keys } from '../support/transports.ts';
import { buildFolder, makeBuiltFolder } from '../support/write-built.ts';

test('a server whose page and documents cannot be loaded answers 500 in JSON, and goes on', async () => {
  const folder = makeBuiltFolder('lost-chunks');
  for (const file of readdirSync(buildFolder))
    if (file.endsWith('.js')) copyFileSync(join(buildFolder, file), join(folder, file));
  const { startServer } = await import(join(folder, 'server.js'));
  const server = await startServer();
  for (const file of readdirSync(folder))
    if (/^(virtual|document|docs)/.test(file)) rmSync(join(folder, file));
  try {
    for (const path of ['/__admin/', '/openapi.json', '/openapi.json']) {
      const reply = await fetch(`${server.url}${path}`);
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([
        path,
        500,
        'application/json',
      ]);
      expect((await reply.json()).error.message).toMatch(/^Failed to /);
    }
    expect((await fetch(`${server.baseUrl}/batches`, { headers: keys })).status).toBe(200);
  } finally {
    await server.close();
  }
});
