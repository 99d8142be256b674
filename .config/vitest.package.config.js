// `npm run check:package`: what npm would publish, used as a user would.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: { include: ['test/package.check.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
