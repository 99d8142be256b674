import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { runCli } from '../support/run-cli.ts';
import { spawnCli } from '../support/spawn-cli.ts';

describe('the command prints the document', () => {
  test('to standard output or a file, as a server gives it out', async () => {
    const server = await openServer();
    const served = await fetch(`${server.url}/openapi.json`);
    const text = await served.text();
    const file = `${makeFolder()}/openapi.json`;
    const [printed, written] = await Promise.all([spawnCli('openapi').ended, runCli('openapi', '-o', file)]);
    // A server names itself; the command, the usual address.
    const usual = text.replace(server.baseUrl, 'http://127.0.0.1:4010/v1');
    expect(printed).toMatchObject({ code: 0, stderr: '', stdout: usual });
    expect(written).toMatchObject({ code: 0, stderr: '', stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe(usual);
  });

  test('with a message where the file cannot be written', async () => {
    const { code, stderr } = await runCli('openapi', '-o', `${makeFolder()}/none/openapi.json`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^gateway-mock: failed to write the file ".*openapi.json": [^\n]+\n$/);
  });

  test('of a scenario by its name, as a server of it', async () => {
    const { code, stdout, stderr } = await runCli('openapi', '--scenario', 'strict-answers');
    expect([code, stderr]).toEqual([0, '']);
    const server = await openServer({ scenario: 'strict-answers' });
    const served = await (await fetch(`${server.url}/openapi.json`)).text();
    expect(stdout).toBe(served.replace(server.baseUrl, 'http://127.0.0.1:4010/v1'));
    expect(stdout).not.toBe((await runCli('openapi')).stdout);
  });

  test('of a file', async () => {
    const folder = makeFolder({ 'mine.yaml': 'assumptions: { unknown-cursor: empty-page }' });
    const { stdout } = await runCli('openapi', '--scenario', `${folder}/mine.yaml`);
    expect(JSON.parse(stdout).paths['/batches'].get.responses[404]).toBeUndefined();
  });

  test('not of a scenario that cannot be loaded', async () => {
    const { code, stderr } = await runCli('openapi', '--scenario', 'defualt');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "default"?');
  });
});
