import { readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compileControlRoom, controlRoomModule } from './control-room.js';
import { nodeLibraries } from './node-libraries.js';
import { compileShipped, shippedModule } from './shipped.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entry points of the package: one file of `src/` each. */
export const packageEntryPoints = [
  'index',
  'node',
  'browser',
  'server',
  'client',
  'calls',
  'vitest',
  'jest',
  'node-test',
  'playwright',
  'conformance',
  'cli',
].map((name) => `src/${name}.ts`);

/** The entry points that are also built as CommonJS, each in one file: Jest cannot `require` an ES module as Node does. */
export const commonJsEntryPoints = ['client', 'jest'].map((name) => `src/${name}.ts`);

/** The thread of `gateway-mock/jest`. */
const jestThread = 'src/tools/test-gateway/server-thread.ts';

/**
 * Leaves out the generators of REST and GraphQL handlers in `@mswjs/data`, which import msw and graphql. Nothing calls them: our
 * handlers follow from the contract.
 *
 * @type {import('esbuild').Plugin}
 */
const withoutHandlers = {
  name: 'without-handlers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/generate(?:Rest|GraphQL)Handlers$/ }, ({ path }) => ({
      path,
      namespace: 'handlers',
    }));
    onLoad({ filter: /./, namespace: 'handlers' }, () => ({ contents: '' }));
  },
};

/**
 * `@mswjs/data` imports two large libraries (0.4 MB) for one function each: these modules export only that function.
 *
 * @type {Readonly<Record<string, string>>}
 */
const usedExports = {
  'date-fns': "export { default as compareAsc } from 'date-fns/compareAsc';",
  lodash: "export { default as isFunction } from 'lodash/isFunction';",
};

/** @type {import('esbuild').Plugin} */
const withoutUnusedExports = {
  name: 'without-unused-exports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:date-fns|lodash)$/ }, ({ path, importer, resolveDir }) =>
      /[\\/]@mswjs[\\/]data[\\/]/.test(importer)
        ? { path, namespace: 'used-exports', pluginData: { resolveDir } }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'used-exports' }, ({ path, pluginData: { resolveDir } }) => ({
      contents: usedExports[path] ?? '',
      resolveDir,
    }));
  },
};

/**
 * `jest.cjs` loads `client.cjs` in place of a copy of it.
 *
 * @type {import('esbuild').Plugin}
 */
const requireClient = {
  name: 'require-client',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/client\.ts$/ }, () => ({ path: './client.cjs', external: true })),
};

/** Loaded from where the user has them. */
export const external = ['node:*', 'msw', 'msw/*', 'vitest', '@jest/globals', '@playwright/test'];

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['browser', 'module', 'main'], // a library that knows browsers needs no module of Node
  conditions: ['import'],
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: false,
  lineLimit: 200, // Node shows the whole line at which an error was thrown
  external,
  logLevel: 'warning',
};

/**
 * A module without a file, which is compiled when the build first imports it.
 *
 * @param {string} name
 * @param {() => string | Promise<string>} compile
 * @returns {import('esbuild').Plugin}
 */
const virtual = (name, compile) => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: name }));
    onLoad({ filter: /.*/, namespace: name }, async () => ({ resolveDir: root, contents: await compile() }));
  },
});

const plugins = [virtual(controlRoomModule, compileControlRoom), withoutHandlers, withoutUnusedExports];

/**
 * Bundles the entry points into a folder below the project's root, with the libraries that every start needs: one file loads
 * in a fraction of the time that their many take.
 *
 * @param {string} outdir
 * @param {readonly string[]} others further files of `src/` to be loaded from there
 */
export const bundle = async (outdir, others = []) => {
  const { loadScenario, scenarioNames, ...documents } = await runSources();
  const checked = Object.fromEntries(
    scenarioNames().map((name) => [name, JSON.stringify(loadScenario(name).scenario)]),
  );
  const shipped = virtual(shippedModule, () => compileShipped(checked));
  const openapi = virtual(openapiModule, () => toOpenapiModule(documents));
  /** @type {import('esbuild').Metafile['inputs']} */
  const inputs = {};
  const libraries = nodeLibraries((metafile) => Object.assign(inputs, metafile.inputs));
  const { metafile } = await build({
    ...options,
    entryPoints: [...packageEntryPoints, jestThread, ...others],
    outdir,
    splitting: true,
    metafile: true,
    plugins: [shipped, openapi, libraries, ...plugins],
  });
  const commonJs = await build({
    ...options,
    format: 'cjs',
    define: { 'import.meta.url': '__filename' },
    entryPoints: commonJsEntryPoints,
    outdir,
    outExtension: { '.js': '.cjs' },
    metafile: true,
    plugins: [requireClient, ...plugins],
  });
  const outputs = [metafile, commonJs.metafile].flatMap(({ outputs }) => Object.keys(outputs));
  removeOthers(resolve(root, outdir), outputs);
  return { metafile: { ...metafile, inputs: { ...metafile.inputs, ...inputs } } };
};

/**
 * Removes the bundles of earlier builds: the names of shared chunks change with their content.
 *
 * @param {string} folder
 * @param {readonly string[]} outputs the files of the build, as paths from the project's root
 */
const removeOthers = (folder, outputs) => {
  const kept = new Set(outputs.map((output) => resolve(root, output)));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = resolve(folder, name);
    if (/\.c?js$/.test(file) && !kept.has(file)) rmSync(file);
  }
};

/** The name by which the sources import the OpenAPI documents. */
export const openapiModule = 'virtual:openapi';

/** @returns {Promise<string>} the source of that module */
export const compileOpenapi = async () => toOpenapiModule(await runSources());

/** @param {Pick<Awaited<ReturnType<typeof runSources>>, 'openapiDocument' | 'adminOpenapi'>} documents */
const toOpenapiModule = async ({ openapiDocument, adminOpenapi }) => {
  const gateway = `${JSON.stringify(await openapiDocument(), null, 2)}\n`;
  const admin = JSON.stringify(adminOpenapi());
  return `export const gateway = ${JSON.stringify(gateway)}, admin = ${JSON.stringify(admin)};`;
};

/**
 * The code of `src/` that the build itself runs: it loads the shipped scenarios, and makes the OpenAPI documents.
 *
 * @returns {Promise<typeof import('../src/core/scenario/load.ts') & typeof import('../src/core/scenario/library.ts') & typeof import('../src/service/openapi/document.ts') & typeof import('../src/service/admin/admin-openapi.ts')>}
 */
const runSources = async () => {
  const files = [
    'core/scenario/load',
    'core/scenario/library',
    'service/openapi/document',
    'service/admin/admin-openapi',
  ];
  const contents = files.map((file) => `export * from './${file}.ts';`).join('\n');
  const shipped = virtual(shippedModule, () => compileShipped());
  const openapi = virtual(openapiModule, () => 'export const gateway = "", admin = "";'); // they do not exist yet
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: resolve(root, 'src') },
    write: false,
    plugins: [shipped, openapi, ...plugins],
  });
  const [{ text } = { text: '' }] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
};
