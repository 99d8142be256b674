// `npm run build`: bundles each entry point of `src/` into `dist/`, and writes its type declarations beside it.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, commonJsEntryPoints, external, packageEntryPoints } from './bundle.js';
import { buildControlRoom } from './control-room.js';
import { collectLicences } from './licences.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/**
 * Writes the type declarations of entry points. The plugin keeps only what their exports refer to, so that users need no zod.
 *
 * @param {readonly string[]} entryPoints files of `src`
 * @param {string} extension
 */
const writeDeclarations = async (entryPoints, extension) => {
  const { rollup } = await import('rollup'); // loaded here, since they take long
  const { dts } = await import('rollup-plugin-dts');
  const build = await rollup({
    input: Object.fromEntries(entryPoints.map((file) => [basename(file, '.ts'), file])),
    external: external.map((name) => new RegExp(`^${name.replace('*', '.*')}$`)),
    plugins: [dts()],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  await build.write({
    dir: 'dist',
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `types/[name]${extension}`,
  });
};

const { metafile } = await bundle(fileURLToPath(new URL('../dist', import.meta.url)));
if (!process.argv.includes('--no-types')) {
  process.stderr.write('Writing type declarations …\n'); // it takes some seconds
  writeFileSync(
    'dist/THIRD-PARTY-LICENCES.txt',
    collectLicences(metafile, (await buildControlRoom()).packages, '.'),
  );
  for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' }))
    if (/\.d\.c?ts$/.test(file)) rmSync(`dist/${file}`); // of earlier builds
  await writeDeclarations(
    packageEntryPoints.filter((file) => file !== 'src/cli.ts'), // it exports nothing
    '.d.ts',
  );
  await writeDeclarations([...commonJsEntryPoints, 'src/index.ts', 'src/calls.ts'], '.d.cts'); // they refer to types of these
}
