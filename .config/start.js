// `npm start`: bundles if something was changed, and serves in this same process, whose signals and exit code are then those
// of the command line on every system. Type declarations, which take most of the time of a build, stay as they are.
import { readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} path @returns {number} when it was last written; 0 if it does not exist */
const timeOf = (path) => statSync(resolve(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether the bundle is newer than all that it is made of. A deleted file makes its folder newer. */
const isUpToDate = () => {
  const built = timeOf('dist/cli.js');
  const folders = ['.config', 'fixtures', 'scenarios', 'src'];
  const files = folders.flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  );
  return [...folders, ...files, 'package-lock.json'].every((path) => timeOf(path) < built);
};

if (!isUpToDate()) {
  const { bundle } = await import('./bundle.js');
  await bundle('dist');
  const { stop } = await import('esbuild');
  await stop(); // otherwise, its process would run as long as the server
}
await import(new URL('../dist/cli.js', import.meta.url).href);
