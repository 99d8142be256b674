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
  const [unit, transports] = test?.projects ?? []; // the others need a build, and most of what they run is other processes
  return {
    ...others,
    plugins: [serveMutants, ...plugins],
    test: {
      ...test,
      projects: [unit, transports].filter((project) => project !== undefined),
      runner: fileURLToPath(new URL('runner.js', import.meta.url)),
      maxWorkers: 1,
      bail: 1, // without a mutant none fails, and one that fails is enough to find a mutant
      reporters: [{}], // the driver tells what was found
    },
  };
});
