// The settings of `npm test`, with mutants in the code: the driver (`../mutants.js`) starts Vitest with it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import settings from '../vitest.config.js';

const { MUTANTS_JOB = '' } = process.env;
/** @type {import('./job.js').Job} */
const job = JSON.parse(readFileSync(MUTANTS_JOB, 'utf8'));

/** Serves the files that hold all their mutants, each behind a switch. */
const serveMutants = {
  name: 'serve-mutants',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} id */
  load: (id) => job.instrumented[id] ?? null,
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
      bail: job.type === 'fresh' ? 1 : 0,
      reporters: ['dot'],
      dangerouslyIgnoreUnhandledErrors: job.type !== 'fresh',
    },
  };
});
