// Libraries for Node: they are bundled with their dependencies, so that a user installs none of them.
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

/** Parts of the libraries that no call can reach. */
const unused = [
  /[\\/]body-parser[\\/]index\.js$/, // Express's, with the tables of all character sets (0.5 MB): MSW reads the bodies
  /[\\/]@opentelemetry[\\/]api[\\/].*index\.c?js$/, // prom-client's, like those below: for exemplars, which are off
  /[\\/]prom-client[\\/]lib[\\/](?:cluster|pushgateway|summary)\.js$/,
];

/** The types of files that Express knows (0.2 MB): it sends only JSON. */
const mimeTypes = /[\\/]mime-db[\\/]db\.json$/;
const jsonType = { 'application/json': { charset: 'UTF-8', extensions: ['json'] } };

/** proper-lockfile uses this to wait while too many files are open. For one lock, Node's own `fs` is enough. */
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
 * Bundles each library separately, as Node would load it. A module of our package has no `require`: the modules of Node, of the
 * user's MSW and of the other libraries that it requires are imported.
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
    // The default export of a module of Node, whose members can be replaced; the named exports of MSW.
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
