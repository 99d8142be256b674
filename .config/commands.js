// How each command of the control and each operation is called: made from `src/control/commands/` and `src/operations/`, for
// the client and the page, which have no schemas. The build and the tests both read it under the name `virtual:commands`.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { compileShipped, shippedModule } from './shipped.js';
import { virtual } from './virtual.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The name the sources import it by. */
export const commandsModule = 'virtual:commands';

/** In the tests it needs no build. */
export const commandsForTests = `
import { allCommands } from ${JSON.stringify(resolve(root, 'src/control/control.ts'))};
import * as all from ${JSON.stringify(resolve(root, 'src/operations/index.ts'))};
export const shapes = allCommands.map(({ shape }) => shape());
export const operations = Object.values(all).map(({ id, method, path }) => ({ id, method, path }));
`;

/** @type {Promise<string> | undefined} */
let compiled;

/** @returns {Promise<string>} the module's source text */
export const compileCommands = () => {
  compiled ??= compile();
  return compiled;
};

const compile = async () => {
  const outfile = resolve(root, `node_modules/.cache/gateway-mock-commands-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { allCommands } from './control.ts'; export * as all from '../operations/index.ts';`,
      resolveDir: resolve(root, 'src/control'),
    },
    outfile,
    bundle: true,
    format: 'esm',
    packages: 'external',
    platform: 'node',
    plugins: [virtual(shippedModule, () => compileShipped())],
  });
  /** @type {typeof import('../src/control/control.ts') & { all: typeof import('../src/operations/index.ts') }} */
  const { allCommands, all } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  const operations = Object.values(all).map(({ id, method, path }) => ({ id, method, path }));
  return `export const shapes = ${JSON.stringify(allCommands.map(({ shape }) => shape()))};
export const operations = ${JSON.stringify(operations)};`;
};
