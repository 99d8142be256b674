// `npm run build`: bundles each door of `src/` into `dist/`, and writes its type declarations beside it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, commonJsDoors, doors } from './bundle.js';
import { buildControlRoom } from './control-room.js';
import { collectLicences } from './licences.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const { metafile } = await bundle(fileURLToPath(new URL('../dist', import.meta.url)));
if (!process.argv.includes('--no-types')) {
  process.stderr.write('Writing type declarations …\n'); // it takes some seconds
  writeFileSync(
    'dist/THIRD-PARTY-LICENCES.txt',
    collectLicences(metafile, (await buildControlRoom()).packages, '.'),
  );
  const { writeDeclarations } = await import('./declarations.js'); // it loads TypeScript
  writeDeclarations(doors, commonJsDoors);
}
