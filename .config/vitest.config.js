import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileShipped, shippedFolders, shippedModule } from './shipped.js';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [
    {
      name: 'shipped',
      resolveId: (id) => (id === shippedModule ? `\0${shippedModule}` : null),
      load(id) {
        if (id !== `\0${shippedModule}`) return null;
        for (const folder of shippedFolders) this.addWatchFile(folder);
        return compileShipped();
      },
    },
  ],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build-once.ts'],
    setupFiles: ['test/hold-every-reply.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
