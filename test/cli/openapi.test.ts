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
    expect(printed).toMatchObject({ code: 0, stderr: '', stdout: text });
    expect(written).toMatchObject({ code: 0, stderr: '', stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('with a message where the file cannot be written', async () => {
    const { code, stderr } = await runCli('openapi', '-o', `${makeFolder()}/none/openapi.json`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^gateway-mock: failed to write the file ".*openapi.json": [^\n]+\n$/);
  });

  test('not of a scenario: it is true for all', async () => {
    const { code, stderr } = await runCli('openapi', '--scenario', 'strict-answers');
    expect(code).toBe(2);
    expect(stderr).toContain('--scenario');
  });
});
