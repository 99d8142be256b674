// The test that `gateway-mock init` writes is green by pytest. By node:test: init.test.ts; by the runners of npm: test/package/init.test.ts.
import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { init } from '../support/init-project.ts';
import { makeFolder } from '../support/make-folder.ts';
import { hasModule } from '../support/missing-tool.ts';
import { runCli } from '../support/run-cli.ts';
import { buildFolder } from '../support/write-built.ts';

const run = promisify(execFile);

describe('the written test is green', () => {
  const hasPytest = hasModule('pytest', 'the test of pytest by init', 'apt-get install python3-pytest');
  test.skipIf(!hasPytest)('by pytest, which says what is missing without a server', async () => {
    const folder = makeFolder({ 'pytest.ini': '' });
    const [scenario = '', file = ''] = (await init(folder)).written;
    const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file];
    const exec = [join(buildFolder, 'cli.js'), 'exec', '--scenario', scenario, '--', 'python3', ...pytest];
    expect((await run(process.execPath, exec, { cwd: folder })).stdout).toContain('1 passed');
    const asInDocs = [join(buildFolder, 'cli.js'), 'exec', '--', 'python3', ...pytest]; // docs/pytest.md
    expect((await run(process.execPath, asInDocs, { cwd: folder })).stdout).toContain('1 passed');
    const alone = run('python3', pytest, { cwd: folder });
    await expect(alone).rejects.toMatchObject({ stdout: expect.stringContaining('There is no gateway.') });
  });

  test.skipIf(!hasPytest).each([{}, { 'tests/__init__.py': '' }])(
    'by pytest, with a conftest.py of the project, to which a line is added, and %o',
    async (files) => {
      const folder = makeFolder({ 'pytest.ini': '', 'tests/conftest.py': '# mine\n', ...files });
      const { stdout } = await runCli('init', '--dir', folder);
      const conftest = join(folder, 'tests/conftest.py');
      expect(readFileSync(conftest, 'utf8')).toBe('# mine\n');
      const [, file, line = ''] = /^Add this line to (.*):\n {2}(.*)$/m.exec(stdout) ?? [];
      expect(file).toBe(relative('', conftest));
      appendFileSync(conftest, line);
      const pytest = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
      const exec = [
        join(buildFolder, 'cli.js'),
        'exec',
        '--scenario',
        'scenarios/first.yaml',
        '--',
        ...pytest,
      ];
      expect((await run(process.execPath, exec, { cwd: folder })).stdout).toContain('1 passed');
    },
  );
});
