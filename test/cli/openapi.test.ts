import { describe, expect, test } from 'vitest';
import { openServer } from '../support/open-gateway.ts';
import { runCli } from '../support/run-cli.ts';
import { spawnCli } from '../support/spawn-cli.ts';

describe('the command prints the document', () => {
  test('to standard output, as a server sends it', async () => {
    const server = await openServer();
    const served = await fetch(`${server.url}/openapi.json`);
    const stdout = await served.text();
    expect(await spawnCli('openapi').ended).toMatchObject({ code: 0, stderr: '', stdout });
  });

  test('not of a scenario: it is true for all', async () => {
    const { code, stderr } = await runCli('openapi', '--scenario', 'strict-answers');
    expect(code).toBe(2);
    expect(stderr).toContain('--scenario');
  });
});
