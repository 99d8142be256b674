import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileOpenapi, openapiModule } from './bundle.js';
import { compileControlRoom, controlRoomModule } from './control-room.js';
import { compileShipped, shippedFolders, shippedModule } from './shipped.js';

/**
 * A module without a file, which is compiled when it is first imported.
 *
 * @param {string} name
 * @param {() => string | Promise<string>} compile
 * @param {readonly string[]} watched the folders that it is compiled from
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

/**
 * Every test file loads these first. Each is listed here, and none imports another: test files may share modules, and then an
 * imported module, with its hooks, would be loaded only for the first file.
 */
export const setupFiles = ['setup', 'hold-every-reply'].map((name) =>
  fileURLToPath(new URL(`../test/support/${name}.ts`, import.meta.url)),
);

/**
 * A project of tests: its name, and the folders that have only its tests.
 *
 * @param {string} name
 * @param {readonly string[]} folders
 * @param {import('vitest/config').UserWorkspaceConfig['test']} [options]
 * @returns {{ extends: true, test: NonNullable<import('vitest/config').UserWorkspaceConfig['test']> }}
 */
const kind = (name, folders, options = {}) => ({
  extends: true,
  test: {
    name,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    setupFiles: [...setupFiles],
    provide: { mayListen: true },
    maxWorkers: 3, // one of them often waits for a process or a page
    isolate: false, // to load everything for each file would take more time than the tests
    ...options,
  },
});

/** Left out of `npm test`, since together they take minutes; `npm run test:all` runs them, and `.ci/run` some of them. */
const slow = 'test/**/*.slow.test.ts';

/** The folders with tests in process: those of one folder of the code, and those of whole worlds, often many or large. */
const quick = ['src', 'test/journal', 'test/project'];
const large = ['worlds', 'scenarios', 'faults', 'quotas'].map((name) => `test/${name}`);

/** No process, no socket, no browser, no build: what would need one fails. */
const inProcess = {
  setupFiles: [...setupFiles, 'test/support/no-sockets.ts'],
  maxWorkers: 2, // it waits for nothing
  provide: { mayListen: false },
};

export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: project === undefined ? [] : aliasesOf(project) },
  plugins: [
    virtual(shippedModule, compileShipped, shippedFolders),
    virtual(controlRoomModule, compileControlRoom, ['src/control-room']),
    virtual(openapiModule, compileOpenapi, []),
  ],
  test: {
    projects: [
      kind('unit', quick, inProcess),
      kind('worlds', large, inProcess),
      // Also what a client sees of the folders in process, on all transports.
      kind('transports', ['test/transports', 'test/clients', 'test/admin', 'test/conformance'], {
        include: [
          'test/{transports,clients,admin,conformance}/**/*.test.ts',
          ...[...quick, ...large].map((folder) => `${folder}/**/*.transports.test.ts`),
        ],
      }),
      kind('cli', ['test/cli'], { globalSetup: ['test/support/build.ts'] }),
      kind('browser', ['test/control-room', 'test/browser'], {
        globalSetup: ['test/support/build.ts', 'test/support/browser.ts'],
      }),
      kind('package', ['test/package'], {
        maxWorkers: 1,
        isolate: true,
        fileParallelism: false,
        setupFiles: [],
      }),
    ].map((project, groupOrder) => ({
      ...project,
      mode, // a project does not inherit it
      // One project after the other: a process is used again for files of its own project alone.
      test: {
        ...project.test,
        exclude: mode === 'full' ? [] : [slow],
        sequence: { shuffle: { files: mode === 'full', tests: true }, groupOrder },
      },
    })),
    reporters: [
      'default',
      {
        onInit: () => {
          if (mode !== 'full') console.log(`Left out, since they are slow (npm run test:all): ${slow}`);
        },
      },
    ],
    maxWorkers: 2,
    experimental: { fsModuleCache: true },
    // No test depends on another one; the seed is printed. In `npm test` the files that took longest come first: one that
    // begins last runs alone at the end.
    sequence: { shuffle: { files: mode === 'full', tests: true } },
    // Only for tests that never end: a busy machine takes ten times as long as usual.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
  },
}));
