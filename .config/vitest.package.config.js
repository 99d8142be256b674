// `npm run check:package`: what npm would publish, used as a user would.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/*.check.ts'],
    fileParallelism: false, // each of them builds, or installs packages
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
