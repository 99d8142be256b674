import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileInspector, inspectorModule } from './inspector.js';
import { compileShipped, shippedFolders, shippedModule } from './shipped.js';
import { compileWords, wordsModule } from './words.js';

/**
 * A module that is made when it is asked for.
 *
 * @param {string} name
 * @param {() => string} compile
 * @param {readonly string[]} watched the folders that it is made of
 * @returns {import('vite').Plugin}
 */
const virtual = (name, compile, watched) => ({
  name,
  resolveId: (id) => (id === name ? `\0${name}` : null),
  load(id) {
    if (id !== `\0${name}`) return null;
    for (const folder of watched) this.addWatchFile(folder);
    return compile();
  },
});

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [
    virtual(shippedModule, compileShipped, shippedFolders),
    virtual(inspectorModule, compileInspector, []),
    virtual(wordsModule, compileWords, []),
  ],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build-once.ts'],
    setupFiles: ['test/hold-every-reply.ts'],
    maxWorkers: 2, // most tests wait for a process, a socket or a page half of their time
    // They are there for what never ends. A machine that is busy takes ten times as long as usual.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
