// Builds `src/control-room/`, the page at `/__admin/`, with Vite. The build and the tests both read it under the name
// `virtual:control-room`.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = resolve(root, 'src/control-room');
const cache = resolve(root, 'node_modules/.cache/gateway-mock-control-room.json');

/** The name by which the sources import this module. */
export const controlRoomModule = 'virtual:control-room';

/**
 * @typedef {object} Page
 * @property {string} hash of what it was built from
 * @property {string[]} inputs the files of the project outside of `src/control-room/` that it was built from
 * @property {string[]} packages the folders of the packages in it
 * @property {Record<string, string>} files the text of each of its files, by its name
 */

/**
 * Builds the control room, which takes seconds, unless nothing that it is built from has changed.
 *
 * @returns {Promise<Page>}
 */
export const buildControlRoom = async () => {
  const cached = readCache();
  if (cached !== undefined && cached.hash === hashOf(cached.inputs)) return cached;
  const page = await build();
  mkdirSync(resolve(cache, '..'), { recursive: true });
  writeFileSync(cache, JSON.stringify(page));
  return page;
};

/** @returns {Promise<string>} the source of the module: `files`, compressed, since each start of a server loads them */
export const compileControlRoom = async () => {
  const { files } = await buildControlRoom();
  const zipped = Object.entries(files).map(([name, text]) => [
    name,
    gzipSync(text, { level: 9 }).toString('base64'),
  ]);
  return `export const files = ${JSON.stringify(Object.fromEntries(zipped))};`;
};

/** @returns {Page | undefined} undefined if there is none, or if it is incomplete */
const readCache = () => {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'));
  } catch {
    return undefined;
  }
};

/** @param {readonly string[]} inputs */
const hashOf = (inputs) => {
  const own = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, resolve(parentPath, name)));
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', '.config/control-room.js', ...own.sort(), ...inputs])
    hash.update(`${file}\n`).update(readOrNothing(file));
  return hash.digest('hex');
};

/** @param {string} file one that may have been deleted since */
const readOrNothing = (file) => {
  try {
    return readFileSync(resolve(root, file));
  } catch {
    return '';
  }
};

/** @returns {Promise<Page>} */
const build = async () => {
  const vite = await import('vite'); // loaded only for a build, since it takes a second
  const { NODE_ENV } = process.env; // the tests have another one, with which React would be three times as large
  process.env.NODE_ENV = 'production';
  const result = await vite.build({
    configFile: false,
    root: source,
    base: './', // each session has the page below its own path
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      // The Content-Security-Policy of the page allows nothing else. A file of the page is a text.
      assetsInlineLimit: (file) => file.endsWith('.woff2'),
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        // Each file of the component library has a directive for servers, which means nothing here.
        onLog: (level, log, handle) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log),
      },
    },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (result);
  const modules = output
    .flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
    .filter((id) => id.startsWith(root))
    .map((id) => relative(root, id.replace(/\?.*$/, '')).replaceAll('\\', '/'));
  const isPackage = /^node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
  const inputs = modules.filter((id) => !isPackage.test(id) && !id.startsWith('src/control-room/')).sort();
  return {
    hash: hashOf(inputs),
    inputs,
    packages: [...new Set(modules.flatMap((id) => isPackage.exec(id) ?? []))].sort(),
    files: Object.fromEntries(
      output.map((one) => [one.fileName, one.type === 'chunk' ? one.code : String(one.source)]),
    ),
  };
};
