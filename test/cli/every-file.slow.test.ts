// What holds each reply against the contract does so in every file of a worker, not in the first one alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { builtProject } from '../support/suite-project.ts';
import { makeBuiltFolder, root } from '../support/write-built.ts';

test('a deviation fails its test in each of several files that share a process', async () => {
  const folder = makeBuiltFolder('gateway-mock-every-file');
  const files = ['first', 'second', 'third'];
  for (const name of files)
    writeFileSync(
      join(folder, `${name}.test.js`),
      `import { deviations } from ${JSON.stringify(join(root, 'test/support/deviations.ts'))};
      test('${name}', () => void deviations.push('what no reply may have'));`,
    );
  const config = join(folder, 'vitest.config.mjs');
  const ours = pathToFileURL(join(root, '.config/vitest.config.js')).href;
  writeFileSync(
    config,
    `const { default: define, setupFiles } = await import(${JSON.stringify(ours)});
    const { plugins } = define({ mode: 'test' });
    const server = { deps: { inline: true } }; // they are below node_modules, and import TypeScript
    const test = { globals: true, isolate: false, fileParallelism: false, setupFiles, server };
    export default { plugins, test };`,
  );
  const args = ['run', '--root', folder, '--config', config, '--reporter', 'json'];
  const child = spawn(process.execPath, [builtProject.vitest, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [report] = await Promise.all([readText(child.stdout), once(child, 'close')]);
  expect(JSON.parse(report)).toMatchObject({ numFailedTests: files.length, numPassedTests: 0 });
});
