// The image, without Docker: each step of the Dockerfile runs in a clean folder, without rights. It is slow, since the steps install
// all packages and build the package again.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../bench/free-port.js';
import { buildImage, readContext, runStep, stepOptions } from '../support/dockerfile.ts';
import { makeFolder } from '../support/make-folder.ts';
import { root } from '../support/write-built.ts';

test('the image is built by its steps, holds no development files, serves, and its health check tells', async () => {
  expect(readContext(root)).not.toContain('test');
  const image = await buildImage(root, join(makeFolder(), 'image'));
  expect(readdirSync(image.folder).sort()).toEqual(['dist', 'package.json']);
  expect(image.user).toBe('node');

  for (const variables of [{}, { GATEWAY_MOCK_ADMIN_TOKEN: 'secret' }]) {
    const port = await freePort();
    const env = { ...image.env, ...variables, GATEWAY_MOCK_PORT: port };
    const check = () => runStep(image.healthCheck, image.folder, env);
    await expect(check()).rejects.toMatchObject({ code: 1 }); // nothing listens yet
    const [file = '', ...args] = image.entrypoint;
    const child = spawn(file, args, { ...stepOptions(image.folder, env), stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' },
      }).then(
        ({ status }) => status,
        () => undefined,
      );
    await expect.poll(() => ask('/v1/batches')).toBe(200);
    await check();
    expect(await ask('/__admin/scenario/current')).toBe('GATEWAY_MOCK_ADMIN_TOKEN' in variables ? 401 : 200);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }
});
