// Compiles `src/inspector/` into the files of the page at `/__admin/`.
// The build and the tests both read it under the name `virtual:inspector`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The name the sources import it by. */
export const inspectorModule = 'virtual:inspector';

/** @returns {Promise<Record<string, string>>} the text of each file of the page, by its name */
export const compilePage = async () => {
  const files = await Promise.all([
    bundle(['inspector.tsx', 'inspector.css'], { splitting: true, chunkNames: '[name]' }),
    bundle(['events-worker.ts']), // a worker of its own, which cannot import
  ]);
  return {
    'index.html': readFileSync(new URL('../src/inspector/index.html', import.meta.url), 'utf8'),
    ...Object.fromEntries(files.flat()),
  };
};

/**
 * @param {readonly string[]} names
 * @param {import('esbuild').BuildOptions} [options]
 */
const bundle = async (names, options) => {
  const { outputFiles = [] } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: names.map((file) => `src/inspector/${file}`),
    outdir: 'inspector',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    logLevel: 'warning',
  });
  return outputFiles.map(({ path, text }) => [path.split(/[\\/]/).at(-1) ?? '', text]);
};

/** @returns the source of the module: `files` */
export const compileInspector = async () => `export const files = ${JSON.stringify(await compilePage())};`;
