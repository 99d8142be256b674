import { createRequire } from 'node:module';
import { join } from 'node:path';
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

/**
 * Another MSW than the installed one, from the folder of a project: `GATEWAY_MOCK_MSW=/path/of/project npx vitest …`.
 *
 * @param {string} project
 */
const aliasesOf = (project) => {
  const { resolve } = createRequire(join(project, 'package.json'));
  return ['msw', 'msw/node'].map((name) => ({ find: new RegExp(`^${name}$`), replacement: resolve(name) }));
};
const { GATEWAY_MOCK_MSW: project } = process.env;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: project === undefined ? [] : aliasesOf(project) },
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
