import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// Slow, since it builds the package and runs two servers.
test('the soak runs, and compares replies', { timeout: 120_000 }, async () => {
  const args = ['test/bench/soak.js', '--rounds', '1', '--sessions', '3'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^scripts played to their end +3$/m);
  expect(stdout).toMatch(/^wrong replies and failed calls +0$/m);
});
