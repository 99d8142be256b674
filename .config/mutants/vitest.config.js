// The settings of `npm test`, with mutants in the code: the driver (`../mutants.js`) starts Vitest with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import settings from '../vitest.config.js';

const { MUTANTS = '' } = process.env;

/** The files with all their mutants, each behind a switch. @type {Record<string, string>} */
const instrumented = JSON.parse(readFileSync(join(MUTANTS, 'instrumented.json'), 'utf8'));

const serveMutants = {
  name: 'serve-mutants',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} id */
  load: (id) => instrumented[id] ?? null,
};

export default defineConfig(async (env) => {
  const { test, plugins = [], ...others } = await settings(env);
  const inProcess = test?.projects?.slice(0, 3) ?? []; // unit, worlds, transports; the others mostly run other processes, and need a build
  return {
    ...others,
    plugins: [serveMutants, ...plugins],
    test: {
      ...test,
      projects: inProcess,
      runner: fileURLToPath(new URL('runner.js', import.meta.url)),
      maxWorkers: 1,
      experimental: { fsModuleCache: false }, // what is served is not what the files hold
      bail: 1, // without a mutant none fails, and one that fails is enough to find a mutant
      reporters: [{}], // the driver tells what was found
    },
  };
});
