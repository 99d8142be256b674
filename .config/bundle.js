import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compileShipped, shippedModule } from './shipped.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The doors of the package: one file of `src/` each. */
export const doors = ['index', 'node', 'server', 'client', 'cli'].map((door) => `src/${door}.ts`);

/** @type {import('esbuild').Plugin} */
const shipped = {
  name: 'shipped',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${shippedModule}$`) }, ({ path }) => ({ path, namespace: 'shipped' }));
    onLoad({ filter: /.*/, namespace: 'shipped' }, () => ({ contents: compileShipped() }));
  },
};

/**
 * Bundles the doors into a folder below the project's root.
 *
 * @param {string} outdir
 */
export const bundle = (outdir) =>
  build({
    absWorkingDir: root,
    entryPoints: doors,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'node20',
    packages: 'external',
    external: ['node:*'],
    plugins: [shipped],
    logLevel: 'warning',
  });
