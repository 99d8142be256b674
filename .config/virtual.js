import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * A module of the build that is made when it is asked for.
 *
 * @param {string} name
 * @param {() => string | Promise<string>} compile
 * @returns {import('esbuild').Plugin}
 */
export const virtual = (name, compile) => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: name }));
    onLoad({ filter: /.*/, namespace: name }, async () => ({ resolveDir: root, contents: await compile() }));
  },
});
