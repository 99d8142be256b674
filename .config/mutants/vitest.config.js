// The settings of `npm test` for Stryker: the projects that need no build and no process.
import { defineConfig } from 'vitest/config';
import settings from '../vitest.config.js';

export default defineConfig(async (env) => {
  const { test, ...others } = await settings(env);
  const projects = test?.projects?.slice(0, 2) ?? []; // unit, worlds
  return { ...others, test: { ...test, projects, maxWorkers: 1, experimental: {}, bail: 0, reporters: [] } };
});
