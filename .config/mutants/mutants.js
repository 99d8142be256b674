// `npm run mutants -- src/core/protocol`: changes the code of folders or files in one small way after the other, with Stryker,
// and lists the changes that no test of `unit` and `worlds` finds. Its packages are installed here, by this command alone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const paths = process.argv.slice(2);
if (paths.length === 0)
  throw new Error('Failed to start: name folders or files to change, such as src/core/protocol.');

/** @param {string} command @param {readonly string[]} args @param {import('node:child_process').SpawnSyncOptions} [options] */
const run = (command, args, options) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status !== 0) process.exit(status ?? 1);
};

// The runner uses the Vitest of this repository, so peer dependencies are not installed.
if (!existsSync(`${here}node_modules`)) run('npm', ['ci', '--legacy-peer-deps'], { cwd: here });
const code = paths.map((path) => (/\.tsx?(:|$)/.test(path) ? path : `${path}/**/*.ts*`));
const mutate = [...code, '!**/*.test.ts', '!**/*.d.ts'].join(',');
run(`${here}node_modules/.bin/stryker`, ['run', `${here}stryker.config.json`, '--mutate', mutate]);
