// Libraries that are made for Node: in our bundle, with what they need, so that a user installs none of them.
import { isBuiltin } from 'node:module';
import { build } from 'esbuild';

const names = [
  'express',
  '@mswjs/http-middleware',
  'commander',
  'cross-spawn',
  'prom-client',
  'proper-lockfile',
];

/** Parts of the libraries that nobody can reach. */
const unused = [
  /[\\/]body-parser[\\/]index\.js$/, // Express's, with the tables of all character sets (0.5 MB): MSW reads the bodies
  /[\\/]@opentelemetry[\\/]api[\\/].*index\.c?js$/, // prom-client's, like those below: for exemplars, which are off
  /[\\/]prom-client[\\/]lib[\\/](?:cluster|pushgateway|summary)\.js$/,
];

/** Express's, with the names of all kinds of files (0.2 MB): it answers in JSON alone. */
const mimeTypes = /[\\/]mime-db[\\/]db\.json$/;
const jsonType = { 'application/json': { charset: 'UTF-8', extensions: ['json'] } };

/** proper-lockfile's, which waits where there are too many open files: Node's own does for one lock. */
const gracefulFs = /[\\/]graceful-fs[\\/]graceful-fs\.js$/;

const withoutUnused = {
  name: 'without-unused',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onLoad }) {
    for (const filter of unused) onLoad({ filter }, () => ({ contents: '' }));
    onLoad({ filter: mimeTypes }, () => ({ contents: JSON.stringify(jsonType), loader: 'json' }));
    onLoad({ filter: gracefulFs }, () => ({ contents: "module.exports = require('fs');" }));
  },
};

/**
 * Bundles each of them by itself, as Node would load it. A module of the package has no `require`: what they require of
 * Node, of the user's MSW and of each other, is imported.
 *
 * @param {(metafile: import('esbuild').Metafile) => void} onBuilt
 * @returns {import('esbuild').Plugin}
 */
export const nodeLibraries = (onBuilt) => ({
  name: 'node-libraries',
  setup({ onResolve, onLoad, initialOptions: { absWorkingDir = '.', target = 'node20' } }) {
    onResolve({ filter: /^[^.]/ }, ({ path, namespace }) => {
      if (names.includes(path)) return { path, namespace: 'library' };
      if (namespace === 'library') return { path, namespace: 'required' };
      return namespace === 'required' ? { path, namespace: 'imported' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'library' }, async ({ path }) => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: `module.exports = require('${path}');`, resolveDir: absWorkingDir },
        absWorkingDir,
        bundle: true,
        platform: 'node',
        target,
        define: { __filename: JSON.stringify(path) }, // a module has none; it only makes names of temporary files differ
        external: ['msw', ...names.filter((name) => name !== path)],
        plugins: [withoutUnused],
        write: false,
        metafile: true,
      });
      onBuilt(metafile);
      return { contents: outputFiles[0]?.text ?? '' };
    });
    // Of Node, a module whose names may be replaced; of MSW, its names.
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${path}')${isBuiltin(path) ? '.default' : ''};`,
    }));
    onLoad({ filter: /./, namespace: 'imported' }, ({ path }) => ({
      contents: isBuiltin(path)
        ? `export { default } from 'node:${path.replace(/^node:/, '')}';`
        : `export * from '${path}';`,
    }));
  },
});
